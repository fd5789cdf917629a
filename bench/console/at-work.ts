import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../load/client.ts'
import { arrive } from '../load/open-loop.ts'
import type { Talk } from '../load/talk.ts'
import { purchase, type Purchased, type Shopper, type Way } from '../buying/shoppers.ts'
import { openPage } from './pages.ts'

/** Milliseconds that things take: of ten operators' pages, or of purchases. */
export interface Times {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly max: number
}

export interface Operated {
  readonly times: Times
  readonly opened: readonly { readonly address: string; readonly took: number }[]
}

/** Between two pages, a person reads. */
const READING_MS = { least: 500, most: 1_500 }

/** Each opens one page after another, with a pause to read it. */
export async function operate(
  talk: Talk,
  cookies: readonly string[],
  addresses: readonly string[],
  seconds: number,
): Promise<Operated> {
  const opened: { readonly address: string; readonly took: number }[] = []
  const end = performance.now() + seconds * 1_000
  await Promise.all(
    cookies.map(async (cookie, colleague) => {
      for (let step = colleague; performance.now() < end; step += 3) {
        const address = addresses[step % addresses.length] ?? '/'
        opened.push({ address, took: (await openPage(talk, cookie, address)).took })
        const part = ((step * 37) % 100) / 100
        await sleep(READING_MS.least + part * (READING_MS.most - READING_MS.least))
      }
    }),
  )
  return { times: timesOf(opened.map(({ took }) => took)), opened }
}

/** Purchases begun at a steady rate, each from the cart to its key in sight. */
export async function buySteadily(
  shoppers: readonly Shopper[],
  way: Way,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<{ readonly bought: readonly Purchased[]; readonly times: Times }> {
  const running: Promise<Purchased>[] = []
  const idle = [...shoppers]
  await arrive({ count: perSecond * seconds, perSecond }, () => {
    const shopper = idle.shift()
    if (!shopper) throw new Error('more purchases are under way than there are shoppers')
    running.push(purchase(shopper, way).finally(() => void idle.push(shopper)))
  })
  const bought = await Promise.all(running)
  return { bought, times: timesOf(bought.map(({ begun, visible }) => visible - begun)) }
}

function timesOf(times: readonly number[]): Times {
  const sorted = Float64Array.from(times).sort()
  return {
    count: sorted.length,
    p50: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    max: sorted.at(-1) ?? 0,
  }
}
