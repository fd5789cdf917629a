import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto'

/**
 * A card key is encrypted (AES-256-GCM, the tag at its end) under a key of its row's own; that key is wrapped by a key-encryption key:
 * nonce (12), the row's key encrypted (32), tag (16). Both are bound to the row: moved to another one, they do not open.
 */
export interface Place {
  readonly id: string
  readonly item: string
}

export interface Kek {
  readonly id: number
  readonly bytes: Uint8Array
}

type Random = (bytes: number) => Uint8Array

const NONCE_BYTES = 12
const KEY_BYTES = 32
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

/** A new key for one row, and what it encrypts. */
export interface Sealed {
  readonly rowKey: Uint8Array
  readonly nonce: Buffer
  readonly ciphertext: Buffer
}

export function sealContent(content: Uint8Array, place: Place, random: Random): Sealed {
  return sealUnder(random(KEY_BYTES), content, place, random)
}

/** The same under a key that is there already. */
export function sealUnder(
  rowKey: Uint8Array,
  content: Uint8Array,
  place: Place,
  random: Random,
): Sealed {
  const nonce = Buffer.from(random(NONCE_BYTES))
  return { rowKey, nonce, ciphertext: encrypt(content, rowKey, nonce, contentBinding(place)) }
}

/** Throws when anything was changed, or it belongs to another row or key. */
export function openContent({ rowKey, nonce, ciphertext }: Sealed, place: Place): Buffer {
  return decrypt(ciphertext, rowKey, nonce, contentBinding(place))
}

export function wrapKey(rowKey: Uint8Array, place: Place, kek: Kek, random: Random): Buffer {
  const nonce = random(NONCE_BYTES)
  return Buffer.concat([nonce, encrypt(rowKey, kek.bytes, nonce, wrapBinding(place, kek))])
}

/** Throws when it was changed, or belongs to another row or key-encryption key. */
export function unwrapKey(wrapped: Uint8Array, place: Place, kek: Kek): Buffer {
  return decrypt(
    wrapped.subarray(NONCE_BYTES),
    kek.bytes,
    wrapped.subarray(0, NONCE_BYTES),
    wrapBinding(place, kek),
  )
}

const contentBinding = ({ id, item }: Place) => Buffer.from(`key:${id}|item:${item}|v1`)
const wrapBinding = ({ id, item }: Place, kek: Kek) =>
  Buffer.from(`kek:${kek.id}|key:${id}|item:${item}|v1`)

// As an object of its own a key takes Node a third of the time that its bytes do.
function encrypt(
  content: Uint8Array,
  key: Uint8Array,
  nonce: Uint8Array,
  binding: Uint8Array,
): Buffer {
  const cipher = createCipheriv(CIPHER, createSecretKey(key), nonce, {
    authTagLength: TAG_BYTES,
  }).setAAD(binding)
  return Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()])
}

function decrypt(
  sealed: Uint8Array,
  key: Uint8Array,
  nonce: Uint8Array,
  binding: Uint8Array,
): Buffer {
  const tagAt = sealed.length - TAG_BYTES
  const decipher = createDecipheriv(CIPHER, createSecretKey(key), nonce, {
    authTagLength: TAG_BYTES,
  })
    .setAAD(binding)
    .setAuthTag(sealed.subarray(tagAt))
  return Buffer.concat([decipher.update(sealed.subarray(0, tagAt)), decipher.final()])
}
