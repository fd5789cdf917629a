import { isSame, keyOf, type Row, type SetSpec, type TableSpec } from './tables.ts'

export type Action = 'create' | 'update' | 'suspend' | 'resume'

export interface Change {
  readonly action: Action
  /** Key of the row as text, for the audit trail. */
  readonly code: string
  /** Changed fields only; null on creation. */
  readonly before: Row | null
  readonly after: Row
  /** The whole row to write. */
  readonly row: Row
}

export interface TableDiff {
  readonly spec: TableSpec
  readonly changes: readonly Change[]
}

/**
 * What must be written so that a table says what a folder says. Rows of the folder's source that it does not name are
 * suspended; locked fields keep their value; values written once are left alone.
 */
export function diffTable(
  spec: TableSpec,
  existing: readonly Row[],
  wanted: readonly Row[],
  source: string,
): TableDiff {
  const present = new Map(existing.map((row) => [keyOf(spec, row), row]))
  const named = new Set<string>()
  const changes: Change[] = []
  for (const row of wanted) {
    const code = keyOf(spec, row)
    named.add(code)
    const now = present.get(code)
    const change = now
      ? updateOf(spec, code, now, row)
      : { action: 'create' as const, code, before: null, after: saying(spec, row), row }
    if (change) changes.push(change)
  }
  if (spec.isMaintained) {
    for (const [code, row] of present) {
      if (
        named.has(code) ||
        row['source'] !== source ||
        row['status'] !== 'active' ||
        lockedColumns(spec, row).has('status')
      )
        continue
      const status = { status: 'suspended' }
      changes.push({
        action: 'suspend',
        code,
        before: { status: 'active' },
        after: status,
        row: { ...row, ...status },
      })
    }
  }
  return { spec, changes }
}

/** The fields of a new row that say something. */
function saying(spec: TableSpec, row: Row): Row {
  const columns = [...spec.columns, ...(spec.initial ?? [])].filter((column) => {
    const value = row[column]
    return value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
  })
  return pick(row, columns)
}

function updateOf(spec: TableSpec, code: string, now: Row, wanted: Row): Change | null {
  const locked = lockedColumns(spec, now)
  const changed = spec.columns.filter(
    (column) => !locked.has(column) && !isSame(now[column], wanted[column]),
  )
  if (changed.length === 0) return null
  const after = pick(wanted, changed)
  const isResumed = now['status'] === 'suspended' && after['status'] === 'active'
  const isSuspended = now['status'] === 'active' && after['status'] === 'suspended'
  return {
    action: isResumed ? 'resume' : isSuspended ? 'suspend' : 'update',
    code,
    before: pick(now, changed),
    after,
    row: { ...now, ...after },
  }
}

/** The columns an operator has locked against folders and suppliers. */
export function lockedColumns(spec: TableSpec, row: Row): ReadonlySet<string> {
  const names = row['locked_fields']
  if (!spec.locks || !Array.isArray(names) || names.length === 0) return NONE
  return new Set(names.flatMap((name: string) => [name, ...(spec.locks?.[name] ?? [])]))
}
const NONE: ReadonlySet<string> = new Set()

function pick(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))
}

export interface SetChange {
  readonly owner: string
  readonly before: readonly Row[]
  readonly after: readonly Row[]
}

/** Owners whose set differs. Owners that `locked` names keep theirs; owners the folder does not name are not looked at. */
export function diffSet(
  spec: SetSpec,
  owners: Iterable<string>,
  existing: readonly Row[],
  wanted: readonly Row[],
  locked: ReadonlySet<string>,
): SetChange[] {
  const byOwner = (rows: readonly Row[]) =>
    Map.groupBy(
      rows.map((row) => ({ owner: String(row[spec.owner]), row: pick(row, spec.columns) })),
      (entry) => entry.owner,
    )
  const [present, named] = [byOwner(existing), byOwner(wanted)]
  const rowsOf = (map: typeof present, owner: string) =>
    (map.get(owner) ?? [])
      .map((entry) => entry.row)
      .sort((a, b) => Number(a[spec.columns[0] ?? '']) - Number(b[spec.columns[0] ?? '']))
  const changes: SetChange[] = []
  for (const owner of owners) {
    if (locked.has(owner)) continue
    const [before, after] = [rowsOf(present, owner), rowsOf(named, owner)]
    if (!isSame(before, after)) changes.push({ owner, before, after })
  }
  return changes
}
