import { randomUUID } from 'node:crypto'
import type { Ctx } from '#platform/ctx.ts'

/** Currencies of 0, 2 and 3 minor units. */
export async function addCurrencies(ctx: Ctx): Promise<void> {
  const currencies = [['USD', 2], ['EUR', 2], ['JPY', 0], ['KWD', 3], ['BHD', 3]] as const
  await ctx.db.insertInto('currency').values(currencies.map(([code, minor_units], position) => ({
    code, minor_units, position, numeric_code: String(100 + position), name: code, symbol: code, is_checkout: true,
  }))).execute()
}

export interface TestItem {
  readonly id: string
  readonly code: string
  readonly brand: string
  readonly product: string
}

/** A brand of one product with one item at 10.00 USD; its keys are codes of 12 letters and digits. */
export async function addItem(ctx: Ctx, { delivery = 'card_key' }: { readonly delivery?: 'card_key' | 'direct_charge' } = {}): Promise<TestItem> {
  const name = `b${randomUUID().slice(0, 8)}`
  const item = { id: ctx.newId(), code: `card:${name}:10`, brand: name, product: `${name}-global` }
  await ctx.db.insertInto('region').values({ code: 'global', name: 'Global', position: 0 }).onConflict((conflict) => conflict.doNothing()).execute()
  await ctx.db.insertInto('brand').values({
    code: name, kind: delivery === 'card_key' ? 'gift_card' : 'top_up', type: delivery === 'card_key' ? 1 : 2, name, delivery, source: 'test',
    key_format: delivery === 'card_key'
      ? JSON.stringify({ type: 'code', text: '12 letters and digits', parts: [{ name: 'code', pattern: '^[A-Z0-9]{12}$', example: 'ABCDEFGH1234' }] })
      : null,
  }).execute()
  await ctx.db.insertInto('product').values({ code: item.product, brand: name, region: 'global', position: 0, source: 'test' }).execute()
  await ctx.db.insertInto('item').values({
    id: item.id, code: item.code, product: item.product, kind: 'value', name: '10 USD', price_minor: '1000', price_currency: 'USD', position: 0, source: 'test', updated_at: ctx.now(),
  }).execute()
  return item
}
