import { sql } from 'kysely'
import { holdToDay, recordAct } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { wantSweep } from '#platform/sweep-runner.ts'
import { findGoodsFile, getGoodsFile } from './queries.ts'
import {
  FILE_FAULTS_LISTED,
  FILE_IDLE_MINUTES,
  FILE_NEEDS,
  FILE_SENT,
  FILES_A_DAY,
  FILES_OPEN_MOST,
  GOODS_FILE_KEPT_DAYS,
  GOODS_FILE_SWEEP,
  isIncoming,
  type FileFailure,
  type FileFault,
  type FileKind,
  type FileReport,
  type GoodsFile,
} from './rules.ts'

/** A file in somebody's hands: what writes of it does so only while it is theirs. */
export type HeldFile = Pick<GoodsFile, 'id' | 'worker'>

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** Throws 'forbidden', with the permission that is lacking. */
export function assertMayFile(ctx: OperatorCtx, kind: FileKind): void {
  for (const permission of FILE_NEEDS[kind]) requirePermission(ctx, permission)
}

export interface GivenFile {
  readonly kind: FileKind
  readonly fileName: string
  readonly mark: '.' | ',' | null
  readonly isOnSale: boolean
}

/** Begins a file. Throws 'still_running' where too many of the operator's are not over, 'too_many_requests' once the day's are used up. */
export async function beginFile(
  ctx: OperatorCtx,
  { kind, fileName, mark, isOnSale }: GivenFile,
): Promise<HeldFile & { readonly publicId: string }> {
  assertMayFile(ctx, kind)
  const made = { id: ctx.newId(), publicId: newPublicId(ctx), worker: null }
  await transaction(ctx, async (tx, now) => {
    await holdToDay(tx, ctx, FILE_SENT, FILES_A_DAY)
    const open = await tx
      .selectFrom('goods_file')
      .select('id')
      .where('operator_id', '=', ctx.operator.id)
      .where('finished_at', 'is', null)
      .execute()
    if (open.length >= FILES_OPEN_MOST) throw new AppError('still_running')
    await tx
      .insertInto('goods_file')
      .values({
        id: made.id,
        public_id: made.publicId,
        kind,
        state: isIncoming(kind) ? 'uploading' : 'waiting',
        file_name: fileName,
        mark,
        is_on_sale: isOnSale,
        operator_id: ctx.operator.id,
        token: ctx.operator.token ?? null,
        asked_at: now,
        changed_at: now,
      })
      .execute()
    await recordAct(tx, ctx, {
      action: FILE_SENT,
      subject: 'goods_file',
      subjectCode: made.publicId,
      after: { kind, file: fileName },
    })
  })
  if (!isIncoming(kind)) await wantSweep(ctx, GOODS_FILE_SWEEP)
  return made
}

/** Throws 'changed_meanwhile' where it is not the next one, or the file is not theirs any more. */
export async function storeFilePiece(
  ctx: Ctx,
  { id, worker }: HeldFile,
  no: number,
  content: Uint8Array,
): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const { numUpdatedRows } = await tx
      .updateTable('goods_file')
      .set({
        pieces: no + 1,
        bytes: sql`bytes + ${content.length}`,
        changed_at: now,
      })
      .where('id', '=', id)
      .where('worker', 'is not distinct from', worker)
      .where('pieces', '=', no)
      .where('finished_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new AppError('changed_meanwhile')
    await tx
      .insertInto('goods_file_piece')
      .values({ file_id: id, no, content: Buffer.from(content) })
      .execute()
  })
}

/** All of it is here: the worker looks at it. */
export async function endFileUpload(ctx: Ctx, id: string): Promise<void> {
  await ctx.db
    .updateTable('goods_file')
    .set({ state: 'waiting', changed_at: ctx.now() })
    .where('id', '=', id)
    .where('state', '=', 'uploading')
    .execute()
  await wantSweep(ctx, GOODS_FILE_SWEEP)
}

export async function dropFile(ctx: Ctx, id: string): Promise<void> {
  await ctx.db
    .deleteFrom('goods_file')
    .where('id', '=', id)
    .where('state', '=', 'uploading')
    .execute()
}

/** Has what was seen taken. Throws 'not_found', and 'changed_meanwhile' for a file that is not looked at, or was seen otherwise. */
export async function takeFile(
  ctx: OperatorCtx,
  { publicId, hash }: { readonly publicId: string; readonly hash: string },
): Promise<void> {
  const file = await getGoodsFile(ctx.db, publicId)
  assertMayFile(ctx, file.kind)
  await transaction(ctx, async (tx, now) => {
    const { numUpdatedRows } = await tx
      .updateTable('goods_file')
      .set({
        state: 'taking',
        step: 0,
        // It is done in the name, and by the powers, of whoever says so.
        operator_id: ctx.operator.id,
        token: ctx.operator.token ?? null,
        changed_at: now,
      })
      .where('id', '=', file.id)
      .where('state', '=', 'checked')
      .where('hash', '=', hash)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new AppError('changed_meanwhile')
    await recordAct(tx, ctx, {
      action: 'take',
      subject: 'goods_file',
      subjectCode: publicId,
      after: { file: file.fileName, hash },
    })
  })
  await wantSweep(ctx, GOODS_FILE_SWEEP)
}

/** Ends a file; what is done of it stays done. Throws 'not_found', and 'changed_meanwhile' for one that is over. */
export async function cancelFile(ctx: OperatorCtx, publicId: string): Promise<void> {
  const file = await getGoodsFile(ctx.db, publicId)
  assertMayFile(ctx, file.kind)
  await transaction(ctx, async (tx, now) => {
    const { numUpdatedRows } = await tx
      .updateTable('goods_file')
      .set({ state: 'cancelled', finished_at: now, changed_at: now })
      .where('id', '=', file.id)
      .where('finished_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new AppError('changed_meanwhile')
    await tx.deleteFrom('goods_file_piece').where('file_id', '=', file.id).execute()
    await recordAct(tx, ctx, {
      action: 'cancel',
      subject: 'goods_file',
      subjectCode: publicId,
      after: {},
    })
  })
}

/** Writes down that somebody takes a file away. Throws 'not_found', and 'changed_meanwhile' for one that is not whole. */
export async function takeAway(ctx: OperatorCtx, publicId: string) {
  const file = await getGoodsFile(ctx.db, publicId)
  assertMayFile(ctx, file.kind)
  if (file.hasCosts) requirePermission(ctx, 'price.read')
  if (file.state !== 'done' || isIncoming(file.kind)) throw new AppError('changed_meanwhile')
  await transaction(ctx, (tx) =>
    recordAct(tx, ctx, { action: 'take', subject: 'goods_file', subjectCode: publicId, after: {} }),
  )
  return file
}

/** Takes the next file that waits for the program into the hands of this process, out of whichever had it before; null for none. */
export async function takeGoodsFileWork(ctx: Pick<Ctx, 'db' | 'newId'>): Promise<GoodsFile | null> {
  const { rows } = await sql<{ publicId: string }>`
    update goods_file set worker = ${ctx.newId()} where finished_at is null and id = (
      select id from goods_file where finished_at is null and state in ('waiting','checking','taking') order by id limit 1
    ) returning public_id as "publicId"`.execute(ctx.db)
  return rows[0] ? findGoodsFile(ctx.db, rows[0].publicId) : null
}

interface Step {
  readonly step: number
  readonly steps: number
  readonly state?: 'checking' | 'taking'
  readonly report?: FileReport
}

/** Notes how far a file is. @returns false where it has been cancelled, or another process goes on with it */
export async function noteStep(ctx: Ctx, { id, worker }: HeldFile, given: Step): Promise<boolean> {
  const { step, steps, state, report } = given
  const { numUpdatedRows } = await ctx.db
    .updateTable('goods_file')
    .set({
      step,
      steps,
      changed_at: ctx.now(),
      ...(state ? { state } : {}),
      ...(report ? { report: JSON.stringify(report) } : {}),
    })
    .where('id', '=', id)
    .where('worker', 'is not distinct from', worker)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export interface Looked {
  readonly report: FileReport
  readonly faults: readonly FileFault[]
  /** Of all that would be done; empty where nothing would. */
  readonly hash: string
}

/** What a look has found. */
export async function endLook(
  ctx: Ctx,
  { id, worker }: HeldFile,
  { report, faults, hash }: Looked,
): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const { numUpdatedRows } = await tx
      .updateTable('goods_file')
      .set({ state: 'checked', step: 0, report: JSON.stringify(report), hash, changed_at: now })
      .where('id', '=', id)
      .where('worker', 'is not distinct from', worker)
      .where('finished_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await tx.deleteFrom('goods_file_fault').where('file_id', '=', id).execute()
    await insertFaults(tx, id, faults)
  })
}

async function insertFaults(tx: Tx, id: string, faults: readonly FileFault[]): Promise<void> {
  const rows = faults.slice(0, FILE_FAULTS_LISTED).map((fault, no) => ({
    file_id: id,
    no,
    line: fault.line,
    place: fault.place.slice(0, 300),
    shown: fault.shown.slice(0, 100),
    reason: fault.reason,
    why: fault.why === null ? null : fault.why.slice(0, 500) || null,
  }))
  if (rows.length > 0) await tx.insertInto('goods_file_fault').values(rows).execute()
}

/** It is over. Pieces of what came in are not needed any more. @returns false where it was before, or is not theirs any more */
export async function endFile(
  tx: Tx,
  now: Date,
  { id, worker }: HeldFile,
  end:
    | { readonly state: 'done'; readonly report: FileReport }
    | { readonly state: 'failed'; readonly failure: FileFailure },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('goods_file')
    .set({
      state: end.state,
      finished_at: now,
      changed_at: now,
      ...(end.state === 'done' ? { report: JSON.stringify(end.report) } : { failure: end.failure }),
    })
    .where('id', '=', id)
    .where('worker', 'is not distinct from', worker)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await sql`delete from goods_file_piece p using goods_file f where p.file_id = ${id} and f.id = p.file_id and f.kind in ('csv_in','folder_in')`.execute(
    tx,
  )
  return true
}

/** A file that is made begins anew: what another process had written of it goes. @returns false where it is not theirs any more */
export async function beginMaking(
  ctx: Ctx,
  { id, worker }: HeldFile,
  hasCosts: boolean,
): Promise<boolean> {
  return transaction(ctx, async (tx, now) => {
    const { numUpdatedRows } = await tx
      .updateTable('goods_file')
      .set({ pieces: 0, bytes: '0', state: 'taking', has_costs: hasCosts, changed_at: now })
      .where('id', '=', id)
      .where('worker', 'is not distinct from', worker)
      .where('finished_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await tx.deleteFrom('goods_file_piece').where('file_id', '=', id).execute()
    return true
  })
}

/** Takes away files a week after they were asked for, and uploads that nobody continues. */
export async function forgetGoodsFiles({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const before = (ms: number) => new Date(now().getTime() - ms)
  await db
    .deleteFrom('goods_file')
    .where('asked_at', '<', before(GOODS_FILE_KEPT_DAYS * DAY_MS))
    .where('state', '!=', 'taking')
    .execute()
  await db
    .deleteFrom('goods_file')
    .where('state', '=', 'uploading')
    .where('changed_at', '<', before(FILE_IDLE_MINUTES * MINUTE_MS))
    .execute()
}
