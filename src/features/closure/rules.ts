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
export function plainExport(exportedAt: Date, sections: Readonly<Record<string, readonly PlainObject[]>>): PersonExport {
  return JSON.parse(JSON.stringify({ exported_at: exportedAt, sections })) as PersonExport
}

const CSV_HEADER = ['section', 'number', 'field', 'value']
/** Spreadsheets take a text that starts like this for a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/**
 * The same as one table (RFC 4180): a row for each field, `number` counts the objects of a section from 1. Values that a
 * spreadsheet would run begin with an apostrophe; the first character tells programs that the file is UTF-8.
 */
export function csvOf({ exported_at, sections }: PersonExport): string {
  const rows = Object.entries({ export: [{ exported_at }], ...sections }).flatMap(([section, objects]) =>
    objects.flatMap((object, index) => Object.entries(object).map(([field, value]) => [section, String(index + 1), field, textOf(value)])),
  )
  return `\uFEFF${[CSV_HEADER, ...rows].map((row) => `${row.map(csvField).join(',')}\r\n`).join('')}`
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function csvField(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
