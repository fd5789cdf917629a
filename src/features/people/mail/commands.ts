import { sql } from 'kysely'
import { AppError } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { enqueue, transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { batchWrites } from '#platform/batched-writes.ts'
import { requestFlags } from '#platform/request-scope.ts'
import { MAIL_KINDS, RECIPIENT_KEPT_DAYS, type MailKind, type MailParams } from './rules.ts'

export interface NewMail {
  readonly kind: MailKind
  /** Null where the mail is about no account, or where only sending it will find out. */
  readonly accountId: string | null
  readonly recipient: string
  readonly language: LanguageCode
  readonly params?: MailParams
}

/** A mail that is sent if and only if the caller's transaction is committed. Codes and links are made when it is sent. */
export async function postMail(
  tx: Tx,
  ctx: Pick<Ctx, 'newId' | 'now'>,
  mail: NewMail,
): Promise<void> {
  await postMails(tx, ctx, [mail])
}

/** Few enough that one job is done with all of them long before it would count as lost. */
const MAILS_A_JOB = 16

/** Many at once, in two statements; some of them share a job, as a job costs more than what it does. */
export async function postMails(
  tx: Tx,
  ctx: Pick<Ctx, 'newId' | 'now'>,
  mails: readonly NewMail[],
): Promise<void> {
  if (mails.length === 0) return
  const ids = mails.map(() => ctx.newId())
  const jobOf = (index: number) => `mail:${ids[index - (index % MAILS_A_JOB)]}`
  await tx
    .insertInto('outgoing_mail')
    .values(
      mails.map((mail, index) => ({
        id: ids[index] ?? '',
        kind: mail.kind,
        account_id: mail.accountId,
        recipient: mail.recipient,
        language: mail.language,
        params: JSON.stringify(mail.params ?? {}),
        created_at: ctx.now(),
        sent_at: null,
        job_key: jobOf(index),
      })),
    )
    .execute()
  const jobs = [...Map.groupBy(ids.keys(), jobOf)].map(([key, members]) => ({
    key,
    payload: { ids: members.map((index) => ids[index]) },
  }))
  await sql`select graphile_worker.add_job('send_mail', payload, job_key => key, flags => ${requestFlags()}::text[]) from json_to_recordset(${JSON.stringify(jobs)}::json) as job (key text, payload json)`.execute(
    tx,
  )
}

/**
 * Posts a mail of an account once more, to the address it has by now. Throws 'not_found' for one that is not the account's, or of a kind
 * that may not be repeated. @returns its kind
 */
export async function repeatMail(
  tx: Tx,
  ctx: Pick<Ctx, 'newId' | 'now'>,
  {
    accountId,
    mail,
    recipient,
    may,
  }: {
    readonly accountId: string
    readonly mail: string
    readonly recipient: string
    readonly may: (kind: MailKind) => boolean
  },
): Promise<MailKind> {
  const row = await tx
    .selectFrom('outgoing_mail')
    .select(['kind', 'language', 'params'])
    .where('id', '=', mail)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const kind = MAIL_KINDS.find((one) => one === row?.kind)
  if (!row || kind === undefined || !may(kind)) throw new AppError('not_found')
  const params = row.params as MailParams
  await postMail(tx, ctx, { kind, accountId, recipient, language: row.language, params })
  return kind
}

/**
 * Sends the newest mail of a kind about an order once more, to the address its shopper has by now. Throws 'not_found' where there is none, or
 * nobody left to read it.
 */
export async function sendAgain(
  tx: Tx,
  ctx: Pick<Ctx, 'newId' | 'now'>,
  {
    accountId,
    order,
    kind,
  }: { readonly accountId: string; readonly order: string; readonly kind: MailKind },
): Promise<void> {
  const { rows } = await sql<{ language: LanguageCode; params: MailParams; email: string | null }>`
    select m.language, m.params, a.email from outgoing_mail m join account a on a.id = m.account_id
    where m.account_id = ${accountId} and m.kind = ${kind} and m.params->'order'->>'id' = ${order} and a.status = 'active'
    order by m.created_at desc, m.id desc limit 1`.execute(tx)
  const mail = rows[0]
  if (!mail?.email) throw new AppError('not_found')
  const { language, params, email: recipient } = mail
  await postMail(tx, ctx, { kind, accountId, recipient, language, params })
}

const MARKS_A_TRIP = 32

/**
 * The last mail to somebody erased keeps no address once it is sent. The mark does not wait for the disk: should the server's machine
 * fail, one that is lost sends the mail again under the same Message-ID, as dying right before it would.
 */
export async function markSent(ctx: Pick<Ctx, 'db' | 'now'>, id: string): Promise<void> {
  await mark(ctx.db, { id, at: ctx.now() })
}

const mark = batchWrites(
  MARKS_A_TRIP,
  async (db, sent: readonly { readonly id: string; readonly at: Date }[]) => {
    await sql`
    update outgoing_mail set sent_at = sent.at, recipient = case when kind <> 'account_erased' then recipient end
    from unnest(${sent.map(({ id }) => id)}::uuid[], ${sent.map(({ at }) => at)}::timestamptz[]) as sent (id, at) where outgoing_mail.id = sent.id and sent_at is null
    returning set_config('synchronous_commit', 'off', true)`.execute(db)
    return sent.map(() => undefined)
  },
)

/** This mail will never be sent: an unsent row without an address says so. */
export async function giveUpMail(ctx: Pick<Ctx, 'db'>, id: string): Promise<void> {
  await ctx.db
    .updateTable('outgoing_mail')
    .set({ recipient: null })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .execute()
}

/** Longer than a try can take: what holds a job for this long has died. */
const LOST_AFTER_SECONDS = 180

/** Puts mails back on the queue whose worker died while sending them; the queue itself would wait for hours. */
export async function resumeMail(ctx: Ctx): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const before = new Date(now.getTime() - LOST_AFTER_SECONDS * 1_000)
    const { rows } = await sql<{ id: string }>`
      with lost as (
        select mail.id from outgoing_mail mail left join graphile_worker.jobs job on job.key = coalesce(mail.job_key, 'mail:' || mail.id)
        where mail.sent_at is null and mail.recipient is not null and mail.created_at < ${before} and (job.id is null or job.locked_at < ${before})
      )
      update outgoing_mail set job_key = 'mail:' || outgoing_mail.id from lost where outgoing_mail.id = lost.id returning outgoing_mail.id`.execute(
      tx,
    )
    for (const { id } of rows) await enqueue(tx, 'send_mail', { ids: [id] }, `mail:${id}`)
  })
}

/** Has mails tried now that are neither sent nor given up, and that no worker is sending. @returns the ids of those */
export async function requeueMails(tx: Tx, ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string; job: string | null }>`
    select m.id, j.id::text as job from outgoing_mail m left join graphile_worker.jobs j on j.key = coalesce(m.job_key, 'mail:' || m.id)
    where m.id = any(${[...ids]}::uuid[]) and m.sent_at is null and m.recipient is not null and j.locked_at is null order by m.id for update of m`.execute(
    tx,
  )
  const jobs = [...new Set(rows.flatMap(({ job }) => job ?? []))]
  await sql`select graphile_worker.reschedule_jobs(${jobs}::bigint[], run_at => now(), attempts => 0)`.execute(
    tx,
  )
  // Whose job is lost gets one of its own.
  for (const { id } of rows.filter(({ job }) => job === null)) {
    await sql`update outgoing_mail set job_key = 'mail:' || id where id = ${id}`.execute(tx)
    await enqueue(tx, 'send_mail', { ids: [id] }, `mail:${id}`)
  }
  return rows.map(({ id }) => id)
}

/** Takes away every mail of a person; a last one to tell of it is posted afterwards, without the account. */
export async function eraseMail(tx: Tx, accountId: string): Promise<void> {
  await tx
    .deleteFrom('outgoing_mail')
    .where((where) =>
      where.or([
        where('account_id', '=', accountId),
        where(
          'recipient',
          '=',
          where.selectFrom('account').select('email').where('id', '=', accountId),
        ),
      ]),
    )
    .execute()
}

/** Of one statement; what is left is the next one's. */
const REMOVED_AT_ONCE = 5_000

/** Takes away what was sent long ago, and what nobody could send for as long. Ids are in the order of time, and have an index. */
export async function cleanUpMail(ctx: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const before = new Date(ctx.now().getTime() - RECIPIENT_KEPT_DAYS * 86_400_000)
  for (let gone = 1n; gone > 0n; ) {
    const { numAffectedRows = 0n } = await sql`delete from outgoing_mail where id in (
      select id from outgoing_mail where created_at < ${before} and id < (select uuidv7(${before}::timestamptz - now() + interval '1 minute')) order by id limit ${REMOVED_AT_ONCE})`.execute(
      ctx.db,
    )
    gone = numAffectedRows
  }
}
