import { closeSync } from 'node:fs'
import { openCrowd, type Outcomes } from './crowd.ts'
import { openFullDevice, openStalledPipe } from './lost-output.ts'
import { killAtOnce, startShop, type Output } from './shop.ts'
import type { HomeStage, Stage } from './stage.ts'
import { findFaultsOnceSettled } from './money.ts'

export interface LogReport {
  readonly tried: readonly string[]
  readonly outcomes: readonly Outcomes[]
  readonly faults: readonly string[]
}

const SHOPPERS = 4
const SERVED_MS = 120_000

/** Nobody takes what the shop says: it starts and sells all the same, and what is killed comes back. */
export async function runLog(stage: HomeStage, isLong: boolean): Promise<LogReport> {
  const full = openFullDevice()
  const stalled = openStalledPipe()
  const ways = new Map<string, Output>([
    ...(full === undefined ? [] : [['the disk under it is full', full] as const]),
    ...(stalled ? [['its reader stands still', stalled.fd] as const] : []),
    ['its reader has gone', 'gone'],
  ])
  const names = [...ways.keys()]
  // In the short run one start for two of them: one takes the output, the other the log.
  const tries = isLong ? names.map((name) => [name, name]) : [names.slice(0, 2)]
  const outcomes: Outcomes[] = []
  const faults: string[] = []
  try {
    for (const [out = '', log = out] of tries) {
      const output = [ways.get(out) ?? 'gone', ways.get(log) ?? 'gone'] as const
      const shop = await startShop({ home: stage.home, output })
      try {
        const found = await sell({ ...stage, shop })
        outcomes.push(found.outcomes)
        faults.push(...found.faults.map((fault) => `${out}, ${log}: ${fault}`))
      } finally {
        await shop.stop()
      }
    }
  } finally {
    stalled?.close()
    if (full !== undefined) closeSync(full)
  }
  return { tried: tries.flat(), outcomes, faults }
}

async function sell({
  shop,
  journal,
  seed,
  items,
}: Stage): Promise<{ readonly outcomes: Outcomes; readonly faults: readonly string[] }> {
  const faults: string[] = []
  const crowd = await openCrowd({
    shop,
    journal,
    seed,
    items,
    shoppers: SHOPPERS,
    patienceMs: SERVED_MS,
  })
  if (!(await crowd.isServed(SERVED_MS))) faults.push('nothing is sold')
  // Of each of these the log would have to say something.
  for (const name of ['worker', 'postgres', 'web'] as const) killAtOnce(shop.pid(name))
  await shop.recovered()
  if (!(await crowd.isServed(SERVED_MS))) faults.push('nothing is sold after kills')
  faults.push(...(await crowd.stop()))
  return {
    outcomes: crowd.outcomes(),
    faults: [...faults, ...(await findFaultsOnceSettled(shop, journal))],
  }
}
