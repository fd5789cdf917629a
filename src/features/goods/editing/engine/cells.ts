import type { LanguageCode } from '#kernel/language.ts'

/** A number as somebody has written it; why it is none. */
export type ReadNumber =
  | { readonly kind: 'number'; readonly whole: string; readonly fraction: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'fault'; readonly fault: 'wrong_type' | 'number_ambiguous' }

export interface ReadAmount {
  readonly number: ReadNumber
  /** The code that stands beside it; null where none does. */
  readonly currency: string | null
}

/** Whose numbers have a comma before the fraction. */
const COMMA: ReadonlySet<LanguageCode> = new Set([
  'de',
  'es',
  'fr',
  'id',
  'it',
  'nl',
  'pt',
  'ro',
  'ru',
  'vi',
])

const ZEROS = [0x0660, 0x06f0, 0x0966, 0x1040, 0x0e50, 0xff10]
/** Of every script whose digits people type: those of Arabic, Persian, Devanagari, Burmese, Thai, and wide ones. */
const DIGITS = /[٠-٩۰-۹०-९၀-၉๐-๙０-９]/gu

function plainDigits(text: string): string {
  return text.replace(DIGITS, (digit) => {
    const point = digit.codePointAt(0) ?? 0
    const zero = ZEROS.find((start) => point >= start && point < start + 10) ?? point
    return String(point - zero)
  })
}

/** Blanks of all kinds, marks of direction, and the apostrophe that some put between thousands. */
const BETWEEN = /[\s\u00a0\u202f\u2009\u200e\u200f\u061c\u2066-\u2069'’_]/gu

/**
 * Reads an amount as spreadsheets give it: "1.234,56", "1,234.56", "1 234,5", "$4.99", "EUR 4,99", digits of other scripts. "1,234" means two
 * things: it is one of them where the currency has no three digits of fraction and the language writes thousands so, and otherwise it is told.
 * @param fractionMost digits that the amount's currency has after its mark; 0 for counts
 */
export function readAmountText(
  text: string,
  language: LanguageCode,
  fractionMost: number,
): ReadAmount {
  const plain = plainDigits(text).replaceAll('٫', '.').replaceAll('٬', ',').replace(BETWEEN, '')
  const currency = /(?<![A-Za-z])([A-Z]{3})(?![A-Za-z])/.exec(plain)?.[1] ?? null
  const bare = (currency === null ? plain : plain.replace(currency, '')).replace(/\p{Sc}/gu, '')
  return { currency, number: readNumber(bare, language, fractionMost) }
}

const WRONG: ReadNumber = { kind: 'fault', fault: 'wrong_type' }

function readNumber(bare: string, language: LanguageCode, fractionMost: number): ReadNumber {
  if (bare === '' || bare === '-' || bare === '–') return { kind: 'nothing' }
  if (!/^\d[\d.,]*$/.test(bare)) return WRONG
  const marks = bare.replace(/\d/g, '')
  if (marks === '') return numberOf(bare, '')
  const last = marks.at(-1) ?? ''
  const isMixed = marks.includes('.') && marks.includes(',')
  if (isMixed) {
    const other = last === '.' ? ',' : '.'
    const [whole = '', fraction = '', ...more] = bare.split(last)
    if (more.length > 0 || fraction.includes(other)) return WRONG
    return isGrouped(whole, other) ? numberOf(whole.replaceAll(other, ''), fraction) : WRONG
  }
  const parts = bare.split(last)
  if (parts.length > 2) return isGrouped(bare, last) ? numberOf(parts.join(''), '') : WRONG
  const [whole = '', fraction = ''] = parts
  if (fraction === '') return WRONG
  const mayGroup = fraction.length === 3 && isGrouped(bare, last)
  if (!mayGroup) return numberOf(whole, fraction)
  const isMark = last === (COMMA.has(language) ? ',' : '.')
  // Three digits behind the mark of the language itself: a fraction where the currency has one so long, and else what nobody can tell.
  if (isMark)
    return fractionMost >= 3
      ? numberOf(whole, fraction)
      : { kind: 'fault', fault: 'number_ambiguous' }
  return fractionMost >= 3
    ? { kind: 'fault', fault: 'number_ambiguous' }
    : numberOf(whole + fraction, '')
}

/** "1.234.567": groups of three behind a first one of up to three. */
function isGrouped(text: string, mark: string): boolean {
  const [first = '', ...groups] = text.split(mark)
  return (
    /^\d{1,3}$/.test(first) &&
    !(first === '0' && groups.length > 0) &&
    groups.every((group) => /^\d{3}$/.test(group))
  )
}

function numberOf(whole: string, fraction: string): ReadNumber {
  return { kind: 'number', whole: whole.replace(/^0+(?=\d)/, ''), fraction }
}

/** Cells of a copied table, line by line: tabs between them, quotes around those with tabs, breaks or quotes of their own. No more lines than `most`. */
export function readCells(
  text: string,
  most = Number.POSITIVE_INFINITY,
): readonly (readonly string[])[] {
  const lines: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    lines.at(-1)?.push(cell.trim())
    cell = ''
  }
  const plain = withoutLastBreaks(text.replace(/\r\n?/g, '\n'))
  for (let at = 0; at < plain.length; at++) {
    const sign = plain[at] ?? ''
    if (isQuoted && sign === '"' && plain[at + 1] === '"') {
      cell += '"'
      at++
    } else if (sign === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted
    else if (!isQuoted && sign === '\t') endCell()
    else if (!isQuoted && sign === '\n') {
      endCell()
      if (lines.length >= most) return lines
      lines.push([])
    } else cell += sign
  }
  endCell()
  return lines
}

/** Not by a pattern: of breaks that something stands behind, one looks through all of them from each. */
function withoutLastBreaks(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n') end -= 1
  return text.slice(0, end)
}

/** What a language writes before the fraction. */
export const decimalMark = (language: LanguageCode): string => (COMMA.has(language) ? ',' : '.')
