import { Agent, get } from 'node:http'

interface Beating {
  /** Calls the listener whenever the process says that it is alive. @returns what ends that */
  onHeartbeat?(listener: () => void): () => void
}

/** Calls `heard` at each sign of life of a process. @returns what ends the listening */
export type SignsOfLife = (process: Beating, heard: () => void) => () => void

export type SilenceOptions = Readonly<{
  limitMs: number
  tickMs: number
  onSilence(): void
}>

const ASK_EVERY_MS = 5_000
const ANSWER_WITHIN_MS = 30_000

/** The process says by itself that its event loop turns. */
export const heartbeats: SignsOfLife = (process, heard) =>
  process.onHeartbeat?.(heard) ?? (() => {})

/**
 * The process answers /healthz, which asks for nothing but a turn of its event loop: /readyz would end a process for its database's
 * fault. Until it listens for the first time its heartbeats count, for reading a large catalogue takes what it takes.
 */
export function healthAnswers(url: string, everyMs = ASK_EVERY_MS): SignsOfLife {
  return (process, heard) => {
    let hasAnswered = false
    const ended = new AbortController()
    const endHeartbeats = heartbeats(process, () => {
      if (!hasAnswered) heard()
    })
    // Questions overlap: one answered late counts as much as one answered soon.
    const timer = setInterval(
      () =>
        askHealth(url, ended.signal, () => {
          hasAnswered = true
          heard()
        }),
      everyMs,
    )
    return () => {
      clearInterval(timer)
      endHeartbeats()
      ended.abort()
    }
  }
}

function askHealth(url: string, ended: AbortSignal, heard: () => void): void {
  // A connection of its own: a kept one could be closed by the other side at this very moment.
  const request = get(
    url,
    { agent: new Agent(), signal: AbortSignal.any([ended, AbortSignal.timeout(ANSWER_WITHIN_MS)]) },
    (answer) => {
      answer.resume()
      if (answer.statusCode === 200) heard()
    },
  )
  request.on('error', () => {})
}

/**
 * Calls `onSilence` once nothing was heard for `limitMs` in which this process itself was being run. Time it did not get (the machine was
 * suspended, or too busy to run anybody) proves nothing about the other: of a late tick only its due length counts.
 */
export function watchForSilence({ limitMs, tickMs, onSilence }: SilenceOptions): {
  heard(): void
  end(): void
} {
  let silentMs = 0
  let tickedAt = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    silentMs += Math.min(now - tickedAt, tickMs)
    tickedAt = now
    if (silentMs < limitMs) return
    clearInterval(timer)
    onSilence()
  }, tickMs)
  return {
    heard: () => {
      silentMs = 0
    },
    end: () => clearInterval(timer),
  }
}
