import { present } from '#kernel/assert.ts'
import type { Ctx } from '#platform/ctx.ts'
import { openContent, sealUnder, type Place } from '../engine/envelope.ts'
import type { Vault } from '../engine/vault.ts'
import type { WrappedFileKey } from '../rules.ts'
import { registerVaultKeys } from './keyring.ts'

/** Names the file in what its pieces and their key are bound to. */
export interface FilePlace {
  readonly id: string
  readonly item: string
}

export interface SealedPiece {
  readonly nonce: Buffer
  readonly ciphertext: Buffer
}

const KEY_BYTES = 32
const placeOfFile = ({ id, item }: FilePlace): Place => ({ id: `file:${id}`, item })
const placeOfPiece = ({ id, item }: FilePlace, no: number): Place => ({
  id: `file:${id}:${no}`,
  item,
})

/** A key for a file's pieces. It is in this process for as long as the file streams in, and wrapped before the first piece is stored. */
export async function newFileKey(
  ctx: Pick<Ctx, 'db' | 'now' | 'random'>,
  vault: Vault,
  file: FilePlace,
): Promise<WrappedFileKey & { readonly fileKey: Uint8Array }> {
  const kekId = await registerVaultKeys(ctx, vault)
  const fileKey = ctx.random(KEY_BYTES)
  const [wrappedKey] = await vault.wrap(kekId, [{ ...placeOfFile(file), rowKey: fileKey }])
  return { fileKey, kekId, wrappedKey: present(wrappedKey, 'wrapped key') }
}

export async function openFileKey(
  vault: Vault,
  file: FilePlace,
  { wrappedKey, kekId }: WrappedFileKey,
): Promise<Uint8Array> {
  const [fileKey] = await vault.unwrap([{ ...placeOfFile(file), wrappedKey, kekId }])
  return present(fileKey, 'unwrapped key')
}

/** Each piece has a nonce of its own under the file's key, and opens at its own place alone. */
export function sealPiece(
  ctx: Pick<Ctx, 'random'>,
  fileKey: Uint8Array,
  file: FilePlace,
  no: number,
  text: string,
): SealedPiece {
  const place = placeOfPiece(file, no)
  const { nonce, ciphertext } = sealUnder(fileKey, Buffer.from(text), place, ctx.random)
  return { nonce, ciphertext }
}

export function openPiece(
  fileKey: Uint8Array,
  file: FilePlace,
  no: number,
  { nonce, ciphertext }: SealedPiece,
): string {
  return openContent({ rowKey: fileKey, nonce, ciphertext }, placeOfPiece(file, no)).toString(
    'utf8',
  )
}
