import { parseMajor } from '#kernel/money.ts'

/**
 * An amount as banks write it: "1234.5", "1.234,50", "1 234,50", "1'234.50", with a sign before or behind. The last point or comma
 * parts the decimals, unless it is the only one and three digits follow where the currency has no third.
 * @returns minor units, negative for money that went out; null for what is no amount
 */
export function bankAmount(text: string, digits: number): bigint | null {
  const bare = text.replaceAll(/[\s\u00a0\u202f'’]/gu, '')
  const match = /^([+-]?)(\d[\d.,]*)([+-]?)$/.exec(bare.replaceAll('−', '-'))
  if (!match || (match[1] !== '' && match[3] !== '')) return null
  const isOut = match[1] === '-' || match[3] === '-'
  const minor = parseMajor(plainDecimal(match[2] ?? '', digits) ?? '', digits)
  if (minor === null) return null
  return isOut ? -minor : minor
}

/** Digits in groups of three, by what stands between. */
const GROUPED_BY = { '.': /^\d{1,3}(?:\.\d{3})+$/, ',': /^\d{1,3}(?:,\d{3})+$/ }
const GROUPED = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/

function plainDecimal(text: string, digits: number): string | null {
  const at = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  if (at < 0) return text
  const marks = new Set(text.replaceAll(/\d/g, ''))
  const isGrouped = GROUPED.test(text) && (digits !== 3 || text.replaceAll(/\d/g, '').length > 1)
  if (marks.size === 1 && isGrouped) return text.replaceAll(/[.,]/g, '')
  const whole = text.slice(0, at)
  const mark = text[at] === '.' ? ',' : '.'
  // What groups digits is not what parts decimals, and stands before it by threes.
  if (!/^\d+$/.test(whole) && !GROUPED_BY[mark].test(whole)) return null
  return `${whole.replaceAll(mark, '')}.${text.slice(at + 1)}`
}
