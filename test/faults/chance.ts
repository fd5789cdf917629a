/** Randomness that a printed seed gives again. */
export interface Chance {
  /** From 0 up to, not including, 1. */
  readonly next: () => number
  readonly below: (limit: number) => number
  readonly pick: <T>(list: readonly T[]) => T
  readonly happens: (share: number) => boolean
  /** One of them, each as often as its weight says. */
  readonly weigh: <T extends string>(weights: Readonly<Record<T, number>>, list: readonly T[]) => T
}

/** Mulberry32: 32 bits of state, enough for choosing whom to kill. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const pick = <T>(list: readonly T[]): T => {
    const chosen = list[below(list.length)]
    if (chosen === undefined) throw new Error('there is nothing to choose from')
    return chosen
  }
  return {
    next,
    below,
    happens: (share) => next() < share,
    pick,
    weigh: (weights, list) =>
      pick(list.flatMap((each) => Array<typeof each>(weights[each]).fill(each))),
  }
}
