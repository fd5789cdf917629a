import { openFileKey, openPiece } from '#features/buying/vault/commands.ts'
import type { Vault } from '#features/buying/vault/engine/vault.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import type { Ctx } from '#platform/ctx.ts'
import { dropKeyExportPieces, takeKeyExport, type TakenKeyExport } from './commands.ts'
import { readKeyExportPiece } from './queries.ts'

/** A file of keys as it goes out. */
export interface OutgoingKeys {
  readonly name: string
  readonly chunks: AsyncIterable<string>
}

/** Gives a file out, once, a piece at a time. Throws as `takeKeyExport` does. */
export async function giveOutKeys(
  ctx: OperatorCtx,
  vault: Vault,
  publicId: string,
): Promise<OutgoingKeys> {
  const taken = await takeKeyExport(ctx, publicId)
  const fileKey = await openFileKey(vault, taken, taken.key)
  const name = `${taken.itemCode.replaceAll(/[^a-z0-9.-]+/gi, '-')}.csv`
  return { name, chunks: piecesOf(ctx, taken, fileKey) }
}

async function* piecesOf(
  ctx: Ctx,
  file: TakenKeyExport,
  fileKey: Uint8Array,
): AsyncGenerator<string> {
  try {
    for (let no = 0; no < file.pieces; no += 1) {
      const piece = await readKeyExportPiece(ctx.db, file.id, no)
      // What is there of it must not pass for all of it.
      if (!piece) throw new Error(`piece ${no} of a file of keys is gone`)
      yield openPiece(fileKey, file, no, piece)
    }
  } finally {
    await dropKeyExportPieces(ctx, file.id)
  }
}
