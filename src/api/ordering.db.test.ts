import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setTaxClass, setTaxRate } from '#features/goods/tax/commands.ts'
import { loadSnapshot, type ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { startSession } from '#features/people/session/commands.ts'
import { transaction } from '#platform/ctx.ts'
import { addAccount } from '../../test/support/accounts.ts'
import { violations } from '../../test/support/buying.ts'
import { importSmallCatalogue } from '../../test/support/catalogue-folder.ts'
import { asOperator } from '../../test/support/operators.ts'
import { useDatabase } from '../../test/support/database.ts'
import { testServices } from '../../test/support/services.ts'
import { PERSONAL_CALLS } from './personal/calls.ts'
import { sessionCookieName } from './personal/cookies.ts'
import { createPersonalCalls, type PersonalAnswer, type PersonalCalls } from './personal/run.ts'

const database = useDatabase()
const visitor = {
  address: '203.0.113.9',
  network: '203.0.113.0/24',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
  acceptLanguage: 'de-DE,de;q=0.9',
}
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
  const selection =
    country === null
      ? ''
      : `; user_selection=${encodeURIComponent(JSON.stringify({ country_code: country }))}`
  return { accountId, cookie: `${sessionCookieName(true)}=${token}${selection}` }
}

interface Cart {
  readonly list: readonly {
    id: string
    item: string
    quantity: number
    fields: object
    state: string
    was: { minor: string } | null
    total: { minor: string } | null
    limit: number
  }[]
  readonly cart_num: number
  readonly total: { minor: string }
}

const cartOf = async (who: Shopper, currency?: string) => {
  const params = new URLSearchParams({
    lang: 'en',
    ...(currency ? { currency_code: currency } : {}),
  })
  return data<Cart>(
    calls.run({ method: 'GET', path: 'cart/index', params, cookieHeader: who.cookie, visitor }),
    'cart/index',
  )
}

const add = (who: Shopper, item: string, quantity = 1, fields?: object) =>
  data<Cart>(post(who, 'cart/add', { item, quantity, ...(fields ? { fields } : {}) }), 'cart/add')

/** What the shop's rows say now, as the browser's next page sees it. */
async function changed(work: Promise<unknown>): Promise<void> {
  await work
  shop = await loadSnapshot(database.ctx.db, shop.version + 1)
}

const setPrice = (item: string, minor: string) =>
  changed(
    database.ctx.db
      .updateTable('item')
      .set({ price_minor: minor })
      .where('code', '=', item)
      .execute(),
  )

function post(
  who: Shopper | null,
  path: string,
  body: unknown,
  { key, currency, isForm }: { key?: string; currency?: string; isForm?: true } = {},
): Promise<PersonalAnswer> {
  const params = new URLSearchParams({
    lang: 'en',
    ...(currency ? { currency_code: currency } : {}),
  })
  return calls.run({
    method: 'POST',
    path,
    params,
    body,
    cookieHeader: who?.cookie,
    visitor,
    idempotencyKey: key,
    ...(isForm ? { isForm } : {}),
  })
}

/** `data` of an answer that went well, which fits its published shape with nothing beside it. */
async function data<T>(answer: Promise<PersonalAnswer>, path: string): Promise<T> {
  const { status, envelope } = await answer
  expect({ status, ...envelope }).toMatchObject({ status: 200, code: 1 })
  const { data: shape } = PERSONAL_CALLS.find(
    (each) => each.path === path,
  ) as (typeof PERSONAL_CALLS)[number]
  expect(shape.parse(envelope.data)).toEqual(envelope.data)
  return envelope.data as T
}

interface Placed {
  readonly order: string
  readonly order_no: string
}

const create = (who: Shopper, body: unknown, options: Parameters<typeof post>[3] = {}) =>
  data<Placed>(post(who, 'order/create', body, options), 'order/create')

/** Code and fields of a refusal. */
async function refusal(
  answer: Promise<PersonalAnswer>,
): Promise<{ status: number; code: number; fields: string[] }> {
  const { status, envelope } = await answer
  const { fields = [] } = (envelope.data ?? {}) as { fields?: { field: string }[] }
  return { status, code: envelope.code, fields: [...new Set(fields.map(({ field }) => field))] }
}

const CARD = 'card:vapour:us:20'
const PACK = 'game:dragon-quarry:global:1200'
const AIRTIME = 'air:us-bell:10'
const pack = { item: PACK, quantity: 2, fields: { user_id: ' 12 345 678 ' } }

/** What the vault is taken to hold of an item. */
async function setStock(item: string, free: number): Promise<void> {
  const { db, now } = database.ctx
  const { id } = await db
    .selectFrom('item')
    .select('id')
    .where('code', '=', item)
    .executeTakeFirstOrThrow()
  const level = { free: String(free), sold: '0', updated_at: now() }
  await db
    .insertInto('stock_level')
    .values({ item: id, ...level })
    .onConflict((conflict) => conflict.column('item').doUpdateSet(level))
    .execute()
}

async function orderOf(order: string) {
  const { db } = database.ctx
  const row = await db
    .selectFrom('shop_order')
    .selectAll()
    .where('public_id', '=', order)
    .executeTakeFirstOrThrow()
  const lines = await db
    .selectFrom('order_line')
    .selectAll()
    .where('order_id', '=', row.id)
    .orderBy('position')
    .execute()
  return { ...row, lines }
}

describe('an order of lines', () => {
  test('has the prices of now, and keeps how they were made and where it was bought from', async () => {
    const who = await shopper()
    const { order, order_no } = await create(
      who,
      {
        lines: [
          { item: CARD, quantity: 3 },
          pack,
          { item: AIRTIME, quantity: 1, fields: { phone: '(201) 555-0123' } },
        ],
      },
      { currency: 'JPY' },
    )
    expect(order_no).toMatch(/^\d{13}$/)
    const row = await orderOf(order)
    expect(row).toMatchObject({
      status: 'pending_payment',
      currency: 'JPY',
      country: 'US',
      language: 'en',
      terms_version: 'none',
      tax_minor: '0',
    })
    expect(row.evidence).toMatchObject({
      chosen_country: 'US',
      billing_country: null,
      address: visitor.address,
      user_agent: visitor.userAgent,
      accept_language: visitor.acceptLanguage,
    })
    expect(row.pricing).toMatchObject({
      currency: 'JPY',
      margin_basis_points: 150,
      rates: [{ currency: 'JPY' }, { currency: 'USD' }],
    })
    expect(
      row.lines.map((line) => [
        line.item_code,
        line.quantity,
        line.price_minor,
        line.base_minor,
        line.account_fields,
      ]),
    ).toEqual([
      [CARD, 3, '2931', '1900', {}],
      [PACK, 2, '3070', '1990', { user_id: '12345678' }],
      [AIRTIME, 1, '1605', '1040', { phone: '+12015550123' }],
    ])
    expect(row.goods_minor).toBe(String(2_931 * 3 + 3_070 * 2 + 1_605))
    expect(await violations(database.ctx)).toEqual([])
  })

  test('sent again under one key is one order, and its lines in another order are another request', async () => {
    const who = await shopper()
    const body = { lines: [{ item: CARD, quantity: 1 }, pack] }
    const [first, second] = [
      await create(who, body, { key: 'k-1' }),
      await create(who, body, { key: 'k-1' }),
    ]
    expect(second).toEqual(first)
    expect(
      await refusal(post(who, 'order/create', { lines: [pack] }, { key: 'k-1' })),
    ).toMatchObject({ status: 409 })
    expect((await create(who, body)).order).not.toBe(first.order)
  })

  test('32 at once under one key make one; 32 without a key stop at five unpaid ones', async () => {
    const who = await shopper()
    const same = await Promise.all(
      Array.from({ length: 32 }, () =>
        post(who, 'order/create', { lines: [pack] }, { key: 'once' }),
      ),
    )
    const made = same
      .filter(({ envelope }) => envelope.code === 1)
      .map(({ envelope }) => (envelope.data as Placed).order)
    expect(new Set(made).size).toBe(1)
    expect(same.every(({ envelope }) => envelope.code === 1 || envelope.code === 409)).toBe(true)
    const others = await Promise.all(
      Array.from({ length: 32 }, () => post(who, 'order/create', { lines: [pack] })),
    )
    expect(others.filter(({ envelope }) => envelope.code === 1)).toHaveLength(4)
    expect(new Set(others.map(({ envelope }) => envelope.code))).toEqual(new Set([1, 2424]))
    expect(await violations(database.ctx)).toEqual([])
  })

  test.each([
    ['a price', { lines: [{ ...pack, price: '0.01' }] }, 'lines.0.price'],
    ['a total', { lines: [pack], total: '0.01' }, 'total'],
    ['an order status', { lines: [pack], status: 'completed' }, 'status'],
    ['somebody else', { lines: [pack], account_id: 'x' }, 'account_id'],
    ['no quantity', { lines: [{ item: CARD }] }, 'lines.0.quantity'],
    ['a quantity of 0', { lines: [{ item: CARD, quantity: 0 }] }, 'lines.0.quantity'],
    ['a negative quantity', { lines: [pack, { item: CARD, quantity: -1 }] }, 'lines.1.quantity'],
    ['half a card', { lines: [{ item: CARD, quantity: 0.5 }] }, 'lines.0.quantity'],
    ['a hundred and one', { lines: [{ item: CARD, quantity: 101 }] }, 'lines.0.quantity'],
    ['a huge quantity', { lines: [{ item: CARD, quantity: 1e300 }] }, 'lines.0.quantity'],
    ['a quantity in words', { lines: [{ item: CARD, quantity: '1' }] }, 'lines.0.quantity'],
    ['no lines', { lines: [] }, 'lines'],
    ['51 lines', { lines: Array.from({ length: 51 }, () => pack) }, 'lines'],
    ['nothing at all', {}, 'lines'],
    ['both the cart and lines', { cart: true, lines: [pack] }, 'cart'],
    ['lines of the cart without the cart', { select: ['a'] }, 'select'],
    [
      'fields that are no texts',
      { lines: [{ ...pack, fields: { user_id: 12_345 } }] },
      'lines.0.fields.user_id',
    ],
  ])('with %s is refused at its field', async (_, body, field) => {
    expect(await refusal(post(await shopper(), 'order/create', body))).toEqual({
      status: 422,
      code: 422,
      fields: [field],
    })
  })

  test.each([
    ['what is not sold', [{ item: 'card:nobody:1', quantity: 1 }], ['lines.0.item']],
    ['what is sold out', [pack, { item: 'card:vapour:us:10', quantity: 1 }], ['lines.1.item']],
    ['more than there are', [{ item: CARD, quantity: 8 }], ['lines.0.quantity']],
    [
      'more than there are in two lines',
      [
        { item: CARD, quantity: 4 },
        { item: CARD, quantity: 4 },
      ],
      ['lines.1.quantity'],
    ],
    ['no account', [{ item: PACK, quantity: 1 }], ['lines.0.fields.user_id']],
    [
      'an account of letters',
      [{ item: PACK, quantity: 1, fields: { user_id: 'abcdef' } }],
      ['lines.0.fields.user_id'],
    ],
    [
      'an account that is too short',
      [{ item: PACK, quantity: 1, fields: { user_id: '12' } }],
      ['lines.0.fields.user_id'],
    ],
    [
      'a field the goods do not know',
      [{ item: PACK, quantity: 1, fields: { user_id: '12345', zone: '1' } }],
      ['lines.0.fields.zone'],
    ],
    [
      'an account for a card',
      [{ item: CARD, quantity: 1, fields: { user_id: '12345' } }],
      ['lines.0.fields.user_id'],
    ],
    ['no phone', [{ item: AIRTIME, quantity: 1 }], ['lines.0.fields.phone']],
    [
      'a phone of another country',
      [{ item: AIRTIME, quantity: 1, fields: { phone: '+62 812 3456 7890' } }],
      ['lines.0.fields.phone'],
    ],
  ])('of %s is refused at its line', async (_, lines, fields) => {
    expect(await refusal(post(await shopper(), 'order/create', { lines }))).toEqual({
      status: 200,
      code: 2422,
      fields,
    })
  })

  test('is refused where the goods are not sold to the buyer', async () => {
    const line = { lines: [{ item: CARD, quantity: 1 }] }
    expect(await refusal(post(await shopper('AQ'), 'order/create', line))).toEqual({
      status: 200,
      code: 2426,
      fields: ['lines.0.item'],
    })
    await changed(
      database.ctx.db
        .updateTable('item')
        .set({ buyer_countries: ['US'] })
        .where('code', '=', CARD)
        .execute(),
    )
    expect(await refusal(post(await shopper(null), 'order/create', line))).toMatchObject({
      code: 2426,
    })
    await create(await shopper('US'), line)
    await database.ctx.db
      .updateTable('item')
      .set({ buyer_countries: null })
      .where('code', '=', CARD)
      .execute()
  })

  test('the default billing address says the country before what was chosen', async () => {
    const who = await shopper('AQ')
    const address = {
      country: 'US',
      region: 'California',
      first_name: 'Ada',
      surname: 'Miller',
      address: '1 Main Street, Cupertino',
      postal_code: '95014',
    }
    expect((await post(who, 'user/address', address)).envelope.code).toBe(1)
    const row = await orderOf((await create(who, { lines: [{ item: CARD, quantity: 1 }] })).order)
    expect(row.country).toBe('US')
    expect(row.evidence).toMatchObject({ billing_country: 'US', chosen_country: 'AQ' })
  })

  test('is refused in a currency without a rate, or with one that is too old', async () => {
    const who = await shopper()
    expect(
      await refusal(post(who, 'order/create', { lines: [pack] }, { currency: 'XXX' })),
    ).toMatchObject({ code: 2427 })
    const { db, now } = database.ctx
    await changed(
      db
        .updateTable('currency_rate')
        .set({ source: 'feed', observed_at: new Date(now().getTime() - 72 * 3_600_000) })
        .where('currency', '=', 'JPY')
        .execute(),
    )
    expect(
      await refusal(post(who, 'order/create', { lines: [pack] }, { currency: 'JPY' })),
    ).toMatchObject({ code: 2427 })
    await changed(
      db
        .updateTable('currency_rate')
        .set({ source: 'catalogue:small' })
        .where('currency', '=', 'JPY')
        .execute(),
    )
  })

  test('has the price of the level that a customer has, and the tax of their country', async () => {
    const { db } = database.ctx
    const who = await shopper()
    await setStock('card:vapour:us:10', 3)
    await changed(
      db.updateTable('account').set({ role_id: 1 }).where('id', '=', who.accountId).execute(),
    )
    const finance = asOperator(database.ctx, 'fin', 'finance')
    const of = { country: 'US', taxClass: 'service', basisPoints: 1_900, from: null } as const
    await changed(setTaxRate(finance, of, null))
    await changed(
      setTaxClass(finance, { product: 'vapour-us', country: null, taxClass: 'service' }, null),
    )
    const row = await orderOf(
      (await create(who, { lines: [{ item: 'card:vapour:us:10', quantity: 2 }] })).order,
    )
    // 9.40 each hold 1.50: the order's tax is the sum of its units'.
    expect(row).toMatchObject({ goods_minor: '1880', tax_minor: '300', tax_basis_points: 1_900 })
    const lines = await db
      .selectFrom('order_line')
      .select(['tax_class', 'tax_basis_points', 'tax_minor'])
      .where('order_id', '=', row.id)
      .execute()
    expect(lines).toEqual([{ tax_class: 'service', tax_basis_points: 1_900, tax_minor: '150' }])
    await changed(
      setTaxClass(finance, { product: 'vapour-us', country: null, taxClass: null }, null),
    )
  })

  test('is for those who are signed in', async () => {
    expect(await refusal(post(null, 'order/create', { lines: [pack] }))).toMatchObject({
      status: 401,
    })
  })
})

describe('a cart', () => {
  test('has one line for the same goods and account, and another for another account', async () => {
    const who = await shopper()
    await add(who, PACK, 1, { user_id: '12345' })
    await add(who, PACK, 2, { user_id: ' 12 345' })
    const { list, cart_num, total } = await add(who, PACK, 1, { user_id: '54321' })
    expect(list.map(({ quantity, fields, state }) => ({ quantity, fields, state }))).toEqual([
      { quantity: 1, fields: { user_id: '54321' }, state: 'ok' },
      { quantity: 3, fields: { user_id: '12345' }, state: 'ok' },
    ])
    expect([cart_num, total.minor]).toEqual([4, String(4 * 1_990)])
  })

  test('32 additions at once count each, up to a hundred a line', async () => {
    const who = await shopper()
    await Promise.all(Array.from({ length: 32 }, () => add(who, PACK, 2, { user_id: '12345' })))
    expect((await cartOf(who)).list.map(({ quantity }) => quantity)).toEqual([64])
    await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        add(who, PACK, 2, { user_id: String(12_345 + (index % 2)) }),
      ),
    )
    expect(
      (await cartOf(who)).list.map(({ quantity }) => quantity).toSorted((a, b) => a - b),
    ).toEqual([32, 96])
    await add(who, PACK, 50, { user_id: '12345' })
    expect((await cartOf(who)).list.map(({ quantity }) => quantity)).toContain(100)
  })

  test('says of goods whether they could be put into one, to whoever asks, and changes nothing', async () => {
    const who = await shopper()
    for (const asker of [null, who]) {
      expect(await data(post(asker, 'cart/check', { item: CARD, quantity: 2 }), 'cart/check')).toBe(
        true,
      )
      expect(await refusal(post(asker, 'cart/check', { item: PACK, quantity: 1 }))).toEqual({
        status: 200,
        code: 2422,
        fields: ['fields.user_id'],
      })
      expect(
        await refusal(post(asker, 'cart/check', { item: 'card:nobody:1', quantity: 1 })),
      ).toEqual({ status: 200, code: 2422, fields: ['item'] })
      expect(await refusal(post(asker, 'cart/check', { item: CARD, quantity: 101 }))).toMatchObject(
        {
          status: 422,
          fields: ['quantity'],
        },
      )
    }
    expect((await cartOf(who)).list).toEqual([])
  })

  test("takes a browser's cart over once, however often it is sent", async () => {
    const who = await shopper()
    await add(who, CARD, 3)
    const lines = [
      { item: CARD, quantity: 2 },
      pack,
      { item: 'card:nobody:1', quantity: 1 },
      { item: PACK, quantity: 1 },
    ]
    await Promise.all(Array.from({ length: 4 }, () => post(who, 'cart/merge', { lines })))
    const { list } = await data<Cart>(post(who, 'cart/merge', { lines }), 'cart/merge')
    expect(list.map(({ item, quantity }) => [item, quantity]).toSorted()).toEqual([
      [CARD, 3],
      [PACK, 2],
    ])
  })

  test('holds fifty lines', async () => {
    const who = await shopper()
    const lines = Array.from({ length: 50 }, (_, index) => ({
      item: PACK,
      quantity: 1,
      fields: { user_id: String(10_000 + index) },
    }))
    expect((await data<Cart>(post(who, 'cart/merge', { lines }), 'cart/merge')).list).toHaveLength(
      50,
    )
    expect(
      await refusal(
        post(who, 'cart/add', { item: PACK, quantity: 1, fields: { user_id: '99999' } }),
      ),
    ).toMatchObject({ code: 2429 })
    const more = await data<Cart>(
      post(who, 'cart/merge', {
        lines: [
          { item: CARD, quantity: 1 },
          { ...lines[0], quantity: 7 },
        ],
      }),
      'cart/merge',
    )
    expect(more.list).toHaveLength(50)
    expect(more.cart_num).toBe(56)
    await create(who, { cart: true })
    expect((await cartOf(who)).list).toEqual([])
  })

  test('tells what has become of each line', async () => {
    const who = await shopper()
    for (const [item, quantity, fields] of [
      [CARD, 6],
      [PACK, 1, { user_id: '12345' }],
      [AIRTIME, 1, { phone: '2015550123' }],
    ] as const)
      await add(who, item, quantity, fields)
    await setPrice(PACK, '2190')
    await changed(setStock(CARD, 5))
    await changed(
      database.ctx.db
        .updateTable('item')
        .set({ status: 'suspended' })
        .where('code', '=', AIRTIME)
        .execute(),
    )
    const { list, total } = await cartOf(who)
    expect(list.map(({ item, state, was, limit }) => [item, state, was?.minor, limit])).toEqual([
      [AIRTIME, 'gone', undefined, 0],
      [PACK, 'price_changed', '1990', 100],
      [CARD, 'limit', undefined, 5],
    ])
    expect(total.minor).toBe('2190')
    await changed(
      database.ctx.db
        .updateTable('item')
        .set({ status: 'active' })
        .where('code', '=', AIRTIME)
        .execute(),
    )
    await changed(setStock(CARD, 7))
    await setPrice(PACK, '1990')
  })

  test("somebody else's lines are not there", async () => {
    const [who, other] = [await shopper(), await shopper()]
    const id = (await add(who, CARD, 1)).list[0]?.id
    for (const [path, body] of [
      ['cart/update', { id, quantity: 2 }],
      ['cart/remove', { id }],
      ['cart/remove', { ids: [id] }],
    ] as const)
      expect(await refusal(post(other, path, body))).toMatchObject({ status: 404 })
    await add(other, CARD, 1)
    expect(
      await refusal(
        post(other, 'order/create', {
          cart: true,
          select: [id, (await cartOf(other)).list[0]?.id],
        }),
      ),
    ).toMatchObject({ status: 404 })
    expect((await cartOf(who)).list).toHaveLength(1)
    expect((await cartOf(other)).list).toHaveLength(1)
  })

  test.each([
    ['cart/add', { item: CARD, quantity: 0 }, 'quantity'],
    ['cart/add', { item: CARD, quantity: 1.5 }, 'quantity'],
    ['cart/add', { item: CARD, quantity: 1, price: '1' }, 'price'],
    ['cart/add', { quantity: 1 }, 'item'],
    ['cart/update', { id: 'x', quantity: -1 }, 'quantity'],
    ['cart/update', { id: 'x', quantity: 1_000 }, 'quantity'],
    ['cart/remove', {}, 'id'],
    ['cart/merge', { lines: [{ item: CARD, quantity: 1e9 }] }, 'lines.0.quantity'],
    ['cart/merge', { lines: 'all' }, 'lines'],
  ])('%s with %j is refused at %s', async (path, body, field) => {
    expect(await refusal(post(await shopper(), path, body))).toEqual({
      status: 422,
      code: 422,
      fields: [field],
    })
  })

  test('takes no account that does not fit the goods', async () => {
    const who = await shopper()
    expect(
      await refusal(
        post(who, 'cart/add', { item: PACK, quantity: 1, fields: { user_id: 'x', zone: '1' } }),
      ),
    ).toEqual({ status: 200, code: 2422, fields: ['fields.zone', 'fields.user_id'] })
    expect(await refusal(post(who, 'cart/add', { item: 'card:nobody:1', quantity: 1 }))).toEqual({
      status: 200,
      code: 2422,
      fields: ['item'],
    })
  })
})

describe('a form of a page, pressed twice without script', () => {
  test.each([
    ['goods', { lines: [pack] }, { lines: [{ ...pack, quantity: 1 }] }],
    ['store credit', { credit: { amount: '50.00' } }, { credit: { amount: '20.00' } }],
  ])('makes one order of %s: at once, and again a moment later', async (_, body, other) => {
    const who = await shopper()
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => create(who, body, { isForm: true })),
    )
    const [first] = answers
    expect(new Set(answers.map(({ order }) => order)).size).toBe(1)
    expect(await create(who, body, { isForm: true })).toEqual(first)
    // What is asked for by other words, or by a call, is another order.
    expect((await create(who, other, { isForm: true })).order).not.toBe(first?.order)
    expect((await create(who, body)).order).not.toBe(first?.order)
  })

  test('makes a new order once the one before is over, or has waited for a minute', async () => {
    const who = await shopper()
    const body = { lines: [pack] }
    const first = await create(who, body, { isForm: true })
    await post(who, 'order/cancel', { order: first.order })
    const second = await create(who, body, { isForm: true })
    expect(second.order).not.toBe(first.order)
    await database.ctx.db
      .updateTable('shop_order')
      .set({ created_at: new Date(database.ctx.now().getTime() - 61_000) })
      .where('public_id', '=', second.order)
      .execute()
    expect((await create(who, body, { isForm: true })).order).not.toBe(second.order)
  })
})

describe('an order of the cart', () => {
  test('takes its lines out of the cart, and leaves the others', async () => {
    const who = await shopper()
    await add(who, CARD, 2)
    const chosen = (await add(who, PACK, 1, { user_id: '12345' })).list.find(
      ({ item }) => item === PACK,
    )
    const row = await orderOf((await create(who, { cart: true, select: [chosen?.id] })).order)
    expect(row.lines.map(({ item_code: code }) => code)).toEqual([PACK])
    expect((await cartOf(who)).list.map(({ item }) => item)).toEqual([CARD])
  })

  test('pressed twice is one order: at once, and again afterwards', async () => {
    const who = await shopper()
    await add(who, CARD, 1)
    const { list } = await add(who, PACK, 1, { user_id: '12345' })
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        post(
          who,
          'order/create',
          index % 2 ? { cart: true } : { cart: true, select: list.map(({ id }) => id) },
        ),
      ),
    )
    const orders = new Set(
      answers
        .filter(({ envelope }) => envelope.code === 1)
        .map(({ envelope }) => (envelope.data as Placed).order),
    )
    expect(orders.size).toBe(1)
    const [order] = orders
    for (const { envelope } of answers)
      expect(
        envelope.code === 1 ||
          (envelope.code === 2430 && (envelope.data as Placed).order === order),
      ).toBe(true)
    expect(await create(who, { cart: true, select: list.map(({ id }) => id) })).toMatchObject({
      order,
    })
    const { envelope } = await post(who, 'order/create', { cart: true })
    expect(envelope).toMatchObject({ code: 2430, data: { order } })
    expect(
      await database.ctx.db
        .selectFrom('shop_order')
        .select('id')
        .where('account_id', '=', who.accountId)
        .execute(),
    ).toHaveLength(1)
    expect(await violations(database.ctx)).toEqual([])
  })

  test('of an empty cart is refused', async () => {
    const { envelope } = await post(await shopper(), 'order/create', { cart: true })
    expect(envelope).toMatchObject({ code: 2430, data: null })
  })

  test('leaves the cart as it is when it is refused, and names the line', async () => {
    const who = await shopper()
    await add(who, PACK, 1, { user_id: '12345' })
    const { list } = await add(who, CARD, 9)
    const card = list.find(({ item }) => item === CARD)
    expect(await refusal(post(who, 'order/create', { cart: true }))).toEqual({
      status: 200,
      code: 2422,
      fields: [`lines.${card?.id}.quantity`],
    })
    expect((await cartOf(who)).list).toHaveLength(2)
  })

  test('is refused once when a price has risen since it was shown; pressing again agrees', async () => {
    const who = await shopper()
    const { list } = await add(who, PACK, 1, { user_id: '12345' })
    await setPrice(PACK, '2500')
    const { envelope } = await post(who, 'order/create', { cart: true })
    expect(envelope).toMatchObject({ code: 2435, data: { lines: [list[0]?.id] } })
    expect((await cartOf(who)).list[0]).toMatchObject({
      state: 'price_changed',
      was: { minor: '1990' },
    })
    expect(await orderOf((await create(who, { cart: true })).order)).toMatchObject({
      goods_minor: '2500',
    })
    await setPrice(PACK, '1990')
  })

  test('a rise that the cart has shown needs no second press, and a fall none at all', async () => {
    const who = await shopper()
    await add(who, PACK, 1, { user_id: '12345' })
    await setPrice(PACK, '2500')
    await cartOf(who)
    await create(who, { cart: true })
    await add(who, PACK, 1, { user_id: '12345' })
    await setPrice(PACK, '1990')
    expect(await orderOf((await create(who, { cart: true })).order)).toMatchObject({
      goods_minor: '1990',
    })
  })

  test('comes to the sum of its lines as the cart showed it, whatever is in it', async () => {
    const who = await shopper()
    const line = fc.record({
      item: fc.constantFrom(PACK, 'game:dragon-quarry:global:pass'),
      quantity: fc.integer({ min: 1, max: 100 }),
      account: fc.integer({ min: 10_000, max: 99_999 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('USD', 'JPY'),
        async (lines, currency) => {
          await post(
            who,
            'cart/merge',
            {
              lines: lines.map(({ item, quantity, account }) => ({
                item,
                quantity,
                fields: { user_id: String(account) },
              })),
            },
            { currency },
          )
          const cart = await cartOf(who, currency)
          const row = await orderOf((await create(who, { cart: true }, { currency })).order)
          const sum = row.lines.reduce(
            (all, { price_minor: price, quantity }) => all + BigInt(price) * BigInt(quantity),
            0n,
          )
          expect([row.goods_minor, row.total_minor, cart.total.minor]).toEqual([
            String(sum),
            String(sum),
            String(sum),
          ])
          await post(who, 'order/cancel', { order: row.public_id })
        },
      ),
      { numRuns: 15 },
    )
  })
})
