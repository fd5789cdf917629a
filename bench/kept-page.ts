import type { WebProcess } from './processes.ts'
import { getRequest } from './load/client.ts'
import { recordAnswer } from './load/record.ts'
import { contest, type ContestResult } from './load/rounds.ts'

const TARGETS = ['/cards', '/de/cards', '/ja/top-up', '/ar']

/** Public pages served again: brotli, from the page cache. */
export async function measureCachedPages(
  web: WebProcess,
  rounds: number,
  seconds: number,
): Promise<ContestResult> {
  const answers = await Promise.all(
    TARGETS.map((target) => recordAnswer(web.port, target, { 'accept-encoding': 'br' })),
  )
  if (answers.some(({ headers }) => !headers.includes('br')))
    throw new Error('A page is not compressed')
  return contest({
    port: web.port,
    pid: web.pid,
    requests: TARGETS.map((target) => getRequest(target, 'br')),
    answers,
    rounds,
    seconds,
  })
}
