import {
  newFileKey,
  noteLeaving,
  openFileKey,
  openQuarantined,
  sealPiece,
} from '#features/buying/vault/commands.ts'
import type { Vault } from '#features/buying/vault/engine/vault.ts'
import { getFormat } from '#features/buying/vault/queries.ts'
import { CSV_MARK, csvRow } from '#kernel/csv.ts'
import { AppError, isAppError } from '#kernel/error.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { failKeyExport, keepKeyExportKey, storeKeyExportPiece } from './commands.ts'
import { findKeyExportWork, type KeyExportWork } from './queries.ts'

/** Opened and sealed at once: so many, and fewer where they are pictures. */
const KEYS_A_PIECE = 250

/** Makes what was approved, a piece at a time; each is one transaction, so that a process that dies loses no more than that. */
export async function makeKeyExports(ctx: Ctx, vault: Vault, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const work = await findKeyExportWork(ctx.db)
    if (!work) return
    try {
      await makePiece(ctx, vault, work)
    } catch (error) {
      // Another worker is at it, or keys of it were put on sale: it is looked at anew.
      if (isAppError(error) && error.code === 'changed_meanwhile') return
      await failKeyExport(ctx, work.id)
      throw error
    }
  }
}

/** The key is kept before anything is sealed under it. */
async function keyOf(ctx: Ctx, vault: Vault, work: KeyExportWork): Promise<Uint8Array> {
  if (work.key) return openFileKey(vault, work, work.key)
  const { fileKey, ...wrapped } = await newFileKey(ctx, vault, work)
  if (await keepKeyExportKey(ctx, work.id, wrapped)) return fileKey
  throw new AppError('changed_meanwhile')
}

async function makePiece(ctx: Ctx, vault: Vault, work: KeyExportWork): Promise<void> {
  const fileKey = await keyOf(ctx, vault, work)
  // No more than was approved, whatever was kept back since.
  const limit = Math.min(KEYS_A_PIECE, work.asked - work.keys)
  const keys =
    limit > 0
      ? await openQuarantined(ctx, vault, { batch: work.batch, after: work.reached, limit })
      : []
  const last = keys.at(-1)?.id
  if (last === undefined) {
    await transaction(ctx, (tx) => storeKeyExportPiece(tx, ctx, work, null))
    return
  }
  const names = (await getFormat(ctx.db, work.item)).format.parts.map(({ name }) => name)
  const head = work.pieces === 0 ? CSV_MARK + csvRow([...names, 'expires_on']) : ''
  const rows = keys.map(({ parts, expiresOn }) =>
    csvRow([...names.map((name) => parts[name] ?? ''), expiresOn ?? '']),
  )
  const sealed = sealPiece(ctx, fileKey, work, work.pieces, head + rows.join(''))
  await transaction(ctx, async (tx) => {
    const piece = { ...sealed, keys: keys.length, last }
    if (!(await storeKeyExportPiece(tx, ctx, work, piece))) return
    await noteLeaving(tx, ctx, keys, { actor: work.askedBy, requestId: work.requestId })
  })
}
