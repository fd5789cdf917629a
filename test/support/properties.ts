import fc from 'fast-check'

/**
 * Properties are tried with the same examples each time, so that a change is judged by what it changed; the long run draws others,
 * and more of them (`LONG=1`, with `PROPERTY_SEED` to draw the same again).
 */
const isLong = process.env.LONG === '1'
const seed = Number(process.env.PROPERTY_SEED ?? (isLong ? Date.now() : 20_261_123))

fc.configureGlobal({ seed: seed | 0, ...(isLong ? { numRuns: 5_000 } : {}) })
