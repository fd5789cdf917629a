import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#platform/log.ts'
import { watchForSilence, type SignsOfLife } from './signs-of-life.ts'

export type Exit = Readonly<{ code: number | null; signal: NodeJS.Signals | null }>

export type RunningProcess = Readonly<{
  pid: number
  exited: Promise<Exit>
  /** Asks it to end, and makes it end when it takes too long. */
  stop(): Promise<void>
  /** Ends it at once. */
  kill(): void
  /** Calls the listener whenever the process says that it is alive. @returns what ends that */
  onHeartbeat?(listener: () => void): () => void
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
  firstDelayMs?: number
  onStart?(pid: number): void
  /** A process that gives none of these signs is ended, and started again. */
  signs?: SignsOfLife
  silenceMs?: number
  /** Ends by itself with code 0 when a new one shall take over; that is no failure. */
  isRenewed?: boolean
  /** The shop goes on without it, so that it is never given up. */
  isMinor?: boolean
}>

const QUICK_FAILURES = 5
const MAX_DELAY_MS = 10_000
const SILENCE_MS = 30_000
/** One that wants to be renewed sooner has a fault. */
const RENEWED_AFTER_MS = 1_000

/**
 * Starts a process again whenever it ends without being asked to: soon at first, later and later when it keeps ending right after its
 * start. One that has never worked is given up after five such failures in a row. One that has worked is started again for as long as it
 * takes: what it leans on (a disk that is full, a database) comes back some day, and then the shop shall too. Being killed from outside is
 * no failure of its own. One that hangs is killed by us, and that counts like a crash at the moment it fell silent.
 */
export function keepRunning(options: KeepOptions): KeptProcess {
  const { name, log, quickMs = 10_000, firstDelayMs = 200, silenceMs = SILENCE_MS } = options
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
    for (let failures = 0, hasWorked = options.isMinor === true; ; ) {
      const began = performance.now()
      if (current) options.onStart?.(current.pid)
      const { exit, wasSilent } = await ended(current)
      if (stopping.signal.aborted) return undefined
      const reason = exit ? describe(exit) : 'could not be started'
      const livedMs = performance.now() - began - (wasSilent ? silenceMs : 0)
      const isKilled = exit?.signal === 'SIGKILL' && !wasSilent
      const isOver = options.isRenewed === true && exit?.code === 0 && livedMs >= RENEWED_AFTER_MS
      const isFailure = !isKilled && !isOver && livedMs < quickMs
      if (!isFailure) hasWorked = true
      failures = isKilled || isOver ? 0 : isFailure ? failures + 1 : 1
      if (failures >= QUICK_FAILURES && !hasWorked)
        return `The ${name} process ended ${failures} times right after its start (${reason}); the lines above say why.`
      const delayMs = isOver
        ? 0
        : Math.min(firstDelayMs * 2 ** Math.max(failures - 1, 0), MAX_DELAY_MS)
      if (isOver) log.info(`the ${name} process is renewed`)
      else log.warn(`the ${name} process ${reason} and is started again`, { failures, delayMs })
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return undefined
      current = await launchAgain()
      if (stopping.signal.aborted) await current?.stop()
    }
  }

  async function ended(
    process: RunningProcess | undefined,
  ): Promise<{ exit?: Exit; wasSilent: boolean }> {
    if (!process) return { wasSilent: false }
    let wasSilent = false
    const watch =
      options.signs &&
      watchForSilence({
        limitMs: silenceMs,
        tickMs: Math.min(1_000, silenceMs / 10),
        onSilence: () => {
          if (stopping.signal.aborted) return
          wasSilent = true
          log.error(
            `the ${name} process has given no sign of life for ${Math.round(silenceMs / 1000)} seconds and is ended`,
            { pid: process.pid },
          )
          process.kill()
        },
      })
    const endSigns = watch && options.signs?.(process, watch.heard)
    const exit = await process.exited
    watch?.end()
    endSigns?.()
    return { exit, wasSilent }
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
