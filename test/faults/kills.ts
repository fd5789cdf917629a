import { setTimeout as sleep } from 'node:timers/promises'
import { createChance } from './chance.ts'
import type { Journal } from './journal.ts'
import type { FaultShop, Victim } from './shop.ts'
import { addShoppers, insist, purchase, type Outcome, type Shopper } from './shopper.ts'
import { findFaults } from './verdict.ts'

export interface Kills {
  readonly shop: FaultShop
  readonly journal: Journal
  readonly seed: number
  readonly count: number
  readonly shoppers: number
  readonly items: readonly string[]
  readonly say: (line: string) => void
}

export interface KillReport {
  readonly kills: Readonly<Record<Victim, number>>
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>
  /** Milliseconds until the shop answered again, after each kill of web or database. */
  readonly recoveries: readonly number[]
  readonly faults: readonly string[]
}

/** The web process takes longest to come back: it is hit less often, so that there is something to hit. */
const VICTIMS: readonly Victim[] = ['web', 'worker', 'worker', 'worker', 'postgres', 'postgres']
const PATIENCE_MS = 180_000
/** Between the last recovery and the next kill: long enough for some work, too short for all of it. */
const PAUSE_MS = 1_200
/** After so many kills the shop is let alone until somebody has got what they bought. */
const REST_EACH = 10
const REST_MS = 120_000

/** People buy without rest while processes are killed at random moments; then everything acknowledged must be true. */
export async function runKills({
  shop,
  journal,
  seed,
  count,
  shoppers,
  items,
  say,
}: Kills): Promise<KillReport> {
  const chance = createChance(seed)
  const kills = { web: 0, worker: 0, postgres: 0 }
  const outcomes: Partial<Record<Outcome, number>> = {}
  const recoveries: number[] = []
  const failures: string[] = []
  let isOver = false

  const buyOn = async (shopper: Shopper) => {
    while (!isOver) {
      const decision = chance.happens(0.1) ? 'abandon' : chance.happens(0.1) ? 'decline' : 'approve'
      try {
        const outcome = await purchase(shopper, {
          journal,
          item: chance.pick(items),
          quantity: 1 + chance.below(2),
          decision,
          patienceMs: PATIENCE_MS,
        })
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        // An unpaid order of an account counts against its limit until it expires.
        if (outcome === 'abandoned' || outcome === 'declined') await cancelUnpaid(shopper)
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error))
        await sleep(500)
      }
    }
  }

  const rest = async (done: number) => {
    say(`${done} kills, ${JSON.stringify(outcomes)}`)
    const { delivered } = outcomes
    const began = performance.now()
    while (outcomes.delivered === delivered && performance.now() - began < REST_MS) await sleep(50)
    if (outcomes.delivered === delivered)
      failures.push(`nothing was delivered within ${REST_MS / 1000} s after ${done} kills`)
  }

  const people = (await addShoppers(shop, shoppers, 'kill')).map(buyOn)
  for (let done = 0; done < count; ) {
    await sleep(chance.below(PAUSE_MS))
    const victim = chance.pick(VICTIMS)
    if (!shop.kill(victim)) continue
    done += 1
    kills[victim] += 1
    // A worker is missed by nobody for a while; now and then the next kill hits what is just coming back.
    if (victim !== 'worker' && !chance.happens(0.3)) recoveries.push(await shop.recovered())
    if (done % REST_EACH === 0) await rest(done)
  }
  await shop.recovered()
  isOver = true
  await Promise.all(people)
  return {
    kills,
    outcomes,
    recoveries,
    faults: [...failures, ...(await shop.withCtx((ctx) => findFaults(ctx, journal)))],
  }
}

async function cancelUnpaid(shopper: Shopper): Promise<void> {
  const { data } = await insist(() => shopper.get('order/index?status=unpaid'), PATIENCE_MS)
  for (const { order } of data.list as { order: string }[])
    await insist(() => shopper.post('order/cancel', { order }), PATIENCE_MS)
}
