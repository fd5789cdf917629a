import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import { operatorOf, POWERS, type PowerRow } from './read/role.ts'
import { SESSION_IDLE_MS, type Operator } from './rules.ts'

export interface ListedOperator extends Operator {
  readonly status: 'active' | 'disabled'
  readonly createdAt: Date
  readonly displayName: string
  readonly email: string | null
  readonly factors: readonly ('passkey' | 'code')[]
  /** Sessions that still count. */
  readonly sessions: number
  /** When a session of theirs was used last, as far as it is remembered. */
  readonly seenAt: Date | null
  /** Tokens in force. */
  readonly tokens: number
}

interface ListedRow extends PowerRow {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly status: 'active' | 'disabled'
  readonly created_at: Date
  readonly display_name: string | null
  readonly email: string | null
  readonly tokens: string
  readonly sessions: string
  readonly seen_at: Date | null
  readonly has_passkey: boolean
  readonly has_app: boolean
}

export async function listOperators(db: Db, now: Date): Promise<ListedOperator[]> {
  const { rows } = await sql<ListedRow>`
    select o.id, o.name, o.role, ${POWERS}, o.status, o.created_at, o.display_name, o.email,
      (select count(*) from operator_token t where t.operator_id = o.id and t.ended_at is null and t.expires_at > ${now}) as tokens,
      s.sessions, s.seen_at,
      exists (select from operator_passkey p where p.operator_id = o.id) as has_passkey,
      exists (select from operator_totp f where f.operator_id = o.id and f.confirmed_at is not null) as has_app
    from operator o join operator_role r on r.code = o.role
    cross join lateral (select count(*) filter (where expires_at > ${now} and seen_at > ${new Date(now.getTime() - SESSION_IDLE_MS)}) as sessions,
      max(seen_at) as seen_at from operator_session where operator_id = o.id) s
    order by o.name`.execute(db)
  return rows.map((row) => ({
    ...operatorOf(row),
    status: row.status,
    createdAt: row.created_at,
    displayName: row.display_name ?? row.name,
    email: row.email,
    tokens: Number(row.tokens),
    sessions: Number(row.sessions),
    seenAt: row.seen_at,
    factors: [
      ...(row.has_passkey ? (['passkey'] as const) : []),
      ...(row.has_app ? (['code'] as const) : []),
    ],
  }))
}

/** Whether anybody runs the shop yet. */
export async function hasOperators(db: Db): Promise<boolean> {
  return (await db.selectFrom('operator').select('id').limit(1).executeTakeFirst()) !== undefined
}

export {
  findCredentials,
  findOperator,
  findOperatorSession,
  listOperatorSessions,
} from './read/session.ts'
export {
  findOperatorPasskey,
  listCredentials,
  readFactors,
  waysOf,
  type FactorWay,
} from './read/factor.ts'
export { findRole, keyOfTotal, listRoles, type ListedRole } from './read/role.ts'
export { findInvitation, listInvitations } from './read/invitation.ts'
export {
  findColleague,
  listColleagues,
  listDueResets,
  listResets,
  listResetsBy,
} from './read/reset.ts'
export { listTokens } from './read/token.ts'
