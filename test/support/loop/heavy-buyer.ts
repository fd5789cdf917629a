import { LINES_MAX, QUANTITY_MAX } from '#features/buying/order/rules.ts'
import { makeKeys } from '#features/buying/vault/jobs.ts'
import { findStockable } from '#features/buying/vault/queries.ts'
import { loadSnapshot } from '#features/goods/browse/snapshot.ts'
import { FAVOURITES_MAX } from '#features/people/favourite/rules.ts'
import { NOTICES_MAX } from '#features/people/notice/rules.ts'
import type { Ctx } from '#platform/ctx.ts'
import { buy, testVault, type TestItem } from '../buying.ts'
import { createFakePayments } from '../fake-payment.ts'
import { payFor } from '../paying.ts'
import { somebody } from '../people.ts'

const SMALL_ORDERS = 150

export interface HeavyBuyer {
  readonly accountId: string
  /** The largest order there can be. */
  readonly order: string
}

/** Somebody who has as much of everything as one person may. */
export async function heavyBuyer(ctx: Ctx): Promise<HeavyBuyer> {
  const { products, items } = await stocked(ctx)
  const { accountId } = await somebody(ctx)
  const pay = payer(ctx, accountId)
  const order = await pay(items.map((item) => ({ item, quantity: QUANTITY_MAX })))
  for (let index = 0; index < SMALL_ORDERS; index += 1)
    await pay([{ item: items[index % items.length] as TestItem, quantity: 1 }])
  const now = ctx.now()
  await ctx.db
    .insertInto('notice')
    .values(
      Array.from({ length: NOTICES_MAX }, () => ({
        id: ctx.newId(),
        public_id: Buffer.from(ctx.random(16)).toString('base64url'),
        account_id: accountId,
        kind: 'order_paid',
        params: JSON.stringify({ order: order.publicId, number: order.number }),
        created_at: now,
      })),
    )
    .execute()
  await ctx.db
    .insertInto('favourite')
    .values(
      products
        .slice(0, FAVOURITES_MAX)
        .map((product) => ({ account_id: accountId, product, created_at: now })),
    )
    .execute()
  return { accountId, order: order.publicId }
}

async function stocked(
  ctx: Ctx,
): Promise<{ products: readonly string[]; items: readonly TestItem[] }> {
  const { catalogue } = await loadSnapshot(ctx.db, 1)
  const items: TestItem[] = []
  for (const {
    code,
    items: [item],
  } of catalogue.productByCode.values()) {
    if (items.length === LINES_MAX) break
    const stockable = item ? await findStockable(ctx.db, item.code) : null
    if (!item || !stockable) continue
    items.push({ id: item.id, code: item.code, brand: code, product: code })
    await makeKeys(ctx, testVault, [{ ...stockable, count: QUANTITY_MAX + SMALL_ORDERS }])
  }
  return { products: [...catalogue.productByCode.keys()], items }
}

function payer(ctx: Ctx, accountId: string) {
  const fake = createFakePayments()
  return async (lines: readonly { readonly item: TestItem; readonly quantity: number }[]) => {
    const order = await buy(ctx, lines, { accountId })
    const quantity = lines.reduce((sum, line) => sum + line.quantity, 0)
    await payFor(ctx, fake, order, 1_000n * BigInt(quantity))
    return order
  }
}
