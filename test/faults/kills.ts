import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Act } from './acts.ts'
import { addMachine } from './machine.ts'
import { createChance } from './chance.ts'
import { openCrowd, type Outcomes } from './crowd.ts'
import type { Stage } from './stage.ts'
import { killAtOnce } from './shop.ts'
import { findFaultsOnceSettled } from './money.ts'

export interface KillReport {
  readonly machines: number
  readonly kills: Readonly<Record<string, number>>
  readonly outcomes: Outcomes
  /** Milliseconds until the shop answered again, after each kill of web or database. */
  readonly recoveries: { readonly median: number; readonly most: number }
  readonly faults: readonly string[]
}

const SHOPPERS = 8
const PATIENCE_MS = 180_000
/** Between the last recovery and the next kill: long enough for some work, too short for all of it. */
const PAUSE_MS = 1_200
/** After so many kills the shop is let alone until somebody has got what they bought. */
const REST_EACH = 8
const REST_MS = 120_000
/** Of a hundred people. */
const PEOPLE: Readonly<Record<Act, number>> = {
  approve: 50,
  decline: 8,
  abandon: 8,
  underpay: 6,
  overpay: 6,
  pay_late: 6,
  ask_refund: 6,
  dispute: 5,
  charge_back: 5,
}

/** People buy without rest on two machines while processes are killed at random moments; then everything acknowledged must be true. */
export async function runKills(
  { shop, journal, seed, items, say }: Stage,
  count: number,
): Promise<KillReport> {
  const chance = createChance(seed)
  // Where it cannot be known how the first was started there is one machine.
  const second = existsSync('/proc/self/environ') ? await addMachine(shop) : null
  // Web processes take longest to come back: they are hit less often, so that there is something to hit.
  const victims: readonly (readonly [string, () => number | undefined, number])[] = [
    ['web', () => shop.pid('web'), 2],
    ['worker', () => shop.pid('worker'), 4],
    ['vault', () => shop.pid('vault'), 1],
    ['postgres', () => shop.pid('postgres'), 4],
    ...(second
      ? ([
          ['second web', () => second.pid('web'), 2],
          ['second worker', () => second.pid('worker'), 4],
        ] as const)
      : []),
  ]
  const names = victims.map(([name]) => name)
  const weights = Object.fromEntries(victims.map(([name, , weight]) => [name, weight]))
  const kills: Record<string, number> = {}
  const recoveries: number[] = []
  const failures: string[] = []
  const crowd = await openCrowd({
    shop,
    journal,
    seed,
    items,
    shoppers: SHOPPERS,
    patienceMs: PATIENCE_MS,
    addresses: second ? [second.address] : [],
    acts: PEOPLE,
  })
  try {
    for (let done = 0; done < count; ) {
      await sleep(chance.below(PAUSE_MS))
      const name = chance.weigh(weights, names)
      if (!killAtOnce(victims.find(([each]) => each === name)?.[1]())) continue
      done += 1
      kills[name] = (kills[name] ?? 0) + 1
      // The others are missed by nobody for a while; now and then the next kill hits what is just coming back.
      if ((name === 'web' || name === 'postgres') && !chance.happens(0.3))
        recoveries.push(await shop.recovered(PATIENCE_MS))
      if (done % REST_EACH !== 0) continue
      say(`${done} kills, ${JSON.stringify(crowd.outcomes())}`)
      if (!(await crowd.isServed(REST_MS)))
        failures.push(`nothing was delivered within ${REST_MS / 1000} s after ${done} kills`)
    }
    await shop.recovered(PATIENCE_MS)
    failures.push(...(await crowd.stop()))
  } finally {
    await second?.stop()
  }
  const sorted = recoveries.toSorted((a, b) => a - b).map(Math.round)
  return {
    machines: second ? 2 : 1,
    kills,
    outcomes: crowd.outcomes(),
    recoveries: { median: sorted[sorted.length >> 1] ?? 0, most: sorted.at(-1) ?? 0 },
    faults: [...failures, ...(await findFaultsOnceSettled(shop, journal))],
  }
}
