import { setTimeout as sleep } from 'node:timers/promises'
import { act } from '../faults/acts.ts'
import type { Journal } from '../faults/journal.ts'
import type { Shopper } from '../faults/shopper.ts'

const FAILURES_MAX = 8

export interface Crowd {
  /** Purchases that ended otherwise than with the goods. */
  readonly failures: readonly string[]
  /** Waits until everybody has bought some more. @returns what that came to, in words */
  readonly bought: (when: string) => Promise<string>
  readonly end: () => Promise<void>
}

export interface CrowdOptions {
  readonly shoppers: readonly Shopper[]
  readonly journal: Journal
  readonly items: readonly string[]
  /** How many each buys, about, before `bought` is content. */
  readonly each: number
  readonly patienceMs: number
}

/** Shoppers who buy one thing after the other, whatever runs behind the address. */
export function startBuying({ shoppers, journal, items, each, patienceMs }: CrowdOptions): Crowd {
  const failures: string[] = []
  let times: number[] = []
  let isOver = false
  let done = 0
  const buyers = shoppers.map(async (shopper) => {
    while (!isOver) {
      const item = items[done % items.length] ?? ''
      const began = performance.now()
      const outcome = await act(shopper, 'approve', {
        journal,
        item,
        quantity: 1,
        patienceMs,
      }).catch((error: unknown) => String(error))
      if (outcome === 'delivered') {
        done += 1
        times.push(performance.now() - began)
      } else {
        failures.push(outcome)
        await sleep(200)
      }
    }
  })
  return {
    failures,
    bought: async (when) => {
      const before = done
      const deadline = performance.now() + patienceMs
      while (done < before + each * shoppers.length) {
        if (performance.now() > deadline || failures.length > FAILURES_MAX)
          throw new Error(`nobody can buy (${when}): ${failures.slice(0, 5).join('; ')}`)
        await sleep(50)
      }
      const longest = Math.max(...times) / 1000
      times = []
      return `${done - before} purchases ${when}, the longest took ${longest.toFixed(1)} s`
    },
    end: async () => {
      isOver = true
      await Promise.all(buyers)
    },
  }
}
