import { newFileKey, requireCurrency, sealPiece } from '#features/buying/vault/commands.ts'
import type { Vault } from '#features/buying/vault/engine/vault.ts'
import { findStockable } from '#features/buying/vault/queries.ts'
import { arePictures, type KeyFormat } from '#features/buying/vault/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { dayOf, isDay } from '#kernel/day.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { beginImport, dropUpload, endUpload, storePiece } from './commands.ts'
import { ARCHIVE_MARK, picturesOf } from './engine/picture-archive.ts'
import { chunksOf } from './engine/text-stream.ts'
import { FILE_MAX_BYTES, type ImportTerms } from './rules.ts'

export interface IncomingFile extends ImportTerms {
  readonly itemCode: string
  readonly fileName: string
  /** What the sender says; null where it says nothing. */
  readonly declaredBytes: number | null
  readonly bytes: AsyncIterable<Uint8Array>
}

/**
 * Takes in a file of keys: sealed a piece at a time as it streams in, so that no more than a piece of it is ever in memory, and nothing of it
 * in the clear anywhere else. Throws 'invalid_input' for an item that is not sold as a key, a currency or day that will not do and a file
 * without lines, 'too_large' before reading where the sender says so, 'upload_format' for what is no text, 'conflict' where too many are open.
 * @returns the import's id
 */
export async function receiveImport(
  ctx: OperatorCtx,
  vault: Vault,
  file: IncomingFile,
): Promise<string> {
  requirePermission(ctx, 'key.import')
  if ((file.declaredBytes ?? 0) > FILE_MAX_BYTES) throw new AppError('too_large')
  const stockable = await findStockable(ctx.db, file.itemCode)
  if (!stockable) throw fieldError('item', 'not_allowed')
  if (file.cost) await requireCurrency(ctx.db, file.cost.currency)
  const { expiresOn } = file
  if (expiresOn !== null && (!isDay(expiresOn) || expiresOn <= dayOf(ctx.now())))
    throw fieldError('expires_on', 'not_allowed')
  const place = { id: ctx.newId(), item: stockable.item }
  const { fileKey, ...wrapped } = await newFileKey(ctx, vault, place)
  const { supplier, cost, fileName } = file
  await beginImport(ctx, { ...place, ...wrapped, supplier, cost, expiresOn, fileName })
  try {
    let no = 0
    for await (const chunk of chunksOf(await linesIn(file.bytes, stockable))) {
      const sealed = sealPiece(ctx, fileKey, place, no, chunk.text)
      await storePiece(ctx, place.id, no, chunk, sealed)
      no += 1
    }
    if (no === 0) throw fieldError('file', 'required')
    await endUpload(ctx, place.id)
    return place.id
  } catch (error) {
    await dropUpload(ctx, place.id)
    throw error
  }
}

/** A file as it is, or the pictures of an archive where keys of the brand are pictures alone. */
async function linesIn(
  bytes: AsyncIterable<Uint8Array>,
  { format }: { readonly format: KeyFormat },
): Promise<AsyncIterable<Uint8Array>> {
  if (!arePictures(format)) return bytes
  const pieces = bytes[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  let isOver = false
  while (head.length < ARCHIVE_MARK.length && !isOver) {
    const next = await pieces.next()
    if (next.done) isOver = true
    else head = Buffer.concat([head, next.value])
  }
  const all = restOf(head, pieces)
  return ARCHIVE_MARK.every((byte, at) => head[at] === byte) ? picturesOf(all) : all
}

async function* restOf(
  head: Uint8Array,
  pieces: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value
}
