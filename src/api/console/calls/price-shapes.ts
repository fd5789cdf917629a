import { z } from 'zod'
import type { TrialEffect } from '#features/goods/price/engine/trial.ts'
import type { TriedChange } from '#features/office/pricing/views.ts'

/** In millionths; less than zero where it falls. */
const move = z.number()

export const trialShape = z.object({
  items: z.number(),
  prices: z.number(),
  items_changed: z.number(),
  prices_changed: z.number(),
  rising: z.number(),
  falling: z.number(),
  /** Of the prices that change: the furthest fall or smallest rise, the middle, the furthest rise. */
  moves: z.object({ least: move, median: move, most: move }).nullable(),
  /** How many prices move by up to −10 %, −5 %, −2 %, 0, 2 %, 5 %, 10 %, and by more. */
  spread: z.array(z.number()),
  below_floor: z.object({ items: z.number(), prices: z.number(), codes: z.array(z.string()) }),
  raised: z.object({ before: z.number(), after: z.number() }),
  top: z.array(
    z.object({
      item: z.string(),
      currency: z.string(),
      before: z.string(),
      after: z.string(),
      move,
    }),
  ),
  /** Of what was sold in the last thirty days, by currency: at its cost, and the prices of now and those tried. */
  margins: z.array(
    z.object({ currency: z.string(), units: z.string(), before: z.string(), after: z.string() }),
  ),
})

export const trialOf = (effect: TrialEffect): z.infer<typeof trialShape> => ({
  items: effect.items,
  prices: effect.prices,
  items_changed: effect.itemsChanged,
  prices_changed: effect.pricesChanged,
  rising: effect.rising,
  falling: effect.falling,
  moves: effect.moves,
  spread: [...effect.spread],
  below_floor: { ...effect.belowFloor, codes: [...effect.belowFloor.codes] },
  raised: effect.raised,
  top: effect.top.map(({ code, before, after, ...one }) => ({
    item: code,
    ...one,
    before: before.toString(),
    after: after.toString(),
  })),
  margins: effect.margins.map(({ currency, units, before, after }) => ({
    currency,
    units: units.toString(),
    before: before.toString(),
    after: after.toString(),
  })),
})

export const triedShape = z.object({
  effect: trialShape,
  /** Hundredths of a percent by which prices would be from where they were without what the caller did within seven days. */
  reach: z.object({ fall: z.number(), rise: z.number() }),
  /** Null for no limit. */
  limit: z.number().nullable(),
  needs_second_person: z.boolean(),
  /** Of a rate: whether it comes in force, waits as it jumps, or stands behind another source. */
  rate: z.enum(['in_force', 'held', 'not_chosen']).nullable(),
  /** To be sent along when it is made. */
  seen: z.string(),
})

export const triedOf = (tried: TriedChange): z.infer<typeof triedShape> => ({
  effect: trialOf(tried.effect),
  reach: tried.reach,
  limit: tried.limit,
  needs_second_person: tried.needsAnother,
  rate: tried.rate,
  seen: tried.seen,
})
