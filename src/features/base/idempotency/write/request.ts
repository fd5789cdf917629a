import { sha256 } from '#platform/secrets.ts'

/** What a key stands for, as one text: the order of JSON members says nothing. */
export function requestText({
  currency,
  input,
}: {
  readonly currency: string
  readonly input: unknown
}): string {
  return JSON.stringify([currency, input ?? null], (_, value: unknown) => {
    // A file counts by its hash: as JSON its bytes would take many times the room.
    if (value instanceof Uint8Array) return sha256(value).toString('hex')
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
