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

export type SupervisedProcess = Readonly<{
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
const QUICK_MS = 10_000
const FIRST_DELAY_MS = 200
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
export function keepRunning(options: KeepOptions): SupervisedProcess {
  const keeper = new Keeper(options)
  const loop = keeper.watch()
  return {
    givenUp: loop.then((sentence) => sentence ?? new Promise<string>(() => {})),
    async stop() {
      await keeper.stop()
      await loop
    },
    kill: () => keeper.kill(),
  }
}

/** How a process came to its end; without `exit` it could not be started. */
type End = Readonly<{ exit?: Exit; wasSilent: boolean }>

class Keeper {
  readonly #options: KeepOptions
  readonly #silenceMs: number
  readonly #stopping = new AbortController()
  #current: RunningProcess | undefined
  #failures = 0
  #hasWorked: boolean

  constructor(options: KeepOptions) {
    this.#options = options
    this.#silenceMs = options.silenceMs ?? SILENCE_MS
    this.#current = options.first
    this.#hasWorked = options.isMinor === true
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#current?.stop()
  }

  kill(): void {
    this.#stopping.abort()
    this.#current?.kill()
  }

  /** @returns why the process is given up; undefined when it was asked to stop */
  async watch(): Promise<string | undefined> {
    const { name, onStart } = this.#options
    for (;;) {
      const began = performance.now()
      if (this.#current) onStart?.(this.#current.pid)
      const end = await this.#ended(this.#current)
      if (this.#stopping.signal.aborted) return undefined
      const reason = end.exit ? describe(end.exit) : 'could not be started'
      const isRenewal = this.#count(end, performance.now() - began)
      if (this.#failures >= QUICK_FAILURES && !this.#hasWorked)
        return `The ${name} process ended ${this.#failures} times right after its start (${reason}); the lines above say why.`
      await this.#pause(reason, isRenewal)
      if (this.#stopping.signal.aborted) return undefined
      this.#current = await this.#launchAgain()
      if (this.#stopping.signal.aborted) await this.#current?.stop()
    }
  }

  /** Counts failures in a row. @returns whether it ended to be renewed */
  #count({ exit, wasSilent }: End, ranMs: number): boolean {
    const livedMs = ranMs - (wasSilent ? this.#silenceMs : 0)
    const isKilled = exit?.signal === 'SIGKILL' && !wasSilent
    const isRenewal =
      this.#options.isRenewed === true && exit?.code === 0 && livedMs >= RENEWED_AFTER_MS
    const isFailure = !isKilled && !isRenewal && livedMs < (this.#options.quickMs ?? QUICK_MS)
    if (!isFailure) this.#hasWorked = true
    this.#failures = isKilled || isRenewal ? 0 : isFailure ? this.#failures + 1 : 1
    return isRenewal
  }

  async #pause(reason: string, isRenewal: boolean): Promise<void> {
    const { name, log, firstDelayMs = FIRST_DELAY_MS } = this.#options
    const failures = this.#failures
    const delayMs = isRenewal
      ? 0
      : Math.min(firstDelayMs * 2 ** Math.max(failures - 1, 0), MAX_DELAY_MS)
    if (isRenewal) log.info(`the ${name} process is renewed`)
    else log.warn(`the ${name} process ${reason} and is started again`, { failures, delayMs })
    await sleep(delayMs, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }

  async #ended(process: RunningProcess | undefined): Promise<End> {
    if (!process) return { wasSilent: false }
    const { name, log, signs } = this.#options
    const silenceMs = this.#silenceMs
    let wasSilent = false
    const silence =
      signs &&
      watchForSilence({
        limitMs: silenceMs,
        tickMs: Math.min(1_000, silenceMs / 10),
        onSilence: () => {
          if (this.#stopping.signal.aborted) return
          wasSilent = true
          log.error(
            `the ${name} process has given no sign of life for ${Math.round(silenceMs / 1000)} seconds and is ended`,
            { pid: process.pid },
          )
          process.kill()
        },
      })
    const endSigns = silence && signs(process, silence.heard)
    const exit = await process.exited
    silence?.end()
    endSigns?.()
    return { exit, wasSilent }
  }

  async #launchAgain(): Promise<RunningProcess | undefined> {
    const { name, log, launch } = this.#options
    try {
      return await launch()
    } catch (error) {
      log.error(`the ${name} process could not be started`, { error })
      return undefined
    }
  }
}

function describe(exit: Exit): string {
  return exit.signal ? `was ended by ${exit.signal}` : `ended with code ${exit.code}`
}
