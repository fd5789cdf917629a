/** Spreadsheets take a text that starts like this for a formula. One that starts with an apostrophe gets another, so that taking it away gives back what was there. */
const FORMULA = /^['=+\-@\t\r\n＝＋－＠]/

/**
 * A table as CSV (RFC 4180). Values that a spreadsheet would run begin with an apostrophe; the first character tells programs
 * that the file is UTF-8.
 */
export function csvTable(rows: readonly (readonly string[])[]): string {
  return CSV_MARK + rows.map(csvRow).join('')
}

/** What such a file begins with. */
export const CSV_MARK = '\uFEFF'

/** One line of it, for tables that are too long to be made at once. */
export function csvRow(row: readonly string[]): string {
  return `${row.map(csvField).join(',')}\r\n`
}

/** Nothing to run: amounts below zero stay numbers. */
const PLAIN_NUMBER = /^-\d+(?:\.\d+)?$/

/** A text that no spreadsheet takes for a formula; taking the apostrophe away gives back what was there. */
export function inertText(text: string): string {
  return FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text
}

function csvField(text: string): string {
  const safe = inertText(text)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
