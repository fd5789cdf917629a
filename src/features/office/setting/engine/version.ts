import { createHash } from 'node:crypto'

/** Names what a part of a row is, so that nobody overwrites what they have not seen. */
export function versionOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('base64url')
    .slice(0, 22)
}
