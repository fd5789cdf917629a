import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto'

/** AES-256-GCM under a key of the row's own, which is wrapped by the key-encryption key. Both are bound to the row. */
export interface Envelope {
  readonly nonce: Buffer
  /** The tag (16 bytes) is its end. */
  readonly ciphertext: Buffer
  /** Nonce (12), the row's key encrypted (32), tag (16). */
  readonly wrappedKey: Buffer
  readonly kekId: number
}

/** Which row an envelope belongs to: moved to another one, it does not open. */
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

export function seal(content: Uint8Array, place: Place, kek: Kek, random: Random): Envelope {
  const rowKey = random(KEY_BYTES)
  const nonce = Buffer.from(random(NONCE_BYTES))
  return {
    nonce,
    ciphertext: encrypt(content, rowKey, nonce, contentBinding(place)),
    wrappedKey: wrap(rowKey, place, kek, random),
    kekId: kek.id,
  }
}

/** Throws when anything of the envelope was changed, or it belongs to another row or key. */
export function open(envelope: Envelope, place: Place, kek: Kek): Buffer {
  return decrypt(
    envelope.ciphertext,
    unwrap(envelope, place, kek),
    envelope.nonce,
    contentBinding(place),
  )
}

/** The same row's key under another key-encryption key. What it encrypts is not looked at. */
export function rewrap(
  envelope: Pick<Envelope, 'wrappedKey' | 'kekId'>,
  place: Place,
  from: Kek,
  to: Kek,
  random: Random,
): Pick<Envelope, 'wrappedKey' | 'kekId'> {
  return { wrappedKey: wrap(unwrap(envelope, place, from), place, to, random), kekId: to.id }
}

function wrap(rowKey: Uint8Array, place: Place, kek: Kek, random: Random): Buffer {
  const nonce = random(NONCE_BYTES)
  return Buffer.concat([nonce, encrypt(rowKey, kek.bytes, nonce, wrapBinding(place, kek))])
}

function unwrap({ wrappedKey }: Pick<Envelope, 'wrappedKey'>, place: Place, kek: Kek): Buffer {
  return decrypt(
    wrappedKey.subarray(NONCE_BYTES),
    kek.bytes,
    wrappedKey.subarray(0, NONCE_BYTES),
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
