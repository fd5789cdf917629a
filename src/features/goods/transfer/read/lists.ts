import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { ListKind } from '../engine/list-edit.ts'
import type { Row } from '../rows/tables.ts'

/** Rows of a list by their codes: those of categories with the code of their parent, of games with that of their category. */
export async function readListRows(
  db: Db | Tx,
  kind: ListKind,
  codes: readonly string[],
  isToWrite: boolean,
): Promise<readonly Row[]> {
  if (codes.length === 0) return []
  const above =
    kind === 'category'
      ? sql`, (select a.code from category a where a.id = x.parent_id) as parent`
      : kind === 'game'
        ? sql`, (select a.code from category a where a.id = x.category_id) as category`
        : sql``
  const lock = isToWrite ? sql`for update of x` : sql``
  const { rows } = await sql<Row>`
    select x.* ${above} from ${sql.table(kind)} x where x.code = any(${[...new Set(codes)]}) order by x.code ${lock}`.execute(
    db,
  )
  return rows
}

/** Every category as a folder says where it stands. */
export async function readCategoryTree(db: Db | Tx): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select c.id, c.code, c.name, c.path, p.code as parent from category c left join category p on p.id = c.parent_id order by c.id`.execute(
    db,
  )
  return rows
}

/** What a new row of a list is told apart by: the next place, and of a category the next number. */
export async function readListEnds(
  db: Db | Tx,
  kind: ListKind,
): Promise<{ readonly id: number; readonly position: number }> {
  if (kind === 'game') return { id: 0, position: 0 }
  const id = kind === 'category' ? sql`coalesce(max(id), 0) + 1` : sql`0`
  const { rows } = await sql<{ id: number; position: number }>`
    select ${id} as id, coalesce(max(position), -1) + 1 as position from ${sql.table(kind)}`.execute(
    db,
  )
  return rows[0] ?? { id: 1, position: 0 }
}

/** How much refers to one of a list; nothing may, where it is taken away. */
export async function countListUses(db: Db | Tx, kind: ListKind, code: string): Promise<number> {
  const uses = {
    category: sql`
      (select count(*) from brand_category b join category c on c.id = b.category_id where c.code = ${code})
      + (select count(*) from game g join category c on c.id = g.category_id where c.code = ${code})
      + (select count(*) from category x join category c on c.id = x.parent_id where c.code = ${code})
      + (select count(*) from code_redirect where kind = 'category' and new_code = ${code})`,
    game: sql`
      (select count(*) from brand where game = ${code})
      + (select count(*) from article where ${code} = any(related))
      + (select count(*) from code_redirect where kind = 'game' and new_code = ${code})`,
    region: sql`
      (select count(*) from product where region = ${code}) + (select count(*) from margin_rule where region = ${code})`,
    platform: sql`
      (select count(*) from brand where ${code} = any(platforms)) + (select count(*) from game where ${code} = any(platforms))`,
  }
  const { rows } = await sql<{ count: number }>`select (${uses[kind]})::integer as count`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
