import type { Money } from '#kernel/money.ts'

/** Money that came in, as a bank's statement tells it. */
export interface StatementLine {
  /** Of the file, from 1: where somebody finds it again. */
  readonly line: number
  /** The day the bank booked it, "2026-11-20". */
  readonly bookedOn: string
  readonly money: Money
  readonly payer: string | null
  /** What the payer wrote. */
  readonly text: string
  /** The bank's own name of it; null where it gives none. */
  readonly reference: string | null
  /** Of the shop's account that it came to; null where the file does not say. */
  readonly account: string | null
}

export type LineFault = 'date' | 'amount' | 'currency'

export interface ReadStatement {
  readonly format: 'camt053' | 'csv'
  readonly lines: readonly StatementLine[]
  /** Money that went out, or that is not booked yet: nothing to match. */
  readonly skipped: number
  readonly faults: readonly { readonly line: number; readonly fault: LineFault }[]
}

/** Why a file as a whole cannot be read. */
export type FileFault =
  | 'empty'
  | 'not_text'
  | 'not_a_statement'
  | 'broken'
  | 'too_many_lines'
  | 'columns_missing'

export class StatementFault extends Error {
  override readonly name = 'StatementFault'
  readonly fault: FileFault
  /** Columns that a table lacks. */
  readonly missing: readonly string[]
  constructor(fault: FileFault, missing: readonly string[] = []) {
    super(fault)
    this.fault = fault
    this.missing = missing
  }
}

/** Decimal places of a currency; undefined for one that the shop does not know. */
export type DigitsOf = (currency: string) => number | undefined

export const STATEMENT_LINES_MAX = 50_000
const TEXT_MAX = 500

/** One line of text as it is kept: no control characters, blanks once, so long at most. */
export function plainText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, TEXT_MAX)
}
