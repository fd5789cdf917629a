import { sql } from 'kysely'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { PlannedAddition } from '../engine/goods-add.ts'
import { TABLES, type TableName } from '../rows/tables.ts'
import { diffTable } from '../rows/diff.ts'
import { writeCategories, writeLevels, writeTable } from '../rows/write.ts'

/** One number for "the catalogue is being written", so that imports and what is made by hand take turns. */
const LOCK = 7_126_032

export async function takeTurnOfImports(tx: Db | Tx): Promise<void> {
  // A whole catalogue takes longer than what else anybody waits for.
  await sql`set local lock_timeout = '1min'`.execute(tx)
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
}

const MADE: readonly TableName[] = ['picture', 'brand', 'product', 'item']

/** Writes goods that are new, as an import would. The transaction has taken its turn by `takeTurnOfImports`. */
export async function addGoods(
  tx: Tx,
  ctx: Ctx,
  now: Date,
  rows: PlannedAddition['rows'],
): Promise<void> {
  for (const spec of TABLES) {
    if (!MADE.includes(spec.name)) continue
    const made = rows[spec.name as 'picture' | 'brand' | 'product' | 'item']
    if (made.length > 0) await writeTable(tx, ctx, now, diffTable(spec, [], made, ''))
  }
  const ofOwner = (list: PlannedAddition['rows']['brand'], owner: string) =>
    [...Map.groupBy(list, (row) => String(row[owner]))].map(([code, own]) => ({
      owner: code,
      before: [],
      after: own.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([key]) => key !== owner)),
      ),
    }))
  await writeCategories(tx, ofOwner(rows.brand_category, 'brand'))
  await writeLevels(tx, ofOwner(rows.item_level_price, 'item'))
}
