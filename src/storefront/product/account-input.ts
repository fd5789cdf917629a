import type { GoodsDetail, GoodsField } from '#features/goods/browse/view/shapes.ts'

/** A field of the account to be credited, as the form shows it. */
export interface AccountInput extends Omit<GoodsField, 'picture'> {
  /** Pattern fit for the input's attribute; the rule itself is `pattern`. */
  readonly attribute?: string
}

export function accountFields({ fields, delivery }: GoodsDetail): AccountInput[] {
  if (delivery !== 'direct_charge') return []
  return fields.map(({ picture: _, ...field }) => {
    const attribute = attributePattern(field.pattern)
    return { ...field, ...(attribute === undefined ? {} : { attribute }) }
  })
}

/** Where something is found that a field asks for. */
export interface FieldFigure {
  readonly label: string
  readonly image: string
  readonly alt: string
}

/** Their pictures stand beside the form, and nothing of them is sent to its living parts. */
export function fieldFigures({ fields, delivery }: GoodsDetail): FieldFigure[] {
  if (delivery !== 'direct_charge') return []
  return fields.flatMap(({ label, picture }) => (picture ? [{ label, ...picture }] : []))
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
