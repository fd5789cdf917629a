import { sql } from 'kysely'
import type { LanguageCode } from '#kernel/language.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { sha256 } from '#platform/secrets.ts'
import { HANDLE_IDLE_MS, IDLE_MS, TOUCH_MS, type ListedSession, type Person } from './rules.ts'

/** What a call carries: the cookie of a browser, or the `token` parameter of another client. */
export interface Carried {
  readonly cookie: string | null
  readonly handle: string | null
}

/** 256 bits in base64url; anything else is not looked up. */
const SECRET = /^[A-Za-z0-9_-]{43}$/

/**
 * Who is signed in with what the call carries; null for nobody. The cookie decides alone where one is sent: an address
 * with somebody else's token in it changes nothing for a browser. Notes the use, at most once a minute.
 */
export async function findPerson(
  db: Db,
  ctx: Pick<Ctx, 'now'>,
  carried: Carried,
): Promise<Person | null> {
  const via = carried.cookie === null ? 'handle' : 'cookie'
  const secret = carried.cookie ?? carried.handle ?? ''
  if (!SECRET.test(secret)) return null
  const now = ctx.now()
  const row = await readPerson(db, via, sha256(secret), now)
  if (!row) return null
  const seenAt = via === 'cookie' ? row.seen_at : row.handle_seen_at
  if (now.getTime() - seenAt.getTime() >= TOUCH_MS) await touch(db, row.session_id, via, now)
  return {
    sessionId: row.session_id,
    via,
    provedAt: row.proved_at,
    accountId: row.account_id,
    userId: row.user_id,
    uid: row.uid,
    userName: row.user_name,
    nickname: row.nickname,
    email: row.email,
    mobile: row.mobile,
    mobileVerified: row.mobile_verified,
    avatar: row.avatar,
    language: row.language,
    roleId: row.role_id,
    registeredAt: row.registered_at,
    hasPassword: row.has_password,
  }
}

interface PersonRow {
  readonly session_id: string
  readonly seen_at: Date
  readonly handle_seen_at: Date
  readonly proved_at: Date
  readonly account_id: string
  readonly user_id: string
  readonly uid: string
  readonly user_name: string
  readonly nickname: string
  readonly email: string
  readonly mobile: string | null
  readonly mobile_verified: boolean
  readonly avatar: string | null
  readonly language: LanguageCode
  readonly role_id: number
  readonly registered_at: Date
  readonly has_password: boolean
}

async function readPerson(
  db: Db,
  via: Person['via'],
  hash: Buffer,
  now: Date,
): Promise<PersonRow | undefined> {
  const idleSince = new Date(now.getTime() - IDLE_MS)
  const matchesToken =
    via === 'cookie'
      ? sql`session.token_hash = ${hash}`
      : sql`session.handle_hash = ${hash} and session.handle_seen_at > ${new Date(now.getTime() - HANDLE_IDLE_MS)}`
  const { rows } = await sql<PersonRow>`
    select session.id as session_id, session.seen_at, session.handle_seen_at, session.proved_at,
      account.id as account_id, account.user_id, account.uid, account.user_name, account.nickname, account.email, account.mobile,
      account.mobile_verified_at is not null as mobile_verified, picture.public_id as avatar, account.language, account.role_id,
      account.registered_at, account.password_hash is not null as has_password
    from session
    join account on account.id = session.account_id and account.status = 'active'
    left join uploaded_picture picture on picture.id = account.avatar
    where ${matchesToken} and session.expires_at > ${now} and session.seen_at > ${idleSince}
  `.execute(db)
  return rows[0]
}

async function touch(db: Db, sessionId: string, via: Person['via'], now: Date): Promise<void> {
  await db
    .updateTable('session')
    .set(via === 'cookie' ? { seen_at: now } : { seen_at: now, handle_seen_at: now })
    .where('id', '=', sessionId)
    .where(via === 'cookie' ? 'seen_at' : 'handle_seen_at', '<', now)
    .execute()
}

/** Where the account is signed in, the device used last first. */
export async function listSessions(
  db: Db,
  ctx: Pick<Ctx, 'now'>,
  person: Pick<Person, 'accountId' | 'sessionId'>,
): Promise<ListedSession[]> {
  const now = ctx.now()
  const rows = await db
    .selectFrom('session')
    .select(['id', 'public_id', 'browser', 'system', 'network', 'created_at', 'seen_at'])
    .where('account_id', '=', person.accountId)
    .where('expires_at', '>', now)
    .where('seen_at', '>', new Date(now.getTime() - IDLE_MS))
    .orderBy('seen_at', 'desc')
    .limit(100)
    .execute()
  return rows.map((row) => ({
    id: row.public_id,
    browser: row.browser,
    system: row.system,
    network: row.network,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    current: row.id === person.sessionId,
  }))
}

/** What the shop keeps about where the person signed in. */
export async function exportSession(db: Db, accountId: string): Promise<Record<string, unknown>[]> {
  const rows = await db
    .selectFrom('session')
    .select(['browser', 'system', 'network', 'created_at', 'seen_at', 'expires_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({
    browser: row.browser,
    system: row.system,
    network: row.network,
    signed_in_at: row.created_at.toISOString(),
    seen_at: row.seen_at.toISOString(),
    ends_at: row.expires_at.toISOString(),
  }))
}

/** Whether a session's row is still there. */
export async function isSessionThere(db: Db, sessionId: string): Promise<boolean> {
  return (
    (await db.selectFrom('session').select('id').where('id', '=', sessionId).executeTakeFirst()) !==
    undefined
  )
}
