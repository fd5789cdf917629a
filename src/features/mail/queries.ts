import type { Db } from '#platform/db.ts'
import type { MailAccount } from './rules.ts'
import { outgoingMail, type OutgoingMail } from './schema.ts'

/** Null when there is no such mail (any more). Throws when the row was not written by this program. */
export async function readMail(db: Db, id: string): Promise<OutgoingMail | null> {
  const row = await db
    .selectFrom('outgoing_mail')
    .select(['id', 'kind', 'account_id as accountId', 'recipient', 'language', 'params', 'created_at as createdAt', 'sent_at as sentAt'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? outgoingMail.parse(row) : null
}

const ACCOUNT = ['id', 'nickname', 'status', 'erase_at as eraseAt'] as const

export async function findAccount(db: Db, id: string): Promise<MailAccount | null> {
  const row = await db.selectFrom('account').select(ACCOUNT).where('id', '=', id).executeTakeFirst()
  return row ? asAccount(row) : null
}

/** The account that an address belongs to, also while it is being cancelled. */
export async function findAccountByAddress(db: Db, address: string): Promise<MailAccount | null> {
  const row = await db.selectFrom('account').select(ACCOUNT).where('email', '=', address.toLowerCase()).executeTakeFirst()
  return row ? asAccount(row) : null
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

function asAccount(row: { id: string; nickname: string | null; status: string; eraseAt: Date | null }): MailAccount {
  return { ...row, status: row.status as MailAccount['status'] }
}
