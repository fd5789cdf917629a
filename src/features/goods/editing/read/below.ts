import { readGoodsRows, type GoodsRows } from '#features/goods/transfer/queries.ts'
import type { Tx } from '#platform/ctx.ts'
import type { ChangedField } from '../rules.ts'

/** Items of products that change, with their own prices for customer levels. */
export async function readItemsBelow(
  tx: Tx,
  products: readonly Pick<ChangedField, 'code'>[],
): Promise<Pick<GoodsRows, 'item' | 'item_level_price'>> {
  if (products.length === 0) return { item: [], item_level_price: [] }
  const rows = await tx
    .selectFrom('item')
    .select('code')
    .where(
      'product',
      'in',
      products.map(({ code }) => code),
    )
    .execute()
  return readGoodsRows(tx, { brand: [], product: [], item: rows.map(({ code }) => code) }, false)
}
