import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import type { AuditEntry } from '#features/audit/commands.ts'
import type { CatalogueFolder } from '../folder/catalogue.ts'
import type { StoredRows } from '../queries.ts'
import type { Row, TableName } from './tables.ts'

/** A renamed code keeps its row, and with it items, reviews and words. */
export interface Rename {
  readonly kind: 'brand' | 'product' | 'game' | 'category' | 'item'
  readonly from: string
  readonly to: string
}

/** Old codes of the folder's redirects that the shop still has, while it does not have the new ones yet. */
export function findRenames(folder: CatalogueFolder, stored: StoredRows): Rename[] {
  return (
    Object.entries(folder.redirects) as [Rename['kind'], Record<string, string> | undefined][]
  ).flatMap(([kind, entries]) => {
    const present = new Set(stored[kind].map((row) => row['code']))
    return Object.entries(entries ?? {})
      .filter(([from, to]) => present.has(from) && !present.has(to))
      .map(([from, to]) => ({ kind, from, to }))
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
    replace('code_redirect', 'new_code', (row) => row['kind'] === kind)
  }
  return rows
}

export async function writeRenames(tx: Tx, renames: readonly Rename[]): Promise<void> {
  for (const { kind, from, to } of renames) {
    await sql`update ${sql.table(kind)} set code = ${to} where code = ${from}`.execute(tx)
    await sql`update translation set subject_code = ${to} where subject = ${kind} and subject_code = ${from}`.execute(
      tx,
    )
    await sql`update code_redirect set new_code = ${to} where kind = ${kind} and new_code = ${from}`.execute(
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
