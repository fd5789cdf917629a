import type { FailureClass, SupplyFailure, SupplyUnknown } from '../provider.ts'
import { cleanText } from './text.ts'

/** What each documented code of a supplier means. What does not stand in it means `unknown`. */
export type CodeTable = Readonly<Record<string, FailureClass | 'unknown'>>

export const unknown = (why: string, supplierId?: string | null): SupplyUnknown => ({
  kind: 'unknown',
  why: cleanText(why),
  ...(supplierId ? { supplierId } : {}),
})

export function failed(
  cause: FailureClass,
  code: string,
  text: unknown,
  more: Partial<Pick<SupplyFailure, 'until' | 'supplierId' | 'wasDone'>> = {},
): SupplyFailure {
  return { kind: 'failed', class: cause, code: cleanText(code, 80), text: cleanText(text), ...more }
}

/** A code by the table; never by anything else about the answer. */
export function byCode(
  table: CodeTable,
  code: string,
  text: unknown,
  more: Parameters<typeof failed>[3] = {},
): SupplyFailure | SupplyUnknown {
  const cause = Object.hasOwn(table, code) ? table[code] : undefined
  return cause === undefined || cause === 'unknown'
    ? unknown(`${cleanText(code, 80)}: ${cleanText(text)}`, more.supplierId)
    : failed(cause, code, text, more)
}

/** Nothing had left for the supplier. */
export const notSent = (why: string): SupplyFailure => failed('supplier', 'not_sent', why)

/** Wrong settings or a request that cannot be made: nothing is sent. */
export const refusedHere = (cause: FailureClass, why: string): SupplyFailure =>
  failed(cause, 'not_sent', why)
