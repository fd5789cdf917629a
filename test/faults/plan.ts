/** What is played, in this order: those without a shop, those in one, and those that start one on the data of the last. */
export const SCENES = [
  'race',
  'late',
  'silent',
  'supply',
  'notices',
  'endpoints',
  'frozen',
  'kills',
  'torn',
  'log',
  'clocks',
  'disk',
] as const
export type Scene = (typeof SCENES)[number]

/** How much of each; counts of kills and rounds are cut into legs, between which a long run may be ended and resumed. */
export function sizesOf(isLong: boolean) {
  return isLong
    ? {
        race: { orders: 10_000, keys: 500 },
        late: { orders: 10_000, keys: 500 },
        silent: { abandoned: 100_000, perSecond: 50, silentSeconds: 3_600, lateAtMost: 5 },
        supply: {
          units: 100_000,
          leg: 10_000,
          kills: 180,
          cards: { units: 5_000, kills: 40 },
          sockets: { units: 500, kills: 20 },
        },
        notices: { purchases: 2_000, unnoticed: 200 },
        rounds: { count: 200, leg: 10 },
        kills: { count: 1_000, leg: 100 },
        frozenSeconds: 300,
        clocks: { seconds: 600, isBothWays: true },
        fullSeconds: 600,
        keysOfEach: 12_000,
      }
    : {
        race: { orders: 3_000, keys: 150 },
        late: { orders: 300, keys: 15 },
        silent: { abandoned: 300, perSecond: 100, silentSeconds: 5, lateAtMost: 60 },
        supply: {
          units: 3_000,
          leg: 3_000,
          kills: 20,
          cards: { units: 300, kills: 6 },
          sockets: { units: 0, kills: 0 },
        },
        notices: { purchases: 60, unnoticed: 12 },
        rounds: { count: 2, leg: 2 },
        kills: { count: 16, leg: 16 },
        frozenSeconds: 8,
        clocks: { seconds: 1, isBothWays: false },
        fullSeconds: 5,
        keysOfEach: 400,
      }
}

/** So many at a time until all are there. */
export function legsOf({ count, leg }: { readonly count: number; readonly leg: number }): number[] {
  return Array.from({ length: Math.ceil(count / leg) }, (_, index) =>
    Math.min(leg, count - index * leg),
  )
}
