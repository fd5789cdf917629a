import { sql } from 'kysely'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import type { SealedPiece } from '#features/buying/vault/commands.ts'
import type { WrappedFileKey } from '#features/buying/vault/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction } from '#platform/ctx.ts'
import type { LineChunk } from '../engine/text-stream.ts'
import { OPEN_MOST, type ImportTerms } from '../rules.ts'

export interface NewImport extends ImportTerms, WrappedFileKey {
  readonly id: string
  readonly item: string
  readonly fileName: string
}

/** Notes an import whose file begins to come. Throws 'too_many' open ones of the same operator as 'conflict'. */
export async function beginImport(ctx: OperatorCtx, file: NewImport): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`key_import ${ctx.actor}`}, 0))`.execute(
      tx,
    )
    const open = await tx
      .selectFrom('key_import')
      .select('id')
      .where('created_by', '=', ctx.actor)
      .where('status', 'in', ['uploading', 'checking', 'checked', 'waiting', 'taking'])
      .limit(OPEN_MOST)
      .execute()
    if (open.length >= OPEN_MOST) throw new AppError('conflict')
    await tx
      .insertInto('key_import')
      .values({
        id: file.id,
        item: file.item,
        status: 'uploading',
        file_name: file.fileName,
        supplier: file.supplier,
        cost_minor: file.cost?.minor ?? null,
        cost_currency: file.cost?.currency ?? null,
        expires_on: file.expiresOn,
        wrapped_key: file.wrappedKey,
        kek_id: file.kekId,
        created_at: now,
        created_by: ctx.actor,
        updated_at: now,
        request_id: ctx.requestId,
      })
      .execute()
  })
}

/** Stores the next piece of a file. Throws 'conflict' where it was cancelled meanwhile. */
export async function storePiece(
  ctx: OperatorCtx,
  id: string,
  no: number,
  { firstLine, lines, bytes }: LineChunk,
  { nonce, ciphertext }: SealedPiece,
): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const noted = await tx
      .updateTable('key_import')
      .set({ chunks: no + 1, lines: firstLine + lines - 1, bytes, updated_at: now })
      .where('id', '=', id)
      .where('status', '=', 'uploading')
      .executeTakeFirst()
    if (noted.numUpdatedRows !== 1n) throw new AppError('conflict')
    await tx
      .insertInto('key_import_chunk')
      .values({ import_id: id, no, first_line: firstLine, lines, nonce, ciphertext })
      .execute()
  })
}

/** The file is whole: the worker looks through it. */
export async function endUpload(ctx: OperatorCtx, id: string): Promise<void> {
  const noted = await ctx.db
    .updateTable('key_import')
    .set({ status: 'checking', updated_at: ctx.now() })
    .where('id', '=', id)
    .where('status', '=', 'uploading')
    .executeTakeFirst()
  if (noted.numUpdatedRows !== 1n) throw new AppError('conflict')
}

/** A file that broke off, or is none: nothing of it stays. */
export async function dropUpload(ctx: OperatorCtx, id: string): Promise<void> {
  await ctx.db
    .deleteFrom('key_import')
    .where('id', '=', id)
    .where('status', '=', 'uploading')
    .execute()
}
