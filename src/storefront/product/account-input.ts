import type { GoodsDetail, GoodsField } from '#features/browse/view/shapes.ts'
import { attributePattern } from './field-rules.ts'

/** A field of the account to be credited, as the form shows it. */
export interface AccountInput extends GoodsField {
  /** Pattern fit for the input's attribute; the rule itself is `pattern`. */
  readonly attribute?: string
}

export function accountFields({ fields, delivery }: GoodsDetail): AccountInput[] {
  if (delivery !== 'direct_charge') return []
  return fields.map((field) => {
    const attribute = attributePattern(field.pattern)
    return { ...field, ...(attribute === undefined ? {} : { attribute }) }
  })
}
