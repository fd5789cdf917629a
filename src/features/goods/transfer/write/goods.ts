import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { SetChange } from '../rows/diff.ts'
import type { TranslationChange } from '../rows/diff-translations.ts'
import type { Row } from '../rows/tables.ts'
import { writeCategories, writeLevels, writeTranslations } from '../rows/write.ts'
import type { GoodsKind } from '../engine/goods-edit.ts'

/** Rows of one table, each with its code, the columns that are set, and `locked_fields`. */
export interface GoodsWrite {
  readonly table: GoodsKind
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

export interface GoodsSets {
  readonly categories: readonly SetChange[]
  readonly levels: readonly SetChange[]
  readonly texts: readonly TranslationChange[]
}

/** One statement takes so many rows: triggers that look at whole statements run a few times for any number of goods. */
const BATCH = 20_000

/**
 * Sets columns of goods whose rows the transaction holds, in one statement a table. What follows from it (the history of prices, the notice
 * by which every process reads the catalogue anew) is done by the statements' triggers, as of an import.
 */
export async function writeGoods(
  tx: Tx,
  now: Date,
  writes: readonly GoodsWrite[],
  sets: GoodsSets,
): Promise<void> {
  for (const { table, columns, rows } of writes) {
    const all = [...columns, 'locked_fields']
    const assignments = sql.join([
      ...all.map((column) => sql`${sql.ref(column)} = ${sql.ref(`wanted.${column}`)}`),
      ...(table === 'item' ? [sql`updated_at = ${now}`] : []),
    ])
    for (let start = 0; start < rows.length; start += BATCH)
      await sql`update ${sql.table(table)} set ${assignments}
        from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows.slice(start, start + BATCH))}::json) as wanted
        where ${sql.ref(`${table}.code`)} = wanted.code`.execute(tx)
  }
  await writeCategories(tx, sets.categories)
  await writeLevels(tx, sets.levels)
  if (sets.texts.length > 0) await writeTranslations(tx, sets.texts)
}
