import { randomUUID } from 'node:crypto'
import { taxOfLines, type UnitTax } from '#features/goods/tax/rules.ts'
import { createOrder, type MadeOrder } from '#features/buying/order/commands.ts'
import { openVault } from '#features/buying/vault/engine/vault.ts'
import { importKeys } from '#features/buying/vault/flows.ts'
import type { Money } from '#kernel/money.ts'
import type { Ctx } from '#platform/ctx.ts'
import { parseVaultKeys } from '#platform/vault-keys.ts'
import { somebody } from './people.ts'

/** Currencies of 0, 2 and 3 minor units. */
export async function addCurrencies(ctx: Ctx): Promise<void> {
  const currencies = [
    ['USD', 2],
    ['EUR', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['BHD', 3],
  ] as const
  await ctx.db
    .insertInto('currency')
    .values(
      currencies.map(([code, minor_units], position) => ({
        code,
        minor_units,
        position,
        numeric_code: String(100 + position),
        name: code,
        symbol: code,
        is_checkout: true,
      })),
    )
    .execute()
}

/** A country that goods are taxed in. */
export async function addCountry(ctx: Ctx, code: string, alpha3: string): Promise<void> {
  await ctx.db
    .insertInto('country')
    .values({
      code,
      alpha3,
      numeric_code: '276',
      name: code,
      continent: 'europe',
      currency: 'EUR',
      store_currency: 'EUR',
      language: 'en',
      is_on_sale: true,
      position: 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export interface TestItem {
  readonly id: string
  readonly code: string
  readonly brand: string
  readonly product: string
}

/** A brand of one product with one item at 10.00 USD; its keys are codes of 12 letters and digits. */
export async function addItem(
  ctx: Ctx,
  { delivery = 'card_key' }: { readonly delivery?: 'card_key' | 'direct_charge' } = {},
): Promise<TestItem> {
  const name = `b${randomUUID().slice(0, 8)}`
  const item = { id: ctx.newId(), code: `card:${name}:10`, brand: name, product: `${name}-global` }
  await ctx.db
    .insertInto('region')
    .values({ code: 'global', name: 'Global', position: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await ctx.db
    .insertInto('brand')
    .values({
      code: name,
      kind: delivery === 'card_key' ? 'gift_card' : 'top_up',
      type: delivery === 'card_key' ? 1 : 2,
      name,
      delivery,
      source: 'test',
      key_format:
        delivery === 'card_key'
          ? JSON.stringify({
              type: 'code',
              text: '12 letters and digits',
              parts: [{ name: 'code', pattern: '^[A-Z0-9]{12}$', example: 'ABCDEFGH1234' }],
            })
          : null,
    })
    .execute()
  await ctx.db
    .insertInto('product')
    .values({ code: item.product, brand: name, region: 'global', position: 0, source: 'test' })
    .execute()
  await ctx.db
    .insertInto('item')
    .values({
      id: item.id,
      code: item.code,
      product: item.product,
      kind: 'value',
      name: '10 USD',
      price_minor: '1000',
      price_currency: 'USD',
      position: 0,
      source: 'test',
      updated_at: ctx.now(),
    })
    .execute()
  return item
}

/** Keys for `importKeys`, one a line; `letter` makes them differ from those of another call. */
export async function* keyLines(letter: string, count: number): AsyncGenerator<string> {
  for (let index = 0; index < count; index += 1)
    yield `${letter}${String(index).padStart(11, '0')}\n`
}

const testKeys = parseVaultKeys([`1:${Buffer.alloc(32, 3).toString('base64')}`], 'test')
export const testVault = openVault(() => testKeys)

export async function stock(
  ctx: Ctx,
  item: TestItem,
  letter: string,
  count: number,
): Promise<void> {
  await importKeys(ctx, testVault, {
    itemCode: item.code,
    fileName: 'keys.txt',
    chunks: keyLines(letter, count),
    isDryRun: false,
  })
}

/** An order of items at 10.00 USD each, by a shopper of its own unless one is given. */
export async function buy(
  ctx: Ctx,
  items: readonly {
    readonly item: TestItem
    readonly quantity?: number
    readonly delivery?: 'card_key' | 'direct_charge'
    readonly accountFields?: Readonly<Record<string, string>>
    readonly price?: bigint
    readonly amount?: Money | null
    readonly tax?: UnitTax
  }[],
  wanted: {
    readonly accountId?: string
    readonly requestKey?: string
    readonly country?: string
  } = {},
): Promise<MadeOrder & { readonly accountId: string }> {
  const accountId = wanted.accountId ?? (await somebody(ctx, { withPassword: false })).accountId
  const made = await createOrder(
    ctx,
    {
      accountId,
      currency: 'USD',
      pricing: {},
      language: 'en',
      country: wanted.country ?? null,
      evidence: {},
      termsVersion: '2026-11',
      tax: taxOfLines(items.map(({ quantity = 1, tax }) => ({ quantity, tax: tax ?? null }))),
      lines: items.map(({ item, quantity = 1, delivery = 'card_key', ...line }) => ({
        item: item.id,
        itemCode: item.code,
        product: item.product,
        goodsType: delivery === 'card_key' ? 1 : 2,
        delivery,
        productName: item.brand,
        itemName: '10 USD',
        quantity,
        priceMinor: line.price ?? 1_000n,
        baseMinor: line.price ?? 1_000n,
        baseCurrency: 'USD',
        amount: line.amount ?? null,
        accountFields: line.accountFields ?? {},
        tax: line.tax ?? null,
      })),
    },
    wanted.requestKey ?? randomUUID(),
  )
  return { ...made, accountId }
}

export interface Wish {
  readonly item: TestItem
  readonly quantity: number
  readonly delivery: 'card_key' | 'direct_charge'
}

/** A new card for each quantity, with just as many keys, and a top-up of so many units. */
export async function stockWishes(
  ctx: Ctx,
  cards: readonly number[],
  byHand: number,
): Promise<Wish[]> {
  const wishes: Wish[] = []
  for (const quantity of cards) {
    const item = await addItem(ctx)
    await stock(ctx, item, 'S', quantity)
    wishes.push({ item, quantity, delivery: 'card_key' })
  }
  if (byHand > 0)
    wishes.push({
      item: await addItem(ctx, { delivery: 'direct_charge' }),
      quantity: byHand,
      delivery: 'direct_charge',
    })
  return wishes
}

/** An order of store credit worth 10.00 USD, and of items beside it. */
export async function buyCredit(
  ctx: Ctx,
  items: readonly TestItem[] = [],
): Promise<MadeOrder & { readonly accountId: string }> {
  const { accountId } = await somebody(ctx, { withPassword: false })
  const price = {
    quantity: 1,
    priceMinor: 1_000n,
    baseMinor: 1_000n,
    baseCurrency: 'USD',
    amount: null,
    accountFields: {},
  }
  const made = await createOrder(
    ctx,
    {
      accountId,
      currency: 'USD',
      pricing: {},
      language: 'en',
      country: null,
      evidence: {},
      termsVersion: '2026-11',
      tax: { minor: 0n, basisPoints: 0 },
      lines: [
        {
          ...price,
          item: null,
          itemCode: 'store-credit',
          product: 'store-credit',
          goodsType: 0,
          delivery: 'store_credit',
          productName: 'Store credit',
          itemName: '10 USD',
        },
        ...items.map(
          (item) =>
            ({
              ...price,
              item: item.id,
              itemCode: item.code,
              product: item.product,
              goodsType: 1,
              delivery: 'card_key',
              productName: item.brand,
              itemName: '10 USD',
            }) as const,
        ),
      ],
    },
    randomUUID(),
  )
  return { ...made, accountId }
}

/** Public ids of an order's units, in their order. */
export async function unitIdsOf(ctx: Ctx, orderId: string): Promise<readonly string[]> {
  const units = await ctx.db
    .selectFrom('order_unit')
    .select('public_id')
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
  return units.map(({ public_id: unit }) => unit)
}

/** Promises broken, as the database finds them. */
export async function violations(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db.selectFrom('invariant_violation').selectAll().execute()
  return rows.map(({ invariant, subject }) => `${invariant}: ${subject}`)
}
