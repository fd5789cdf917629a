import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#platform/db.ts'

export { findHead, findUnsealed, listFaults, readSealHashes } from './read/seal.ts'

export interface AuditFilter {
  /** `operator:mara`, `import:<name>`, `system` …, whole. */
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly subject?: string | undefined
  readonly subjectCode?: string | undefined
  readonly from?: Date | undefined
  readonly until?: Date | undefined
}

/** Where a page ends: the moment and id of the last line that was looked at. */
export interface AuditCursor {
  readonly at: Date
  readonly id: string
}

export interface AuditLine {
  readonly id: string
  readonly at: Date
  readonly actor: string
  /** Shortened; empty where no request was answered. */
  readonly network: string
  readonly requestId: string
  readonly action: string
  readonly subject: string
  readonly subjectCode: string
  readonly before: unknown
  readonly after: unknown
}

export interface AuditPage {
  readonly lines: readonly AuditLine[]
  /** Null at the end. */
  readonly next: AuditCursor | null
  /** Back to when was looked, where that was not far enough for a whole page. */
  readonly lookedUntil: Date | null
}

type Field = 'actor' | 'action' | 'subject' | 'subjectCode'
const COLUMNS = {
  actor: 'actor',
  action: 'action',
  subject: 'subject',
  subjectCode: 'subject_code',
} as const
/** What an index carries in the order of time; the first that is asked for whole leads, and the rest is looked through. */
const CARRIED: readonly (readonly Field[])[] = [
  ['subject', 'subjectCode'],
  ['actor'],
  ['action'],
  ['subject'],
  [],
]
/** Lines that are looked through for one page: as many as are read in some milliseconds. */
const LOOKED_AT = 2_000

/** Lines of the trail, newest first, those after the cursor. However many there are, a page reads no more than some thousand. */
export async function searchAudit(
  db: Db,
  filter: AuditFilter,
  cursor: AuditCursor | null,
  limit: number,
): Promise<AuditPage> {
  const asked = (Object.keys(COLUMNS) as Field[]).filter((field) => filter[field] !== undefined)
  const carried = CARRIED.find((fields) => fields.every((field) => asked.includes(field))) ?? []
  const others = asked.filter((field) => !carried.includes(field))
  const looked = sql`from audit_log where ${all([
    ...carried.map((field) => equals(field, filter)),
    ...(filter.from ? [sql`at >= ${filter.from}`] : []),
    ...(filter.until ? [sql`at < ${filter.until}`] : []),
    // The moment as the row has it: the cursor knows it to the millisecond.
    ...(cursor
      ? [
          sql`(at, id) < (coalesce((select at from audit_log where id = ${cursor.id}), ${cursor.at}), ${cursor.id}::uuid)`,
        ]
      : []),
  ])} order by at desc, id desc`
  const rows = await read(db, looked, others, filter, limit + 1)
  const lines = rows.slice(0, limit)
  const last = lines.at(-1)
  if (rows.length > limit && last) return { lines, next: last, lookedUntil: null }
  const end = others.length > 0 ? await endOf(db, looked) : null
  return { lines, next: end, lookedUntil: end?.at ?? null }
}

async function read(
  db: Db,
  looked: RawBuilder<unknown>,
  others: readonly Field[],
  filter: AuditFilter,
  rowsMost: number,
): Promise<AuditLine[]> {
  const { rows } = await (others.length === 0
    ? sql<AuditRow>`select * ${looked} limit ${rowsMost}`
    : sql<AuditRow>`select * from (select * ${looked} limit ${LOOKED_AT}) as looked
        where ${all(others.map((field) => equals(field, filter)))} order by at desc, id desc limit ${rowsMost}`
  ).execute(db)
  return rows.map(({ request_id: requestId, subject_code: subjectCode, ...row }) => ({
    ...row,
    requestId,
    subjectCode,
  }))
}

interface AuditRow extends Omit<AuditLine, 'requestId' | 'subjectCode'> {
  readonly request_id: string
  readonly subject_code: string
}

/** The last line that was looked at, where there may be more. */
async function endOf(db: Db, looked: RawBuilder<unknown>): Promise<AuditCursor | null> {
  const { rows } =
    await sql<AuditCursor>`select at, id ${looked} offset ${LOOKED_AT - 1} limit 1`.execute(db)
  return rows[0] ?? null
}

const equals = (field: Field, filter: AuditFilter): RawBuilder<unknown> =>
  sql`${sql.ref(COLUMNS[field])} = ${filter[field]}`

const all = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `)
