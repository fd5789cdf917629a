/** Spreadsheets take a text that starts like this for a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/**
 * A table as CSV (RFC 4180). Values that a spreadsheet would run begin with an apostrophe; the first character tells programs
 * that the file is UTF-8.
 */
export function csvTable(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('')}`
}

function csvField(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
