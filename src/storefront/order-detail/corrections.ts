import type { OrderView } from '#features/buying/order/view/shapes.ts'
import type { StoredOrder } from '#features/buying/order/view/stored.ts'
import { findProduct } from '#features/goods/browse/queries.ts'
import { goodsDetail } from '#features/goods/browse/view/detail.ts'
import type { GoodsField } from '#features/goods/browse/view/shapes.ts'
import { listNeededInputs } from '#features/supply/purchase/queries.ts'
import { formatDate, formatParts } from '#platform/i18n/format.ts'
import { viewOf } from '../goods/tile.ts'
import type { PersonalPageContext } from '../page.ts'
import { fieldFigures } from '../product/account-input.ts'

export interface Correction {
  /** One of the line's units. */
  readonly unit: string
  readonly name: string
  readonly lead: string
  readonly fields: readonly (Pick<GoodsField, 'key' | 'kind' | 'label' | 'required' | 'options'> & {
    readonly value: string
    readonly help: string | null
  })[]
  /** Where what the fields ask for is found, as on the product's page. */
  readonly figures: readonly {
    readonly summary: string
    readonly image: string
    readonly alt: string
  }[]
  /** Words of the product's form, which this page does not bring along. */
  readonly words: { readonly optional: string; readonly pickOne: string }
}

type AskedField = Omit<Correction['fields'][number], 'value'>

/** What each line asks of its buyer once more; of goods that are sold no more, what they were asked then. */
export async function correctionsOf(
  page: PersonalPageContext,
  order: OrderView,
  stored: StoredOrder,
): Promise<readonly Correction[]> {
  const { t, language, timeZone, shop } = page
  const needed = await listNeededInputs(page.ctx.db, stored.id)
  return needed.flatMap(({ line, unit, until }) => {
    const [own, shown] = [stored.lines[line], order.lines[line]]
    if (!own || !shown) return []
    const product = shown.product_code === null ? null : findProduct(shop, shown.product_code)
    const detail = product && goodsDetail(viewOf(page), product, timeZone)
    const asked: readonly AskedField[] = detail
      ? detail.fields
      : Object.keys(own.accountFields).map((key) => ({
          key,
          kind: 'text' as const,
          label: key,
          required: true,
          help: null,
          options: [],
        }))
    return [
      {
        unit,
        name: formatParts(language.code, [shown.goods_name, shown.label]),
        lead: t('order.correctLead', { date: formatDate(language.code, until, timeZone) }),
        fields: asked.map(({ key, kind, label, required, help, options }) => ({
          key,
          kind,
          label,
          required,
          help,
          options,
          value: own.accountFields[key] ?? '',
        })),
        figures: (detail ? fieldFigures(detail) : []).map(({ label, image, alt }) => ({
          summary: t('product.whereToFind', { field: label }),
          image,
          alt,
        })),
        words: { optional: t('product.optional'), pickOne: t('product.pickOne') },
      },
    ]
  })
}
