import { test } from 'vitest'

/** `test`, in the long run alone (`npm test -- --long`, or `LONG=1`): what takes a minute to look at, and seldom breaks. */
export const longRunTest = test.skipIf(process.env.LONG !== '1')
