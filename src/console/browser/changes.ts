import type { Looker } from '#features/office/live/rules.ts'

/** What has happened in the shop since the page was made. */
export interface Changes {
  /** Numbers of orders to which something happened. */
  readonly orders: readonly string[]
  readonly other: boolean
  /** Everybody who has an order before them; only where that has changed. */
  readonly here?: readonly Looker[]
}

type HearLookers = (here: readonly Looker[]) => void
const hearing = new Set<HearLookers>()

/** Hears who comes to an order and who leaves. @returns what ends it */
export function followLookers(hear: HearLookers): () => void {
  hearing.add(hear)
  return () => void hearing.delete(hear)
}

const STREAM = '/api/console/changes'
const CHANNEL = 'lukado-console-changes'
/** A stream that was refused is asked for again after this. */
const AGAIN_MS = 30_000

/**
 * Hears what changes elsewhere. One tab of the browser has the stream and tells the others; when it closes, another takes its place.
 * @returns what ends it
 */
export function followChanges(onChange: (changes: Changes) => void): () => void {
  const ending = new AbortController()
  const channel = new BroadcastChannel(CHANNEL)
  const hear = (changes: Changes) => {
    for (const one of changes.here ? hearing : []) one(changes.here ?? [])
    onChange(changes)
  }
  channel.onmessage = ({ data }: MessageEvent<Changes>) => hear(data)
  const listen = () =>
    new Promise<void>((resolve) => {
      let source: EventSource
      let timer: ReturnType<typeof setTimeout> | undefined
      const open = () => {
        source = new EventSource(STREAM)
        // What happened before, or while there was no stream, nobody tells any more.
        source.onopen = () => {
          const changes = { orders: [], other: true }
          channel.postMessage(changes)
          onChange(changes)
        }
        source.onmessage = ({ data }: MessageEvent<string>) => {
          const changes = JSON.parse(data) as Changes
          channel.postMessage(changes)
          hear(changes)
        }
        // A lost connection the browser makes anew; what was refused, as by a proxy or between two sessions, it gives up.
        source.onerror = () => {
          if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, AGAIN_MS)
        }
      }
      open()
      ending.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        source.close()
        resolve()
      })
    })
  navigator.locks.request(CHANNEL, { signal: ending.signal }, listen).catch(() => {})
  ending.signal.addEventListener('abort', () => channel.close())
  return () => ending.abort()
}
