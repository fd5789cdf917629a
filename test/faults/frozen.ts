import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { present } from '#kernel/assert.ts'
import { parentOf, signal } from '#platform/processes.ts'
import { openCrowd, type Outcomes } from './crowd.ts'
import { PROCESSES } from './shop.ts'
import type { Stage } from './stage.ts'
import { findFaultsOnceSettled } from './money.ts'

export interface FrozenReport {
  readonly frozenSeconds: number
  readonly backAfterSeconds: number
  readonly outcomes: Outcomes
  readonly faults: readonly string[]
}

const SHOPPERS = 4
const BACK_MS = 60_000
const SERVED_MS = 120_000
const ASK_EVERY_MS = 2_000

/** The database stands still while people buy: nothing is restarted for it, the shop says that it is not ready, and is back by itself. */
export async function runFrozen(
  { shop, journal, seed, items }: Stage,
  seconds: number,
): Promise<FrozenReport> {
  const faults: string[] = []
  const crowd = await openCrowd({
    shop,
    journal,
    seed,
    items,
    shoppers: SHOPPERS,
    patienceMs: seconds * 1_000 + SERVED_MS,
  })
  if (!(await crowd.isServed(SERVED_MS))) faults.push('nothing is sold before')
  const before = PROCESSES.map((name) => shop.pid(name))
  const frozen = serverOf(present(shop.pid('postgres'), 'the database'))
  const answers: number[] = []
  let found = ''
  try {
    for (const pid of frozen) signal(pid, 'SIGSTOP')
    const until = performance.now() + seconds * 1_000
    while (performance.now() < until) {
      await sleep(ASK_EVERY_MS)
      answers.push(await shop.readiness())
    }
    found = await shop.complaints()
  } finally {
    for (const pid of frozen) signal(pid, 'SIGCONT')
  }
  const backAfterMs = await shop.recovered(BACK_MS)
  if (!(await crowd.isServed(SERVED_MS))) faults.push('nothing is sold afterwards')
  faults.push(...(await crowd.stop()))
  // A question that was on its way when it froze may have been answered by what was known before.
  if (answers.slice(1).some((status) => status !== 503))
    faults.push(`it answers ${answers.join(' ')} when asked whether it is ready`)
  if (!/^wrong {2}database/m.test(found)) faults.push(`doctor says of it: ${found || 'nothing'}`)
  const after = PROCESSES.map((name) => shop.pid(name))
  if (before.join() !== after.join())
    faults.push(`processes were restarted: ${before.join()} are now ${after.join()}`)
  return {
    frozenSeconds: seconds,
    backAfterSeconds: Math.round(backAfterMs / 100) / 10,
    outcomes: crowd.outcomes(),
    faults: [...faults, ...(await findFaultsOnceSettled(shop, journal))],
  }
}

/** The server and the processes of its connections. */
function serverOf(postmaster: number): number[] {
  const all = readdirSync('/proc').map(Number)
  return [postmaster, ...all.filter((pid) => pid > 0 && parentOf(pid) === postmaster)]
}
