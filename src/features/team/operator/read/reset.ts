import type { LanguageCode } from '#kernel/language.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { operatorOf, POWER_COLUMNS } from './role.ts'
import type { Operator } from '../rules.ts'

export interface ListedReset {
  /** Whose factors. */
  readonly operator: string
  readonly state: 'reported' | 'asked' | 'delayed'
  readonly createdAt: Date
  readonly askedBy: string | null
  readonly dueAt: Date | null
}

/** Resets that are not over. */
export async function listResets(db: Db): Promise<ListedReset[]> {
  const rows = await db
    .selectFrom('operator_factor_reset as f')
    .innerJoin('operator as o', 'o.id', 'f.operator_id')
    .select(['o.name', 'f.state', 'f.created_at', 'f.asked_by', 'f.due_at'])
    .where('f.ended_at', 'is', null)
    .orderBy('f.created_at')
    .limit(500)
    .execute()
  return rows.flatMap(({ state, ...row }) =>
    state === 'done' || state === 'stopped'
      ? []
      : [
          {
            operator: row.name,
            state,
            createdAt: row.created_at,
            askedBy: row.asked_by,
            dueAt: row.due_at,
          },
        ],
  )
}

/** Names of those whose time has come. */
export async function listDueResets(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('operator_factor_reset as f')
    .innerJoin('operator as o', 'o.id', 'f.operator_id')
    .select('o.name')
    .where('f.state', '=', 'delayed')
    .where('f.due_at', '<=', now)
    .orderBy('f.due_at')
    .limit(100)
    .execute()
  return rows.map(({ name }) => name)
}

/** Names of those whose reset somebody asked for and that is not over. */
export async function listResetsBy(tx: Tx, actor: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('operator_factor_reset as f')
    .innerJoin('operator as o', 'o.id', 'f.operator_id')
    .select('o.name')
    .where('f.asked_by', '=', actor)
    .where('f.ended_at', 'is', null)
    .execute()
  return rows.map(({ name }) => name)
}

export interface Colleague extends Operator {
  readonly email: string | null
  readonly language: LanguageCode
  readonly isActive: boolean
}

/** Somebody who runs the shop, by name; null for nobody. */
export async function findColleague(db: Db | Tx, name: string): Promise<Colleague | null> {
  return (await colleagues(db, name))[0] ?? null
}

/** Everybody who runs the shop and is not shut out. */
export async function listColleagues(db: Db | Tx): Promise<Colleague[]> {
  return (await colleagues(db, null)).filter(({ isActive }) => isActive)
}

async function colleagues(db: Db | Tx, name: string | null): Promise<Colleague[]> {
  const rows = await db
    .selectFrom('operator as o')
    .innerJoin('operator_role as r', 'r.code', 'o.role')
    .select(['o.id', 'o.name', 'o.role', 'o.email', 'o.language', 'o.status', ...POWER_COLUMNS])
    .$if(name !== null, (query) => query.where('o.name', '=', name ?? ''))
    .orderBy('o.name')
    .execute()
  return rows.map((row) => ({
    ...operatorOf(row),
    email: row.email,
    language: row.language,
    isActive: row.status === 'active',
  }))
}
