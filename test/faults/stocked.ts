import type { FaultShop } from './shop.ts'

const ITEMS = 3
const KEYS_OF_EACH = 2_000

/** Codes of some card items of the demo, with keys enough for everything that is tried. */
export async function stockedItems(shop: FaultShop): Promise<string[]> {
  const items = await shop.withCtx((ctx) =>
    ctx.db
      .selectFrom('item as i')
      .innerJoin('product as p', 'p.code', 'i.product')
      .innerJoin('brand as b', 'b.code', 'p.brand')
      .select('i.code')
      .where('b.delivery', '=', 'card_key')
      .where('p.code', '=', 'steam-us')
      .where('i.status', '=', 'active')
      .orderBy('i.position')
      .limit(ITEMS)
      .execute(),
  )
  for (const { code } of items) await shop.cli('keys', 'demo', code, String(KEYS_OF_EACH))
  return items.map(({ code }) => code)
}
