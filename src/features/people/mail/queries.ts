import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import type { MailAccount } from './rules.ts'

const MAIL = [
  'id',
  'kind',
  'account_id as accountId',
  'recipient',
  'language',
  'params',
  'created_at as createdAt',
  'sent_at as sentAt',
] as const

/** Mails by id that were neither sent nor given up, as they are stored: each is still to be read by its shape. */
export async function listUnsent(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('outgoing_mail')
    .select(MAIL)
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .where('sent_at', 'is', null)
    .where('recipient', 'is not', null)
    .execute()
}

/** The accounts that mails are about, and those that addresses belong to, also while they are being cancelled. */
export interface KnownAccounts {
  readonly byId: ReadonlyMap<string, MailAccount>
  readonly byAddress: ReadonlyMap<string, MailAccount>
}

export async function readAccounts(
  db: Db,
  mails: readonly { readonly accountId: string | null; readonly recipient: string | null }[],
): Promise<KnownAccounts> {
  const ids = mails.flatMap(({ accountId }) => accountId ?? [])
  const addresses = mails.flatMap(({ recipient }) => recipient?.toLowerCase() ?? [])
  const { rows } = await sql<MailAccount & { readonly email: string | null }>`
    select id, nickname, status, erase_at as "eraseAt", email from account where id = any(${ids}::uuid[])
    union select id, nickname, status, erase_at, email from account where email = any(${addresses}::text[])`.execute(
    db,
  )
  const accounts = rows.map(({ email, ...account }) => ({ email, account }))
  return {
    byId: new Map(accounts.map(({ account }) => [account.id, account])),
    byAddress: new Map(
      accounts.flatMap(({ email, account }) => (email === null ? [] : [[email, account] as const])),
    ),
  }
}

/** Mails that still wait to be sent. */
export async function countWaiting(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('outgoing_mail')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('sent_at', 'is', null)
    .where('recipient', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** What was sent to a person, for the person's own copy of everything. */
export async function exportMail(db: Db, accountId: string): Promise<Record<string, unknown>[]> {
  return db
    .selectFrom('outgoing_mail')
    .select(['kind', 'recipient', 'language', 'params', 'created_at', 'sent_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute()
}
