import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { ListKind } from '../engine/list-edit.ts'
import type { Row } from '../rows/tables.ts'

/** A category, game, region or platform as it is to be. */
export type ListWrite =
  | {
      readonly kind: 'add'
      readonly table: ListKind
      readonly row: Row
      readonly picture: Row | null
    }
  | { readonly kind: 'set'; readonly table: ListKind; readonly code: string; readonly values: Row }
  | { readonly kind: 'remove'; readonly table: ListKind; readonly code: string }

/**
 * Writes what goods are put in order by. The transaction has taken its turn by `takeTurnOfImports`, and has seen that nothing stands under what is
 * taken away; the database refuses it as well.
 */
export async function writeLists(tx: Tx, writes: readonly ListWrite[]): Promise<void> {
  for (const write of writes) {
    if (write.kind === 'add') await add(tx, write.table, write.row, write.picture)
    else if (write.kind === 'set') await set(tx, write.table, write.code, write.values)
    else await sql`delete from ${sql.table(write.table)} where code = ${write.code}`.execute(tx)
  }
}

async function add(tx: Tx, table: ListKind, row: Row, picture: Row | null): Promise<void> {
  // One that was taken away and is made anew is drawn anew.
  if (picture)
    await sql`insert into picture select * from json_populate_record(null::picture, ${JSON.stringify(picture)}::json)
      on conflict (code) do update set kind = excluded.kind, recipe = excluded.recipe, design = excluded.design, short = excluded.short, path = excluded.path`.execute(
      tx,
    )
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)))
  await sql`insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_record(null::${sql.table(table)}, ${JSON.stringify(row)}::json)`.execute(
    tx,
  )
}

async function set(tx: Tx, table: ListKind, code: string, values: Row): Promise<void> {
  const assignments = sql.join(
    Object.keys(values).map((column) => sql`${sql.ref(column)} = ${sql.ref(`wanted.${column}`)}`),
  )
  await sql`update ${sql.table(table)} set ${assignments}
    from json_populate_record(null::${sql.table(table)}, ${JSON.stringify(values)}::json) as wanted
    where ${sql.ref(`${table}.code`)} = ${code}`.execute(tx)
}
