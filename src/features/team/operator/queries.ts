import type { Db } from '#platform/db.ts'
import type { Operator } from './rules.ts'

export interface ListedOperator extends Operator {
  readonly status: 'active' | 'disabled'
  readonly createdAt: Date
  /** Tokens in force. */
  readonly tokens: number
}

export async function listOperators(db: Db, now: Date): Promise<ListedOperator[]> {
  const rows = await db
    .selectFrom('operator as o')
    .select(['o.id', 'o.name', 'o.role', 'o.status', 'o.created_at'])
    .select(({ selectFrom }) =>
      selectFrom('operator_token as t')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .whereRef('t.operator_id', '=', 'o.id')
        .where('t.ended_at', 'is', null)
        .where('t.expires_at', '>', now)
        .as('tokens'),
    )
    .orderBy('o.name')
    .execute()
  return rows.map(({ id, name, role, status, created_at: createdAt, tokens }) => ({
    id,
    name,
    role,
    status,
    createdAt,
    tokens: Number(tokens ?? 0),
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
  type SignedInOperator,
} from './read/session.ts'
export {
  findOperatorPasskey,
  hasFactor,
  listCredentials,
  readFactors,
  waysOf,
  type FactorWay,
  type OperatorFactors,
} from './read/factor.ts'
