import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#platform/log.ts'

export type Exit = Readonly<{ code: number | null; signal: NodeJS.Signals | null }>

export type RunningProcess = Readonly<{
  pid: number
  exited: Promise<Exit>
  /** Asks it to end, and makes it end when it takes too long. */
  stop(): Promise<void>
  /** Ends it at once. */
  kill(): void
}>

export type KeptProcess = Readonly<{
  /** Settles, with a sentence, only when the process cannot be kept running. */
  givenUp: Promise<string>
  stop(): Promise<void>
  kill(): void
}>

export type KeepOptions = Readonly<{
  name: string
  first: RunningProcess
  launch(): Promise<RunningProcess>
  log: Log
  /** A process that lives this long counts as well started. */
  quickMs?: number
  patienceMs?: number
  firstDelayMs?: number
  onStart?(pid: number): void
}>

const QUICK_FAILURES = 5
/** A process that has worked is given this long to come back: what it leans on may be coming back itself. */
const PATIENCE_MS = 60_000
const MAX_DELAY_MS = 10_000

/**
 * Starts a process again whenever it ends without being asked to: soon at first, later and later when it keeps ending
 * right after its start, and not any more after five such failures in a row: at once where it has never worked, after a minute
 * where it has. Being killed from outside is no failure of its own: it is started again however often.
 */
export function keepRunning(options: KeepOptions): KeptProcess {
  const { name, log, quickMs = 10_000, patienceMs = PATIENCE_MS, firstDelayMs = 200 } = options
  const stopping = new AbortController()
  let current: RunningProcess | undefined = options.first
  const loop = watch()

  return {
    givenUp: loop.then((sentence) => sentence ?? new Promise<string>(() => {})),
    async stop() {
      stopping.abort()
      await current?.stop()
      await loop
    },
    kill() {
      stopping.abort()
      current?.kill()
    },
  }

  async function watch(): Promise<string | undefined> {
    for (let failures = 0, workedAt = -Infinity; ; ) {
      const began = performance.now()
      if (current) options.onStart?.(current.pid)
      const exit = await current?.exited
      if (stopping.signal.aborted) return undefined
      const reason = exit ? describe(exit) : 'could not be started'
      const [isKilled, isQuick] = [exit?.signal === 'SIGKILL', performance.now() - began < quickMs]
      if (isKilled || !isQuick) workedAt = performance.now()
      failures = isKilled ? 0 : isQuick ? failures + 1 : 1
      if (failures >= QUICK_FAILURES && performance.now() - workedAt >= patienceMs)
        return `The ${name} process ended ${failures} times right after its start (${reason}); the lines above say why.`
      const delayMs = Math.min(firstDelayMs * 2 ** Math.max(failures - 1, 0), MAX_DELAY_MS)
      log.warn(`the ${name} process ${reason} and is started again`, { delayMs })
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return undefined
      current = await launchAgain()
      if (stopping.signal.aborted) await current?.stop()
    }
  }

  async function launchAgain(): Promise<RunningProcess | undefined> {
    try {
      return await options.launch()
    } catch (error) {
      log.error(`the ${name} process could not be started`, { error })
      return undefined
    }
  }
}

function describe(exit: Exit): string {
  return exit.signal ? `was ended by ${exit.signal}` : `ended with code ${exit.code}`
}
