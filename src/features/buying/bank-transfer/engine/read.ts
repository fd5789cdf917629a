import { readCamt } from './camt.ts'
import { decodeStatement } from './decode.ts'
import type { DigitsOf, ReadStatement } from './statement.ts'
import { readTable } from './table.ts'

/** A bank's statement in camt.053 or as a table. Throws StatementFault for what is neither. */
export function readStatement(bytes: Uint8Array, digitsOf: DigitsOf): ReadStatement {
  const text = decodeStatement(bytes)
  return /^\ufeff?\s*</.test(text) ? readCamt(text, digitsOf) : readTable(text, digitsOf)
}
