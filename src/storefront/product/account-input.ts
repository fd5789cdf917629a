import type { GoodsDetail, GoodsField } from '#features/goods/browse/view/shapes.ts'

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

/** The pattern for the input's own attribute: browsers read it with the `v` flag, where some patterns are no patterns. */
export function attributePattern(pattern: string | null): string | undefined {
  if (pattern === null) return undefined
  try {
    return new RegExp(pattern, 'v').flags === 'v' ? pattern : undefined
  } catch {
    return undefined
  }
}
