import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Secret } from '#platform/secret.ts'

export const hmacHex = (
  algorithm: 'sha1' | 'sha256',
  key: Secret,
  text: string | Uint8Array,
): string => createHmac(algorithm, key.reveal()).update(text).digest('hex')

/** Compares in the same time, however long the beginning that fits. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

/** The same for the same bytes: a notice that is sent twice. */
export const fingerprintOf = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

/** Seconds or milliseconds since 1970 that are no further from now than the window. */
export function isFresh(timestamp: string, now: Date, windowMs: number): boolean {
  if (!/^\d{10}(?:\d{3})?$/.test(timestamp)) return false
  const at = Number(timestamp) * (timestamp.length === 10 ? 1_000 : 1)
  return Math.abs(now.getTime() - at) <= windowMs
}
