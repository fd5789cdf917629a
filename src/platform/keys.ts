import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { refusal } from './refusal.ts'
import { placeSecretFile } from './secret-file.ts'
import { secret, type Secret } from './secret.ts'

/** Keys of one program key, one for each purpose, so that a value made for one says nothing about another. */
export interface Keys {
  /** HMAC-SHA-256 of a text: 32 bytes. */
  readonly mac: (purpose: string, text: string) => Buffer
  /** AES-256-GCM: nonce (12 bytes), tag (16), ciphertext. */
  readonly seal: (purpose: string, bytes: Uint8Array) => Buffer
  /** Throws when the bytes were not sealed for this purpose under this key. */
  readonly open: (purpose: string, sealed: Uint8Array) => Buffer
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_FILE = 'secret.key'

/** @param programKey 32 bytes; every other key is derived from it (HKDF, RFC 5869) */
export function createKeys(programKey: Uint8Array): Keys {
  // Node takes several times as long over a key given as bytes.
  const derived = new Map<string, KeyObject>()
  const keyFor = (purpose: string) => {
    let key = derived.get(purpose)
    if (!key)
      derived.set(
        purpose,
        (key = createSecretKey(
          Buffer.from(hkdfSync('sha256', programKey, '', purpose, KEY_BYTES)),
        )),
      )
    return key
  }
  return {
    mac: (purpose, text) =>
      createHmac('sha256', keyFor(`mac ${purpose}`))
        .update(text)
        .digest(),
    seal(purpose, bytes) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyFor(`seal ${purpose}`), nonce)
      const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },
    open(purpose, sealed) {
      const decipher = createDecipheriv(
        'aes-256-gcm',
        keyFor(`seal ${purpose}`),
        sealed.subarray(0, NONCE_BYTES),
        { authTagLength: TAG_BYTES },
      )
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([
        decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)),
        decipher.final(),
      ])
    },
  }
}

/** Whether there is a key already: asking for it makes one where there is none. */
export function hasProgramKey({
  secretKey,
  dataDirectory,
}: Pick<Config, 'secretKey' | 'dataDirectory'>): boolean {
  return secretKey !== undefined || existsSync(join(dataDirectory, KEY_FILE))
}

export function openKeys(config: Pick<Config, 'secretKey' | 'dataDirectory'>): Keys {
  return createKeys(Buffer.from(programKey(config).reveal(), 'base64'))
}

/** The key of SECRET_KEY, or the one kept in the data directory, made at the first start for this user alone. In base64. */
export function programKey(config: Pick<Config, 'secretKey' | 'dataDirectory'>): Secret {
  return (
    config.secretKey ?? secret(storedKey(join(config.dataDirectory, KEY_FILE)).toString('base64'))
  )
}

function storedKey(file: string): Buffer {
  if (!existsSync(file)) placeSecretFile(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`)
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  if (key.length !== KEY_BYTES)
    throw refusal(
      `${file} does not hold a key of ${KEY_BYTES} bytes in base64. Put back the file from your backup.`,
    )
  return key
}
