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
  readonly pictures: PictureWrite
}

/** Pictures of goods: rows that are from now on, and codes of products whose own ones are no more. */
export interface PictureWrite {
  readonly rows: readonly Row[]
  readonly gone: readonly string[]
}

export const NO_PICTURES: PictureWrite = { rows: [], gone: [] }

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
  if (sets.pictures.rows.length > 0) await writePictures(tx, sets.pictures.rows)
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
  if (sets.pictures.gone.length > 0)
    await tx
      .deleteFrom('picture')
      .where('code', 'in', [...sets.pictures.gone])
      .execute()
}

/** Products without any picture wear the one that their brand gets. */
async function writePictures(tx: Tx, rows: readonly Row[]): Promise<void> {
  const columns = ['kind', 'recipe', 'design', 'short', 'path', 'crop']
  const all = sql.join(['code', ...columns].map((name) => sql.ref(name)))
  const assignments = sql.join(
    columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`),
  )
  await sql`insert into picture (${all})
    select ${all} from json_populate_recordset(null::picture, ${JSON.stringify(rows)}::json)
    on conflict (code) do update set ${assignments}`.execute(tx)
  const codes = rows.map(({ code }) => String(code))
  await sql`update product set picture = 'brand/' || brand
    where picture is null and 'brand/' || brand = any(${codes})`.execute(tx)
}
