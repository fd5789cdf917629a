/** What has happened in the shop since the page was made. */
export interface Changes {
  /** Numbers of orders to which something happened. */
  readonly orders: readonly string[]
  readonly other: boolean
}

const STREAM = '/api/console/changes'
const CHANNEL = 'lukado-console-changes'

/**
 * Hears what changes elsewhere. One tab of the browser has the stream and tells the others; when it closes, another takes its place.
 * @returns what ends it
 */
export function followChanges(onChange: (changes: Changes) => void): () => void {
  const ending = new AbortController()
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }: MessageEvent<Changes>) => onChange(data)
  const listen = () =>
    new Promise<void>((resolve) => {
      const source = new EventSource(STREAM)
      // What happened before, or while there was no stream, nobody tells any more.
      source.onopen = () => onChange({ orders: [], other: true })
      source.onmessage = ({ data }: MessageEvent<string>) => {
        const changes = JSON.parse(data) as Changes
        channel.postMessage(changes)
        onChange(changes)
      }
      ending.signal.addEventListener('abort', () => {
        source.close()
        resolve()
      })
    })
  navigator.locks.request(CHANNEL, { signal: ending.signal }, listen).catch(() => {})
  ending.signal.addEventListener('abort', () => channel.close())
  return () => ending.abort()
}
