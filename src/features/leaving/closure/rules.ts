import { csvTable } from '#kernel/csv.ts'

/** Days between asking to leave and being erased; until then the link in the mail undoes it. */
export const GRACE_DAYS = 30
/** Accounts erased in one run of the job; the next run takes the rest. */
export const ERASED_AT_ONCE = 500

/** Everything the shop keeps about a person, by part; each part is a list of plain objects. */
export interface PersonExport {
  readonly exported_at: string
  readonly sections: Readonly<Record<string, readonly PlainObject[]>>
}

export type PlainObject = Readonly<Record<string, unknown>>

/** As JSON has it: moments as ISO 8601 text, and nothing that only the program understands. */
export function plainExport(
  exportedAt: Date,
  sections: Readonly<Record<string, readonly PlainObject[]>>,
): PersonExport {
  return JSON.parse(JSON.stringify({ exported_at: exportedAt, sections })) as PersonExport
}

const CSV_HEADER = ['section', 'number', 'field', 'value']
/** The same as one table: a row for each field, `number` counts the objects of a section from 1. */
export function csvOf({ exported_at, sections }: PersonExport): string {
  const rows = Object.entries({ export: [{ exported_at }], ...sections }).flatMap(
    ([section, objects]) =>
      objects.flatMap((object, index) =>
        Object.entries(object).map(([field, value]) => [
          section,
          String(index + 1),
          field,
          textOf(value),
        ]),
      ),
  )
  return csvTable([CSV_HEADER, ...rows])
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
