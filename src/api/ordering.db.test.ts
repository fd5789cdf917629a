import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadSnapshot, type ShopSnapshot } from '#features/browse/snapshot.ts'
import { startSession } from '#features/session/commands.ts'
import { transaction } from '#platform/ctx.ts'
import { addAccount } from '../../test/support/accounts.ts'
import { violations } from '../../test/support/buying.ts'
import { importSmallCatalogue } from '../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../test/support/database.ts'
import { testServices } from '../../test/support/services.ts'
import { PERSONAL_CALLS } from './personal/calls.ts'
import { sessionCookieName } from './personal/cookies.ts'
import { createPersonalCalls, type PersonalAnswer, type PersonalCalls } from './personal/run.ts'

const database = useDatabase()
const visitor = { address: '203.0.113.9', network: '203.0.113.0/24', userAgent: 'Mozilla/5.0 (X11; Linux x86_64)', acceptLanguage: 'de-DE,de;q=0.9' }
let shop: ShopSnapshot
let calls: PersonalCalls

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  await setStock(CARD, 7)
  calls = createPersonalCalls({ ctx: database.ctx, snapshot: () => shop, services: testServices })
})

beforeEach(async () => {
  shop = await loadSnapshot(database.ctx.db, 1)
})

interface Shopper {
  readonly accountId: string
  readonly cookie: string
}

async function shopper(country: string | null = 'US'): Promise<Shopper> {
  const { ctx } = database
  const accountId = await addAccount(ctx)
  const { token } = await transaction(ctx, (tx) => startSession(tx, ctx, { accountId, visitor }))
  const selection = country === null ? '' : `; user_selection=${encodeURIComponent(JSON.stringify({ country_code: country }))}`
  return { accountId, cookie: `${sessionCookieName(true)}=${token}${selection}` }
}

function post(who: Shopper | null, path: string, body: unknown, { key, currency }: { key?: string; currency?: string } = {}): Promise<PersonalAnswer> {
  const params = new URLSearchParams({ lang: 'en', ...(currency ? { currency_code: currency } : {}) })
  return calls.run({ method: 'POST', path, params, body, cookieHeader: who?.cookie, visitor, idempotencyKey: key })
}

/** `data` of an answer that went well, which fits its published shape with nothing beside it. */
async function data<T>(answer: Promise<PersonalAnswer>, path: string): Promise<T> {
  const { status, envelope } = await answer
  expect({ status, ...envelope }).toMatchObject({ status: 200, code: 1 })
  const { data: shape } = PERSONAL_CALLS.find((each) => each.path === path) as (typeof PERSONAL_CALLS)[number]
  expect(shape.parse(envelope.data)).toEqual(envelope.data)
  return envelope.data as T
}

interface Placed {
  readonly order: string
  readonly order_no: string
}

const create = (who: Shopper, body: unknown, options: Parameters<typeof post>[3] = {}) => data<Placed>(post(who, 'order/create', body, options), 'order/create')

/** Code and fields of a refusal. */
async function refusal(answer: Promise<PersonalAnswer>): Promise<{ status: number; code: number; fields: string[] }> {
  const { status, envelope } = await answer
  const { fields = [] } = (envelope.data ?? {}) as { fields?: { field: string }[] }
  return { status, code: envelope.code, fields: fields.map(({ field }) => field) }
}

const CARD = 'card:vapour:us:20'
const PACK = 'game:dragon-quarry:global:1200'
const AIRTIME = 'air:us-bell:10'
const pack = { item: PACK, quantity: 2, fields: { user_id: ' 12 345 678 ' } }

/** What the vault is taken to hold of an item. */
async function setStock(item: string, free: number): Promise<void> {
  const { db, now } = database.ctx
  const { id } = await db.selectFrom('item').select('id').where('code', '=', item).executeTakeFirstOrThrow()
  const level = { free: String(free), sold: '0', updated_at: now() }
  await db.insertInto('stock_level').values({ item: id, ...level }).onConflict((conflict) => conflict.column('item').doUpdateSet(level)).execute()
}

async function orderOf(order: string) {
  const { db } = database.ctx
  const row = await db.selectFrom('shop_order').selectAll().where('public_id', '=', order).executeTakeFirstOrThrow()
  const lines = await db.selectFrom('order_line').selectAll().where('order_id', '=', row.id).orderBy('position').execute()
  return { ...row, lines }
}

describe('an order of lines', () => {
  test('has the prices of now, and keeps how they were made and where it was bought from', async () => {
    const who = await shopper()
    const { order, order_no } = await create(who, { lines: [{ item: CARD, quantity: 3 }, pack, { item: AIRTIME, quantity: 1, fields: { phone: '(201) 555-0123' } }] }, { currency: 'JPY' })
    expect(order_no).toMatch(/^\d{13}$/)
    const row = await orderOf(order)
    expect(row).toMatchObject({ status: 'pending_payment', currency: 'JPY', country: 'US', language: 'en', terms_version: 'none', tax_minor: '0' })
    expect(row.evidence).toMatchObject({ chosen_country: 'US', billing_country: null, address: visitor.address, user_agent: visitor.userAgent, accept_language: visitor.acceptLanguage })
    expect(row.pricing).toMatchObject({ currency: 'JPY', margin_basis_points: 150, rates: [{ currency: 'JPY' }, { currency: 'USD' }] })
    expect(row.lines.map((line) => [line.item_code, line.quantity, line.price_minor, line.base_minor, line.account_fields])).toEqual([
      [CARD, 3, '2931', '1900', {}], [PACK, 2, '3070', '1990', { user_id: '12345678' }], [AIRTIME, 1, '1605', '1040', { phone: '+12015550123' }],
    ])
    expect(row.goods_minor).toBe(String(2_931 * 3 + 3_070 * 2 + 1_605))
    expect(await violations(database.ctx)).toEqual([])
  })
})
