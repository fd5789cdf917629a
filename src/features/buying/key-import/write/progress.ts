import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { closeBatch, storeKeys, type SealedKey } from '#features/buying/vault/commands.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import {
  FAULTS_LISTED,
  KEPT_HOURS,
  IMPORT_DAYS,
  UPLOAD_IDLE_MINUTES,
  type ImportFault,
} from '../rules.ts'

export interface FoundFault {
  readonly line: number
  readonly fault: ImportFault
  readonly part?: string
  readonly sameAs?: number
}

/** What the look at one piece has found. */
export interface CheckedPiece {
  readonly no: number
  readonly lines: number
  readonly fresh: number
  readonly faults: readonly FoundFault[]
}

const countOf = (faults: readonly FoundFault[], kinds: readonly ImportFault[]) =>
  faults.filter(({ fault }) => kinds.includes(fault)).length

/** Notes what a piece holds. False where the import was cancelled, or the piece was noted before. */
export async function noteChecked(ctx: Ctx, id: string, piece: CheckedPiece): Promise<boolean> {
  const { no, lines, fresh, faults } = piece
  return transaction(ctx, async (tx, now) => {
    const { rows } = await sql<{ listed: number }>`
      update key_import set checked_chunks = ${no + 1}, checked_lines = checked_lines + ${lines}, fresh = fresh + ${fresh}, known = known + ${countOf(faults, ['known'])},
        doubled = doubled + ${countOf(faults, ['doubled'])}, expired = expired + ${countOf(faults, ['expired'])},
        malformed = malformed + ${countOf(faults, ['columns', 'part', 'date', 'too_long'])}, updated_at = ${now}
      where id = ${id} and status = 'checking' and checked_chunks = ${no}
      returning known + doubled + expired + malformed as listed`.execute(tx)
    const [row] = rows
    if (!row) return false
    const room = FAULTS_LISTED - (row.listed - faults.length)
    if (room > 0) await insertFaults(tx, id, faults.slice(0, room))
    return true
  })
}

async function insertFaults(tx: Tx, id: string, faults: readonly FoundFault[]): Promise<void> {
  if (faults.length === 0) return
  await sql`
    insert into key_import_fault (import_id, line, fault, part, same_as)
    select ${id}::uuid, * from unnest(${faults.map(({ line }) => line)}::integer[], ${faults.map(({ fault }) => fault)}::text[], ${faults.map(({ part }) => part ?? null)}::text[],
      ${faults.map(({ sameAs }) => sameAs ?? null)}::integer[])`.execute(tx)
}

/** Begins the look anew: the process that had begun it is gone, and with it what it had seen. */
export async function restartCheck(ctx: Ctx, id: string): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    await tx
      .updateTable('key_import')
      .set({
        checked_chunks: 0,
        checked_lines: 0,
        fresh: 0,
        known: 0,
        doubled: 0,
        malformed: 0,
        expired: 0,
        updated_at: now,
      })
      .where('id', '=', id)
      .where('status', '=', 'checking')
      .execute()
    await tx.deleteFrom('key_import_fault').where('import_id', '=', id).execute()
  })
}

export async function endCheck(ctx: Ctx, id: string): Promise<void> {
  await ctx.db
    .updateTable('key_import')
    .set({ status: 'checked', updated_at: ctx.now() })
    .where('id', '=', id)
    .where('status', '=', 'checking')
    .execute()
}

/**
 * Puts a piece's keys into stock and notes how far it has come, in one: whoever takes it up again begins with the next piece. False where
 * the import was cancelled, or the piece was taken before.
 */
export async function storeTaken(
  ctx: Ctx,
  id: string,
  {
    no,
    lines,
    keys,
  }: { readonly no: number; readonly lines: number; readonly keys: readonly SealedKey[] },
): Promise<boolean> {
  return transaction(ctx, async (tx, now) => {
    const mine = await tx
      .updateTable('key_import')
      .set({
        taken_chunks: no + 1,
        taken_lines: sql<number>`taken_lines + ${lines}`,
        updated_at: now,
      })
      .where('id', '=', id)
      .where('status', '=', 'taking')
      .where('taken_chunks', '=', no)
      .executeTakeFirst()
    if (mine.numUpdatedRows !== 1n) return false
    const stored = await storeKeys(tx, keys)
    await tx
      .updateTable('key_import')
      .set({
        taken: sql<number>`taken + ${stored}`,
        skipped: sql<number>`skipped + ${keys.length - stored}`,
      })
      .where('id', '=', id)
      .execute()
    return true
  })
}

/** Everything is in stock: the pieces go, and the trail tells what came in, in the name of who took it. */
export const endTaking = (ctx: Ctx, id: string): Promise<void> =>
  transaction(ctx, (tx, now) => closeImport(tx, id, 'done', now))

/** Its pieces cannot be opened: it ends, with what has come into stock. */
export const failImport = (ctx: Ctx, id: string): Promise<void> =>
  transaction(ctx, (tx, now) => closeImport(tx, id, 'failed', now))

/** Ends an import that is locked or being taken by nobody else; what has come into stock stays. */
export async function closeImport(
  tx: Tx,
  id: string,
  status: 'done' | 'cancelled' | 'failed',
  now: Date,
): Promise<void> {
  const row = await tx
    .updateTable('key_import')
    .set({ status, wrapped_key: null, kek_id: null, updated_at: now })
    .where('id', '=', id)
    .where('status', 'in', ['uploading', 'checking', 'checked', 'waiting', 'taking'])
    .returningAll()
    .executeTakeFirst()
  if (!row) return
  await tx.deleteFrom('key_import_chunk').where('import_id', '=', id).execute()
  if (row.batch_id === null || row.taken_by === null) return
  const refused = row.malformed + row.expired
  const counts = { imported: row.taken, duplicates: row.skipped, refused }
  await closeBatch({ db: tx }, row.batch_id, counts)
  await recordAudit(tx, { actor: row.taken_by, requestId: row.request_id }, now, [
    {
      action: 'import',
      subject: 'key_batch',
      subjectCode: row.batch_id,
      before: null,
      after: { file: row.file_name, ...counts, status },
    },
  ])
}

/** Uploads that nobody continues, and files that nobody takes, go with their pieces; what became of others goes after its term. */
export async function forgetImports(ctx: Ctx): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
    const { rows } = await sql<{ id: string }>`
      select id from key_import where (status = 'uploading' and updated_at < ${before(UPLOAD_IDLE_MINUTES)})
      or (status in ('checked','waiting') and updated_at < ${before(KEPT_HOURS * 60)}) for update skip locked`.execute(
      tx,
    )
    for (const { id } of rows) await closeImport(tx, id, 'cancelled', now)
    await tx
      .deleteFrom('key_import')
      .where('status', 'in', ['done', 'cancelled', 'failed'])
      .where('created_at', '<', before(IMPORT_DAYS * 24 * 60))
      .execute()
  })
}
