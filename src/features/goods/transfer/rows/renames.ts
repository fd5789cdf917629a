import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { AuditEntry } from '#features/base/audit/commands.ts'
import type { CatalogueFolder } from '../folder/catalogue.ts'
import type { StoredRows } from '../queries.ts'
import type { Row, TableName } from './tables.ts'

/** A renamed code keeps its row, and with it items, reviews and words. */
export interface Rename {
  readonly kind: 'brand' | 'product' | 'game' | 'category' | 'item'
  readonly from: string
  readonly to: string
}

/**
 * Old codes of the folder's redirects that the shop still has, while it does not have the new ones yet, and categories known by
 * their number. Of two old codes that lead to one new one, the first keeps its row under it.
 */
export function findRenames(folder: CatalogueFolder, stored: StoredRows): Rename[] {
  const said = (
    Object.entries(folder.redirects) as [Rename['kind'], Record<string, string> | undefined][]
  ).flatMap(([kind, entries]) =>
    Object.entries(entries ?? {}).map(([from, to]) => ({ kind, from, to })),
  )
  const categoryIds = new Map(stored.category.map((row) => [row['id'], String(row['code'])]))
  const numbered = folder.categories.map(({ id, code }) => ({
    kind: 'category' as const,
    from: categoryIds.get(id) ?? code,
    to: code,
  }))
  const taken = new Set<string>()
  return [...numbered, ...said].filter(({ kind, from, to }) => {
    const present = (code: string) => stored[kind].some((row) => row['code'] === code)
    const isRename =
      !taken.has(`${kind} ${from}`) &&
      !taken.has(`${kind} ${to}`) &&
      from !== to &&
      present(from) &&
      !present(to)
    if (isRename) taken.add(`${kind} ${from}`).add(`${kind} ${to}`)
    return isRename
  })
}

/** Columns that hold a code of each kind; the database's own references follow by themselves. */
const REFERENCES: Readonly<Record<Rename['kind'], readonly (readonly [TableName, string])[]>> = {
  brand: [
    ['brand', 'code'],
    ['brand_category', 'brand'],
    ['product', 'brand'],
    ['review', 'brand'],
  ],
  product: [
    ['product', 'code'],
    ['item', 'product'],
  ],
  game: [
    ['game', 'code'],
    ['brand', 'game'],
  ],
  category: [['category', 'code']],
  item: [
    ['item', 'code'],
    ['item_level_price', 'item'],
  ],
}

/** The rows as they are once `writeRenames` has run. */
export function renameRows(stored: StoredRows, renames: readonly Rename[]): StoredRows {
  const rows: Record<TableName, readonly Row[]> = { ...stored }
  for (const [kind, group] of Map.groupBy(renames, (rename) => rename.kind)) {
    const names = new Map(group.map(({ from, to }) => [from, to]))
    const replace = (
      table: TableName,
      column: string,
      concerns: (row: Row) => boolean = () => true,
    ) => {
      rows[table] = rows[table].map((row) => {
        const name = concerns(row) ? names.get(String(row[column])) : undefined
        return name === undefined ? row : { ...row, [column]: name }
      })
    }
    for (const [table, column] of REFERENCES[kind]) replace(table, column)
    replace('translation', 'subject_code', (row) => row['subject'] === kind)
    // What leads away from a code that is in use again is gone.
    const used = new Set(names.values())
    rows.code_redirect = rows.code_redirect.filter(
      (row) => row['kind'] !== kind || !used.has(String(row['old_code'])),
    )
    replace('code_redirect', 'new_code', (row) => row['kind'] === kind)
  }
  for (const { from, to } of renames.filter((rename) => isRelated(rename, stored))) {
    rows.article = rows.article.map((row) => ({
      ...row,
      related: (row['related'] as string[]).map((code) => (code === from ? to : code)),
    }))
  }
  return rows
}

/** Articles name brands and games alike: a code that the other kind has as well goes on meaning that one. */
function isRelated({ kind, from }: Rename, stored: Pick<StoredRows, 'brand' | 'game'>): boolean {
  if (kind !== 'brand' && kind !== 'game') return false
  return !stored[kind === 'brand' ? 'game' : 'brand'].some((row) => row['code'] === from)
}

/** @param stored the rows of before */
export async function writeRenames(
  tx: Tx,
  renames: readonly Rename[],
  stored: Pick<StoredRows, 'brand' | 'game'>,
): Promise<void> {
  for (const rename of renames) {
    const { kind, from, to } = rename
    await sql`update ${sql.table(kind)} set code = ${to} where code = ${from}`.execute(tx)
    await sql`update translation set subject_code = ${to} where subject = ${kind} and subject_code = ${from}`.execute(
      tx,
    )
    await sql`delete from code_redirect where kind = ${kind} and old_code = ${to}`.execute(tx)
    await sql`update code_redirect set new_code = ${to} where kind = ${kind} and new_code = ${from}`.execute(
      tx,
    )
    if (isRelated(rename, stored))
      await sql`update article set related = array_replace(related, ${from}, ${to}) where ${from} = any(related)`.execute(
        tx,
      )
  }
}

export function auditOfRename({ kind, from, to }: Rename): AuditEntry {
  return {
    action: 'rename',
    subject: kind,
    subjectCode: to,
    before: { code: from },
    after: { code: to },
  }
}
