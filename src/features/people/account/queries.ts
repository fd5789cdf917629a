import { sql } from 'kysely'
import { AppError } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Db } from '#platform/db.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Account, AccountName, AccountStatus } from './rules.ts'

const COLUMNS = [
  'id',
  'user_name',
  'nickname',
  'email',
  'password_hash',
  'language',
  'status',
] as const

interface AccountRow {
  readonly id: string
  readonly user_name: string | null
  readonly nickname: string | null
  readonly email: string | null
  readonly password_hash: string | null
  readonly language: LanguageCode
  readonly status: AccountStatus
}

/** The account that somebody means by an e-mail address or a user name, whatever its status but erased. */
export async function findAccount(db: Db | Tx, name: AccountName): Promise<Account | null> {
  const query = db.selectFrom('account').select(COLUMNS)
  const row = await (name.kind === 'email'
    ? query.where('email', '=', name.text)
    : query.where(sql`lower(user_name)`, '=', name.text)
  ).executeTakeFirst()
  return toAccount(row)
}

/** Whoever may buy under an e-mail address. Throws 'not_found'. */
export async function getBuyer(db: Db | Tx, email: string): Promise<Account> {
  const account = await findAccount(db, { kind: 'email', text: email.toLowerCase() })
  if (account?.status !== 'active') throw new AppError('not_found')
  return account
}

export async function findAccountById(db: Db | Tx, id: string): Promise<Account | null> {
  return toAccount(
    await db.selectFrom('account').select(COLUMNS).where('id', '=', id).executeTakeFirst(),
  )
}

/** Keeps a password from being changed until the transaction ends. @returns false where it is another one by now */
export async function lockPassword(
  tx: Tx,
  { id, passwordHash }: Pick<Account, 'id' | 'passwordHash'>,
): Promise<boolean> {
  return (
    (await tx
      .selectFrom('account')
      .select('id')
      .where('id', '=', id)
      .where('password_hash', '=', passwordHash)
      .forShare()
      .executeTakeFirst()) !== undefined
  )
}

function toAccount(row: AccountRow | undefined): Account | null {
  if (!row || row.user_name === null || row.nickname === null || row.email === null) return null
  return {
    id: row.id,
    userName: row.user_name,
    nickname: row.nickname,
    email: row.email,
    passwordHash: row.password_hash,
    language: row.language,
    status: row.status,
  }
}

/** The person's own data, as their export gives it. */
export async function exportAccount(db: Db, accountId: string): Promise<Record<string, unknown>[]> {
  const row = await db
    .selectFrom('account')
    .selectAll()
    .where('id', '=', accountId)
    .executeTakeFirst()
  if (!row) return []
  return [
    {
      uid: row.uid,
      user_id: row.user_id,
      user_name: row.user_name,
      nickname: row.nickname,
      email: row.email,
      email_verified_at: row.email_verified_at?.toISOString() ?? null,
      mobile: row.mobile,
      mobile_verified_at: row.mobile_verified_at?.toISOString() ?? null,
      password_changed_at: row.password_changed_at?.toISOString() ?? null,
      language: row.language,
      role_id: row.role_id,
      registered_at: row.registered_at.toISOString(),
      cancel_requested_at: row.cancel_requested_at?.toISOString() ?? null,
    },
  ]
}
