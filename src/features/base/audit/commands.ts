import { sql } from 'kysely'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { currentRequest, type RequestScope } from '#platform/request-scope.ts'
import { takePageReads } from './write/bulk.ts'

export { countPageRead } from './write/bulk.ts'
export { holdToDay } from './write/day-cap.ts'
export { createSealer } from './write/seal.ts'

/** One change, told with the changed fields only. `before` is null on creation, `after` on removal. */
export interface AuditEntry {
  /** create, update, suspend, resume, rename, remove … */
  readonly action: string
  /** The kind of thing: a table's name, mostly. */
  readonly subject: string
  readonly subjectCode: string
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

/** What somebody did to one thing, where nothing that it was before is worth a word. */
export interface AuditedAct extends Pick<AuditEntry, 'action' | 'subject' | 'subjectCode'> {
  readonly after: Readonly<Record<string, string>>
}

export const recordAct = (
  tx: Tx,
  ctx: Pick<Ctx, 'actor' | 'requestId' | 'now'>,
  act: AuditedAct,
): Promise<void> => recordAudit(tx, ctx, ctx.now(), [{ ...act, before: null }])

/** A page that is open is made anew whenever something in the shop changes: within so long that is one look. */
const LOOK_MS = 600_000

/** Somebody looks at what is secret or personal: one line, however often the same page is made anew while they do. */
export async function recordLook(
  tx: Tx,
  ctx: Pick<Ctx, 'actor' | 'requestId' | 'now'>,
  act: AuditedAct,
): Promise<void> {
  const since = new Date(ctx.now().getTime() - LOOK_MS)
  const known = await tx
    .selectFrom('audit_log')
    .select('id')
    .where('subject', '=', act.subject)
    .where('subject_code', '=', act.subjectCode)
    .where('at', '>', since)
    .where('actor', '=', ctx.actor)
    .where('action', '=', act.action)
    .limit(1)
    .executeTakeFirst()
  if (!known) await recordAct(tx, ctx, act)
}

/** Requests that have written to the trail. */
const audited = new WeakSet<RequestScope>()

/** Whether the request that is being answered has left a line in the trail. */
export function hasAudited(): boolean {
  const request = currentRequest()
  return request !== undefined && audited.has(request)
}

/** The server reads this many rows from one text at a time. */
const BATCH = 5_000

/** Writes to the append-only trail, in the transaction of the changes it tells of; the database gives each row its id. */
export async function recordAudit(
  tx: Tx,
  ctx: Pick<Ctx, 'actor' | 'requestId'>,
  at: Date,
  entries: readonly AuditEntry[],
): Promise<void> {
  const request = currentRequest()
  if (request && entries.length > 0) audited.add(request)
  const network = request?.network ?? ''
  for (let start = 0; start < entries.length; start += BATCH) {
    const rows = entries.slice(start, start + BATCH).map((entry) => ({
      action: entry.action,
      subject: entry.subject,
      subject_code: entry.subjectCode,
      before: entry.before,
      after: entry.after,
    }))
    await sql`insert into audit_log (id, at, actor, network, request_id, action, subject, subject_code, before, after)
      select uuidv7(), ${at}, ${ctx.actor}, ${network}, ${ctx.requestId}, action, subject, subject_code, before, after
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as entry
        (action text, subject text, subject_code text, before jsonb, after jsonb)`.execute(tx)
  }
}

const READS_AT_ONCE = 500

/** Writes down what was read of people in hours that are over, each hour of a token once. @returns how many lines those are */
export async function tellPageReads(ctx: Ctx): Promise<number> {
  for (let told = 0; ; ) {
    const count = await transaction(ctx, async (tx, now) => {
      const reads = await takePageReads(tx, now, READS_AT_ONCE)
      for (const { actor, token, call, hour, calls, rows } of reads) {
        const after = { hour: hour.toISOString(), calls, rows: Number(rows), token: token || null }
        await recordAudit(tx, { actor, requestId: ctx.requestId }, now, [
          { action: 'read_pages', subject: 'console', subjectCode: call, before: null, after },
        ])
      }
      return reads.length
    })
    told += count
    if (count < READS_AT_ONCE) return told
  }
}
