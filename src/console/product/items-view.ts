import { listItemCounts, listItemOffers } from '#features/goods/editing/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { formatCount } from '#platform/i18n/format.ts'
import { moneyTexts } from '../kit/money.ts'
import type { ConsoleContext } from '../page.ts'
import type { GoodsData } from './load.ts'

export interface ItemView extends GoodsData {
  /** Keys on the shelf; null where none are counted. */
  readonly free: string | null
  readonly sold: string
  /** Who is asked to deliver it, in order. */
  readonly offers: readonly {
    readonly supplier: string
    readonly cost: string | null
    readonly isOn: boolean
  }[]
}

/** Items with what stands beside them: keys, sales, and who delivers them. */
export async function itemsView(
  context: ConsoleContext,
  product: string,
  items: readonly GoodsData[],
): Promise<readonly ItemView[]> {
  const { ctx, language } = context
  const counts = await listItemCounts(ctx.db, product)
  const offers = Map.groupBy(await listItemOffers(ctx.db, product), ({ item }) => item)
  const money = await moneyTexts(context)
  const maySeeCost = mayDo(ctx.operator, 'price.read')
  return items.map((item) => {
    const count = counts.get(item.code)
    return {
      ...item,
      free: count?.free ? formatCount(language.code, BigInt(count.free)) : null,
      sold: formatCount(language.code, BigInt(count?.sold ?? 0)),
      offers: (offers.get(item.code) ?? []).map(({ supplier, costMinor, costCurrency, isOn }) => ({
        supplier,
        cost: maySeeCost ? money(costMinor, costCurrency) : null,
        isOn,
      })),
    }
  })
}
