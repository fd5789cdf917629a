import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Keys } from '#platform/keys.ts'
import { SECRET_PREFIX, signedText, type ResellerKey } from '../rules.ts'

/** The secret of a key: it follows from the program's own key, so that whoever reads the database cannot sign. */
export function secretOf(
  keys: Keys,
  publicId: string,
  salt: Uint8Array,
  prefix: string = SECRET_PREFIX,
): string {
  const text = `${publicId}\0${Buffer.from(salt).toString('hex')}`
  return `${prefix}${keys.mac('reseller key', text).toString('base64url')}`
}

export const bodyHashOf = (body: Uint8Array): string =>
  createHash('sha256').update(body).digest('hex')

/** `v1=` and HMAC-SHA256 in hexadecimal. */
export const signatureOf = (secret: string, request: Parameters<typeof signedText>[0]): string =>
  `v1=${createHmac('sha256', secret).update(signedText(request)).digest('hex')}`

/** Secrets a key has now: the one in force, and for a while the one before. */
export const secretsOf = (
  keys: Keys,
  { publicId, salt, formerSalt }: Pick<ResellerKey, 'publicId' | 'salt' | 'formerSalt'>,
): readonly string[] =>
  [salt, ...(formerSalt ? [formerSalt] : [])].map((each) => secretOf(keys, publicId, each))

/** In the same time, however long the beginning that fits. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}
