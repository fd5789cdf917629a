import { sql } from 'kysely'
import { postMail } from '#features/people/mail/commands.ts'
import type { AlertLabel, MailAlert } from '#features/people/mail/rules.ts'
import { dayOf } from '#kernel/day.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'

interface Looks {
  readonly count: number
  readonly since: Date | null
}

/** Tells every owner who has an address of something, at once. @returns to how many */
export async function tellOwners(
  tx: Tx,
  ctx: Ctx,
  label: AlertLabel,
  { count, since }: { readonly count: number; readonly since: Date },
  state: MailAlert['state'] = 'begun',
): Promise<number> {
  const owners = await sql<{ email: string; language: LanguageCode }>`
    select email, language from operator where role = 'owner' and status = 'active' and email is not null order by id`.execute(
    tx,
  )
  for (const { email, language } of owners.rows)
    await postMail(tx, ctx, {
      kind: 'shop_alert',
      accountId: null,
      recipient: email,
      language,
      params: {
        alert: { state, matters: [{ label, count, added: 0, since: since.toISOString() }] },
      },
    })
  return owners.rows.length
}

/** Tells every owner that one person changed what takes two where there are two: alone, or by a command. What it was stands in the audit. */
export async function tellOfAlone(tx: Tx, ctx: Ctx, now: Date): Promise<void> {
  await tellOwners(tx, ctx, 'changed_alone', { count: 1, since: now })
}

/**
 * Tells every owner who has an address that operators looked at codes the day before, once a day; which, by whom and why stands in the audit.
 * @returns to how many
 */
export async function tellOfLooks(ctx: Ctx): Promise<number> {
  return transaction(ctx, async (tx, now) => {
    const today = sql`${dayOf(now)}::date::timestamp at time zone 'UTC'`
    const { rows } = await sql<Looks>`
      select count(*)::integer as count, min(at) as since from audit_log where action = 'key_seen' and at >= ${today} - interval '1 day' and at < ${today}`.execute(
      tx,
    )
    const { count = 0, since = null } = rows[0] ?? {}
    if (count === 0 || since === null) return 0
    return tellOwners(tx, ctx, 'keys_seen', { count, since }, 'digest')
  })
}
