import type { FaultShop } from './shop.ts'

const ITEMS = 3

/** Codes of some card items of the demo, with keys enough for everything that is tried. */
export async function stockedItems(shop: FaultShop, keysOfEach: number): Promise<string[]> {
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
  await Promise.all(items.map(({ code }) => shop.cli('keys', 'demo', code, String(keysOfEach))))
  return items.map(({ code }) => code)
}
