import type { GoodsField } from '#features/browse/view/shapes.ts'

/** What is wrong with a typed value; its message is in the page's language. */
export type FieldFault = 'missing' | 'digits' | 'length' | 'email' | 'phone' | 'pattern'

/** Code points of zero in the scripts our shoppers' keyboards write. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x0e50, 0x1040, 0xff10]

/** The value as it is sent: trimmed; numbers in Latin digits, without the spaces that games and people put between them. */
export function cleanValue(field: Pick<GoodsField, 'kind'>, typed: string): string {
  const text = typed.trim()
  return field.kind === 'digits' || field.kind === 'phone' ? latinDigits(text).replace(/[\s\u200e\u200f-]/g, '') : text
}

function latinDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    const zero = ZEROS.find((start) => code >= start && code <= start + 9)
    return zero === undefined ? digit : String(code - zero)
  })
}

/** Checks one value by the catalogue's rules; null when it is right. The server checks again when an order is made. */
export function checkField(field: GoodsField, typed: string): FieldFault | null {
  const value = cleanValue(field, typed)
  if (value === '') return field.required ? 'missing' : null
  if (field.kind === 'select') return field.options.some((option) => option.value === value) ? null : 'missing'
  const fits = field.pattern === null || new RegExp(field.pattern, 'u').test(value)
  if (field.kind === 'email' || field.kind === 'phone') return fits && hasLength(field, value) ? null : field.kind
  if (field.kind === 'digits' && !/^\d+$/.test(value)) return 'digits'
  if (!hasLength(field, value)) return 'length'
  return fits ? null : 'pattern'
}

function hasLength({ min, max }: GoodsField, value: string): boolean {
  const length = Array.from(value).length
  return length >= (min ?? 0) && length <= (max ?? Infinity)
}

/** The faults of all fields by key; empty when every field is right. */
export function checkFields(fields: readonly GoodsField[], values: Readonly<Record<string, string>>): Record<string, FieldFault> {
  const faults: Record<string, FieldFault> = {}
  for (const field of fields) {
    const fault = checkField(field, values[field.key] ?? '')
    if (fault) faults[field.key] = fault
  }
  return faults
}

/** The values as the cart keeps them; optional fields left empty are not in it. */
export function cleanValues(fields: readonly GoodsField[], values: Readonly<Record<string, string>>): Record<string, string> {
  const clean: Record<string, string> = {}
  for (const field of fields) {
    const value = cleanValue(field, values[field.key] ?? '')
    if (value !== '') clean[field.key] = value
  }
  return clean
}

/** The pattern for the input's own attribute: browsers read it with the `v` flag, where some patterns are no patterns. */
export function attributePattern(pattern: string | null): string | undefined {
  if (pattern === null) return undefined
  try {
    return new RegExp(pattern, 'v').flags === 'v' ? pattern : undefined
  } catch {
    return undefined
  }
}
