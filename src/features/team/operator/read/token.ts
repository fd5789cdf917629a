import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import { PERMISSIONS, type Permission } from '../rules.ts'

/** What a token `t` is called where it is listed: of its hash's hash, which leads to neither. */
export const TOKEN_ID = sql<string>`left(translate(encode(sha256(t.digest), 'base64'), '+/', '-_'), 22)`

export interface ListedToken {
  readonly id: string
  readonly operator: string
  readonly label: string
  /** Null for all that its operator may do. */
  readonly permissions: readonly Permission[] | null
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly lastUsedAt: Date | null
}

/** Tokens in force, newest first: of one operator, or of all. */
export async function listTokens(
  db: Db,
  now: Date,
  operatorId: string | null,
): Promise<ListedToken[]> {
  const rows = await db
    .selectFrom('operator_token as t')
    .innerJoin('operator as o', 'o.id', 't.operator_id')
    .select([
      'o.name',
      't.label',
      't.permissions',
      't.created_at',
      't.expires_at',
      't.last_used_at',
      TOKEN_ID.as('id'),
    ])
    .where('t.ended_at', 'is', null)
    .where('t.expires_at', '>', now)
    .$if(operatorId !== null, (query) => query.where('t.operator_id', '=', operatorId ?? ''))
    .orderBy('t.created_at', 'desc')
    .orderBy('t.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    operator: row.name,
    label: row.label,
    permissions: row.permissions && PERMISSIONS.filter((one) => row.permissions?.includes(one)),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }))
}
