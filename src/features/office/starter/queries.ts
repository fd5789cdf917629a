import type { Selectable } from 'kysely'
import type { Db } from '#platform/db.ts'
import type { Tables } from '#platform/tables.ts'
import type { StarterRun } from './rules.ts'

/** The newest that was asked for; null where none ever was. */
export async function findStarterRun(db: Db): Promise<StarterRun | null> {
  const row = await db
    .selectFrom('starter_goods')
    .selectAll()
    .orderBy('asked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? runOf(row) : null
}

/** The one that waits for the worker, or that a worker left. */
export async function findStarterWork(db: Db): Promise<StarterRun | null> {
  const row = await db
    .selectFrom('starter_goods')
    .selectAll()
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return row ? runOf(row) : null
}

/** What has been taken in, oldest first: of a run that failed, what had come before. */
export async function listStarterTaken(db: Db): Promise<readonly StarterRun[]> {
  const rows = await db
    .selectFrom('starter_goods')
    .selectAll()
    .where('finished_at', 'is not', null)
    .orderBy('asked_at')
    .orderBy('id')
    .execute()
  // The first step is what goods stand on.
  return rows
    .map(runOf)
    .map((run) => ({ ...run, kinds: run.kinds.slice(0, Math.max(0, run.step - 1)) }))
}

function runOf(row: Selectable<Tables['starter_goods']>): StarterRun {
  const { id, public_id, operator_id, kinds, is_on_sale, state, step, steps, failure } = row
  return {
    id,
    publicId: public_id,
    operatorId: operator_id,
    kinds,
    isOnSale: is_on_sale,
    state: state as StarterRun['state'],
    step,
    steps,
    failure,
  }
}
