import { recountStock } from '#features/goods/stock/commands.ts'
import type { Ctx } from '#platform/ctx.ts'
import { stock } from './buying.ts'
import { importSmallCatalogue } from './catalogue-folder.ts'

/** A card of the small catalogue. */
export const VAPOUR_CARD = 'card:vapour:us:20'

/** The small catalogue, where so many codes of each of these cards of its brand Vapour can be bought, by the shop's own stock alone. */
export async function stockVapour(
  ctx: Ctx,
  cards: readonly { readonly item: string; readonly mark: string; readonly count: number }[],
): Promise<void> {
  await importSmallCatalogue(ctx)
  await ctx.db
    .updateTable('brand')
    .set({
      key_format: JSON.stringify({
        type: 'code',
        text: '12 letters and digits',
        parts: [{ name: 'code', pattern: '^[A-Z0-9]{12}$', example: 'ABCDEFGH1234' }],
      }),
    })
    .where('code', '=', 'vapour')
    .execute()
  for (const { item, mark, count } of cards) {
    await ctx.db.updateTable('item').set({ stock: null }).where('code', '=', item).execute()
    await stock(ctx, { id: '', code: item, brand: 'vapour', product: 'vapour-us' }, mark, count)
  }
  await recountStock(ctx)
}
