import { sql } from 'kysely'
import type { LanguageCode } from '#kernel/language.ts'
import { enqueue, transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { RECIPIENT_KEPT_DAYS, type MailKind, type MailParams } from './rules.ts'

export interface NewMail {
  readonly kind: MailKind
  /** Null where the mail is about no account, or where only sending it will find out. */
  readonly accountId: string | null
  readonly recipient: string
  readonly language: LanguageCode
  readonly params?: MailParams
}

/** A mail that is sent if and only if the caller's transaction is committed. Codes and links are made when it is sent. */
export async function postMail(tx: Tx, ctx: Pick<Ctx, 'newId' | 'now'>, mail: NewMail): Promise<void> {
  await postMails(tx, ctx, [mail])
}

/** Many at once, in two statements. */
export async function postMails(tx: Tx, ctx: Pick<Ctx, 'newId' | 'now'>, mails: readonly NewMail[]): Promise<void> {
  if (mails.length === 0) return
  const rows = mails.map((mail) => ({
    id: ctx.newId(), kind: mail.kind, account_id: mail.accountId, recipient: mail.recipient, language: mail.language,
    params: JSON.stringify(mail.params ?? {}), created_at: ctx.now(), sent_at: null,
  }))
  await tx.insertInto('outgoing_mail').values(rows).execute()
  await sql`select graphile_worker.add_job('send_mail', json_build_object('id', id), job_key => 'mail:' || id) from unnest(${rows.map(({ id }) => id)}::text[]) as mail (id)`.execute(tx)
}

/**
 * The last mail to somebody erased keeps no address once it is sent. The mark does not wait for the disk: should the server's machine
 * fail, one that is lost sends the mail again under the same Message-ID, as dying right before it would.
 */
export async function markSent(ctx: Pick<Ctx, 'db' | 'now'>, id: string): Promise<void> {
  const recipient = sql<string | null>`case when kind <> 'account_erased' then recipient end`
  await ctx.db.updateTable('outgoing_mail').set({ sent_at: ctx.now(), recipient }).where('id', '=', id).where('sent_at', 'is', null)
    .returning(sql`set_config('synchronous_commit', 'off', true)`.as('unwaited')).execute()
}

/** This mail will never be sent: an unsent row without an address says so. */
export async function giveUpMail(ctx: Pick<Ctx, 'db'>, id: string): Promise<void> {
  await ctx.db.updateTable('outgoing_mail').set({ recipient: null }).where('id', '=', id).where('sent_at', 'is', null).execute()
}

/** Longer than a try can take: what holds a job for this long has died. */
const LOST_AFTER_SECONDS = 180

/** Puts mails back on the queue whose worker died while sending them; the queue itself would wait for hours. */
export async function resumeMail(ctx: Ctx): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const before = new Date(now.getTime() - LOST_AFTER_SECONDS * 1_000)
    const { rows } = await sql<{ id: string }>`
      select mail.id from outgoing_mail mail left join graphile_worker.jobs job on job.key = 'mail:' || mail.id
      where mail.sent_at is null and mail.recipient is not null and mail.created_at < ${before} and (job.id is null or job.locked_at < ${before})`.execute(tx)
    for (const { id } of rows) await enqueue(tx, 'send_mail', { id }, `mail:${id}`)
  })
}

/** Takes away every mail of a person; a last one to tell of it is posted afterwards, without the account. */
export async function eraseMail(tx: Tx, accountId: string): Promise<void> {
  await tx
    .deleteFrom('outgoing_mail')
    .where((where) => where.or([
      where('account_id', '=', accountId),
      where('recipient', '=', where.selectFrom('account').select('email').where('id', '=', accountId)),
    ]))
    .execute()
}

/** Addresses are taken out of mails sent long ago, and of what nobody could send for as long. */
export async function cleanUpMail(ctx: Ctx): Promise<void> {
  await transaction(ctx, async (tx, now) => {
    const before = new Date(now.getTime() - RECIPIENT_KEPT_DAYS * 86_400_000)
    await sql`update outgoing_mail set recipient = null, params = '{}' where recipient is not null and coalesce(sent_at, created_at) < ${before}`.execute(tx)
  })
}
