import { setTimeout as sleep } from 'node:timers/promises'
import { act, ACTS, cancelUnpaid, type Act, type Outcome } from './acts.ts'
import { createChance } from './chance.ts'
import type { Journal } from './journal.ts'
import type { FaultShop } from './shop.ts'
import { addShoppers, type Shopper } from './shopper.ts'

export type Outcomes = Readonly<Partial<Record<Outcome, number>>>

/** People who buy without rest until they are told to stop. */
export interface Crowd {
  readonly outcomes: () => Outcomes
  /** Waits until somebody has got what they bought after now. @returns false when nobody did in time */
  readonly isServed: (withinMs: number) => Promise<boolean>
  /** Resolves when the last of them has done. @returns what went wrong for them */
  readonly stop: () => Promise<readonly string[]>
}

export interface CrowdOptions {
  readonly shop: FaultShop
  readonly journal: Journal
  readonly seed: number
  readonly shoppers: number
  readonly items: readonly string[]
  /** Of each step of a purchase: how long the shop may be away. */
  readonly patienceMs: number
  /** Where it can be asked, other than at its own address. */
  readonly addresses?: readonly string[]
  /** Nothing but plain purchases where it is left out. */
  readonly acts?: Readonly<Record<Act, number>>
}

export async function openCrowd(options: CrowdOptions): Promise<Crowd> {
  const { shop, journal, seed, items, patienceMs, addresses = [], acts } = options
  const chance = createChance(seed)
  const outcomes: Partial<Record<Outcome, number>> = {}
  const failures: string[] = []
  let isOver = false

  const buyOn = async (shopper: Shopper) => {
    while (!isOver) {
      const chosen = acts ? chance.weigh(acts, ACTS) : 'approve'
      try {
        const outcome = await act(shopper, chosen, {
          shop,
          journal,
          item: chance.pick(items),
          quantity: 1 + chance.below(2),
          patienceMs,
        })
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        // An unpaid order of an account counts against its limit until it expires.
        if (outcome === 'abandoned' || outcome === 'declined')
          await cancelUnpaid(shopper, patienceMs)
      } catch (error) {
        failures.push(`${chosen}: ${error instanceof Error ? error.message : String(error)}`)
        await sleep(500)
      }
    }
  }
  const people = (
    await addShoppers(shop, options.shoppers, 'crowd', [shop.address, ...addresses])
  ).map(buyOn)
  return {
    outcomes: () => outcomes,
    isServed: async (withinMs) => {
      const { delivered } = outcomes
      const began = performance.now()
      while (outcomes.delivered === delivered && performance.now() - began < withinMs)
        await sleep(50)
      return outcomes.delivered !== delivered
    },
    stop: async () => {
      isOver = true
      await Promise.all(people)
      return failures
    },
  }
}
