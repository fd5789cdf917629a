import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { present } from '#kernel/assert.ts'
import { refusal } from './refusal.ts'
import { secret } from './secret.ts'
import { placeSecretFile, replaceSecretFile } from './secret-file.ts'

/** One of the keys under which the keys of card keys are wrapped, with its number. */
export interface VaultKey {
  readonly id: number
  readonly bytes: Buffer
}

/** New card keys go under the current one; older ones open what was wrapped before a rotation. */
export interface VaultKeys {
  readonly current: VaultKey
  readonly byId: ReadonlyMap<number, VaultKey>
}

const KEY_BYTES = 32
const KEY_FILE = 'vault.key'
const LINE = /^([1-9][0-9]{0,8}):([A-Za-z0-9+/]{43}=)$/

/** The keys of VAULT_KEYS, or those of the data directory's file, made at the first use for this user alone. */
export function openVaultKeys(config: Pick<Config, 'vaultKeys' | 'dataDirectory'>): VaultKeys {
  if (config.vaultKeys) return parseVaultKeys(config.vaultKeys.reveal().split(','), 'VAULT_KEYS')
  const file = join(config.dataDirectory, KEY_FILE)
  if (!existsSync(file)) placeSecretFile(file, lineOf(1))
  return parseVaultKeys(readFileSync(file, 'utf8').trim().split('\n'), file)
}

/** The keys as `start` gives them to the process that keeps them. Those of a file are read anew each time. */
export function ownVaultKeys(): () => VaultKeys {
  const given = process.env.VAULT_KEYS
  const dataDirectory = present(process.env.DATA_DIR, 'DATA_DIR')
  return () => openVaultKeys({ vaultKeys: given ? secret(given) : undefined, dataDirectory })
}

/** Adds a key to the data directory's file, before any process wraps under it. @returns its number */
export function addVaultKey(config: Pick<Config, 'vaultKeys' | 'dataDirectory'>): number {
  if (config.vaultKeys)
    throw refusal(
      'All card keys are under the last key of VAULT_KEYS already. To rotate, add a new one at its end (number:key, the key from `openssl rand -base64 32`) on every machine, start the shop again there, and run this once more.',
    )
  const { current, byId } = openVaultKeys(config)
  const file = join(config.dataDirectory, KEY_FILE)
  const next = current.id + 1
  const lines = [...byId.values()].map(({ id, bytes }) => `${id}:${bytes.toString('base64')}`)
  replaceSecretFile(file, `${lines.join('\n')}\n${lineOf(next)}`)
  return next
}

/** Numbers with their keys in base64, ascending; the last is the current one. */
export function parseVaultKeys(lines: readonly string[], where: string): VaultKeys {
  const keys = lines
    .map((line) => LINE.exec(line.trim()))
    .map((match) => match && { id: Number(match[1]), bytes: Buffer.from(match[2] ?? '', 'base64') })
  const current = keys.at(-1)
  if (
    !current ||
    keys.some(
      (key, index) => key?.bytes.length !== KEY_BYTES || key.id <= (keys[index - 1]?.id ?? 0),
    )
  )
    throw refusal(
      `${where} must hold keys as number:key, numbers ascending, each key 32 bytes in base64. Put back what your backup has.`,
    )
  return { current, byId: new Map(keys.flatMap((key) => (key ? [[key.id, key]] : []))) }
}

/** Tells whether a key is the one that was used under its number, and says nothing else about it. */
export function checkValueOf({ id, bytes }: VaultKey): Buffer {
  return createHmac('sha256', bytes).update(`key-encryption key ${id}`).digest()
}

function lineOf(id: number): string {
  return `${id}:${randomBytes(KEY_BYTES).toString('base64')}\n`
}

/** For the process that keeps the keys, which has no ctx. */
export const randomForVault = (bytes: number): Buffer => randomBytes(bytes)
