import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CASES_A_DAY } from '#features/buying/after-sales/rules.ts'
import { acceptCase, declineCase, openCase } from '#features/buying/after-sales/commands.ts'
import { listForOperators } from '#features/buying/after-sales/queries.ts'
import { bankTransfers, recordReceipt } from '#features/buying/bank-transfer/commands.ts'
import { loadSnapshot, type ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { orderNumber } from '#features/buying/order/engine/order-number.ts'
import { BANK_TRANSFER } from '#features/goods/pay-method/rules.ts'
import { checkPayment, startPaying, sweepPayments } from '#features/buying/payment/flows.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { buyUnit } from '#features/supply/purchase/flows.ts'
import { registerSuppliers, setOffers } from '#features/supply/routing/commands.ts'
import { startSession } from '#features/people/session/commands.ts'
import { getLanguage, LANGUAGE_CODES } from '#kernel/language.ts'
import { transaction } from '#platform/ctx.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { addAccount } from '../../test/support/accounts.ts'
import { buy, stock, violations, type TestItem } from '../../test/support/buying.ts'
import { minutesLater } from '../../test/support/clock.ts'
import { importSmallCatalogue } from '../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../test/support/database.ts'
import { createFakePayments } from '../../test/support/fake-payment.ts'
import { createFakeSupplier } from '../../test/support/fake-supplier.ts'
import { readPdfText } from '../../test/support/pdf-text.ts'
import { testServices } from '../../test/support/services.ts'
import { PERSONAL_CALLS } from './personal/calls.ts'
import { sessionCookieName } from './personal/cookies.ts'
import { createPersonalCalls, type PersonalAnswer, type PersonalCalls } from './personal/run.ts'
import { asOperator } from '../../test/support/operators.ts'
import { beginPaying } from '../../test/support/paying.ts'

const database = useDatabase()
const visitor = {
  address: '203.0.113.9',
  network: '203.0.113.0/24',
  userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0',
}
const fake = createFakePayments()
const payments = { ...testServices.payments, providers: new Map([['fake', fake.provider]]) }
const withTransfers = () => ({
  ...payments,
  providers: new Map([...payments.providers, [BANK_TRANSFER, bankTransfers(database.ctx)]]),
})
let shop: ShopSnapshot
let calls: PersonalCalls
let card: TestItem
// Keys of this brand have 16 characters; those of one order begin alike.
let letter = 'KEYSA'

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  shop = await loadSnapshot(database.ctx.db, 1)
  calls = createPersonalCalls({
    ctx: database.ctx,
    snapshot: () => shop,
    services: { ...testServices, payments },
  })
  const { id } = await database.ctx.db
    .selectFrom('item')
    .select('id')
    .where('code', '=', 'card:vapour:us:10')
    .executeTakeFirstOrThrow()
  card = { id, code: 'card:vapour:us:10', brand: 'vapour', product: 'vapour-us' }
})
afterEach(async () => expect(await violations(database.ctx)).toEqual([]))

interface Shopper {
  readonly accountId: string
  readonly cookie: string
  readonly email: string
}

async function shopper(): Promise<Shopper> {
  const { ctx } = database
  const accountId = await addAccount(ctx)
  const { token } = await transaction(ctx, (tx) => startSession(tx, ctx, { accountId, visitor }))
  const { email } = await ctx.db
    .selectFrom('account')
    .select('email')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return { accountId, cookie: `${sessionCookieName(true)}=${token}`, email: email ?? '' }
}

function call(
  who: Shopper | null,
  method: 'GET' | 'POST',
  path: string,
  input: unknown = {},
  language = 'en',
): Promise<PersonalAnswer> {
  const params = new URLSearchParams({
    lang: language,
    ...(method === 'GET' ? (input as Record<string, string>) : {}),
  })
  return calls.run({
    method,
    path,
    params,
    body: method === 'POST' ? input : undefined,
    cookieHeader: who?.cookie,
    visitor,
  })
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Reply = Record<string, any>

/** `data` of an answer that went well, which fits its published shape with nothing beside it. */
async function data(
  who: Shopper | null,
  method: 'GET' | 'POST',
  path: string,
  input: unknown = {},
  language = 'en',
): Promise<Reply> {
  const { status, envelope } = await call(who, method, path, input, language)
  expect({ status, ...envelope }).toMatchObject({ status: 200, code: 1 })
  const { data: shape } = PERSONAL_CALLS.find(
    (each) => each.path === path && each.method === method,
  ) as (typeof PERSONAL_CALLS)[number]
  expect(shape.parse(envelope.data)).toEqual(envelope.data)
  return envelope.data as Reply
}
const codeOf = async (answer: Promise<PersonalAnswer>) => (await answer).envelope.code

async function ordered(who: Shopper, quantity = 1) {
  letter = `KEYS${String.fromCharCode(letter.charCodeAt(4) + 1)}`
  await stock(database.ctx, card, letter, quantity)
  return buy(database.ctx, [{ item: card, quantity }], { accountId: who.accountId })
}
async function begin(made: {
  readonly id: string
  readonly publicId: string
  readonly accountId: string
}) {
  return (await beginPaying(database.ctx, payments, made, { feeMinor: 30n })).id
}
async function delivered(who: Shopper, quantity = 1) {
  const made = await ordered(who, quantity)
  const attempt = await begin(made)
  fake.pay(attempt, { minor: BigInt(quantity) * 1_000n + 30n, currency: 'USD' })
  await checkPayment(database.ctx, payments, attempt)
  return made
}
const operator = () => asOperator(database.ctx, 'test')
const openCaseOf = async (orderId: string) =>
  (await listForOperators(database.ctx.db, 'open')).find((found) => found.orderId === orderId)
    ?.publicId ?? ''

describe('an order', () => {
  test('is shown with its goods, money, units and history, in the language of the call', async () => {
    const who = await shopper()
    const { publicId, number } = await delivered(who, 2)
    const order = await data(who, 'GET', 'order/detail', { order: publicId })
    expect(order).toMatchObject({
      order: publicId,
      order_no: number,
      status: 'completed',
      status_text: 'Completed',
      tone: 'ok',
      seconds_left: 0,
      goods: { text: '$20.00' },
      fee: { text: '$0.30' },
      total: { minor: '2030' },
      paid: { minor: '2030' },
      refunded: null,
      payment: {
        method: 'card',
        method_text: 'Visa or Mastercard',
        status: 'paid',
        status_text: 'Paid',
        tone: 'ok',
      },
      can: { pay: false, cancel: false, request_refund: true, review: true },
    })
    expect(order.heading).toMatch(/^Delivered in \d+ seconds?$/)
    expect(order.events.map(({ text }: Reply) => text)).toEqual([
      'Order placed',
      'Payment started',
      'Paid',
      'Delivered',
    ])
    expect(order.events[0].at_text).toMatch(/ \d\d:\d\d UTC$/)
    expect(order.events[1].at_text).toMatch(/^\d\d:\d\d:\d\d$/)
    expect(order.lines).toMatchObject([
      {
        item: 'card:vapour:us:10',
        product_code: 'vapour-us',
        goods_name: 'Vapour Gift Card',
        label: '$10',
        region: 'United States',
        path: '/cards/vapour-us',
        quantity: 2,
        units: [{ status: 'delivered', revealed_at: null }, {}],
      },
    ])
    expect(JSON.stringify(order)).not.toContain(`${letter}000`)
    expect((await data(who, 'GET', 'order/detail', { order: publicId }, 'de')).total.text).toBe(
      '20,30\u00a0$',
    )
  })

  test("is another's or nobody's to everybody else", async () => {
    const [who, stranger] = [await shopper(), await shopper()]
    const { publicId: order } = await delivered(who)
    const own = [
      ['GET', 'order/detail', { order }],
      ['POST', 'order/cancel', { order }],
      ['POST', 'order/refund_request', { order, reason: 'mistake' }],
      ['POST', 'order/withdraw_request', { order }],
      ['GET', 'order/receipt', { order }],
      ['POST', 'review/create', { order, product: 'vapour-us', rating: 5 }],
    ] as const
    for (const [method, path, input] of own) {
      expect([path, await codeOf(call(stranger, method, path, input))]).toEqual([path, 404])
      expect([path, await codeOf(call(null, method, path, input))]).toEqual([path, 401])
      expect([
        path,
        await codeOf(call(who, method, path, { ...input, order: 'x'.repeat(22) })),
      ]).toEqual([path, 404])
      if (method === 'GET')
        for (const order of ['', 'a\0b', 'x'.repeat(500)])
          expect([path, await codeOf(call(who, method, path, { order }))]).toEqual([path, 404])
      if (method === 'POST')
        for (const wrong of [
          { ...input, order: 7 },
          { ...input, order: null },
          { ...input, price: 1 },
        ])
          expect([path, await codeOf(call(who, method, path, wrong))]).toEqual([path, 422])
    }
    expect((await data(stranger, 'GET', 'order/index')).total).toBe(0)
    expect(await codeOf(call(null, 'GET', 'order/index'))).toBe(401)
  })

  test('that was paid in part says what arrived and what is missing, and gives it back when it is cancelled', async () => {
    const who = await shopper()
    const made = await ordered(who)
    fake.pay(await begin(made), { minor: 700n, currency: 'USD' })
    await sweepPayments(minutesLater(database.ctx, 2), payments)
    const part = {
      status: 'processing',
      paid: { text: '$7.00' },
      missing: { text: '$3.30', minor: '330' },
      total: { text: '$10.30' },
    }
    expect(await data(who, 'GET', 'order/detail', { order: made.publicId })).toMatchObject({
      ...part,
      heading: 'Part of your payment is missing',
      payment: { status: 'partly_paid', tone: 'warn' },
      can: { pay: false, pay_rest: false, cancel: true, request_refund: false },
    })
    expect((await data(who, 'GET', 'order/index')).list).toMatchObject([
      { missing: { minor: '330' }, can: { pay: false, pay_rest: false, cancel: true } },
    ])
    // Nothing can be added to a payment like this one: nothing is to be waited for.
    expect(await data(who, 'GET', 'pay/status', { order: made.publicId })).toMatchObject({
      ...part,
      payment: 'partly_paid',
      is_payable: false,
      is_settled: true,
    })
    expect(await data(who, 'POST', 'order/cancel', { order: made.publicId })).toMatchObject({
      heading: 'Payment being returned',
      missing: null,
      paid: { minor: '700' },
      payment: { status: 'received' },
      can: { cancel: false },
    })
    expect(await codeOf(call(who, 'POST', 'order/cancel', { order: made.publicId }))).toBe(2423)
    await submitRefunds(database.ctx, payments.providers)
    expect(await data(who, 'GET', 'order/detail', { order: made.publicId })).toMatchObject({
      status: 'refunded',
      refunded: { minor: '700' },
      missing: null,
    })
  })

  test('of which a transfer brought a part waits for the rest, which completes it', async () => {
    const who = await shopper()
    const made = await ordered(who)
    const services = withTransfers()
    await startPaying(database.ctx, services, {
      order: made.publicId,
      accountId: who.accountId,
      provider: BANK_TRANSFER,
      method: 'bank',
      feeMinor: 0n,
    })
    const received = async (minor: bigint) => {
      const { attemptId } = await recordReceipt(asOperator(database.ctx), {
        orderNumber: made.number,
        money: { minor, currency: 'USD' },
        reference: `${made.number} ${minor}`,
      })
      await checkPayment(database.ctx, services, attemptId)
    }
    await received(400n)
    expect(await data(who, 'GET', 'order/detail', { order: made.publicId })).toMatchObject({
      paid: { minor: '400' },
      missing: { minor: '600' },
      can: { pay: false, pay_rest: true, cancel: true },
    })
    expect(await data(who, 'GET', 'pay/status', { order: made.publicId })).toMatchObject({
      payment: 'partly_paid',
      missing: { minor: '600' },
      is_settled: false,
    })
    await received(100n)
    expect(await data(who, 'GET', 'pay/status', { order: made.publicId })).toMatchObject({
      missing: { minor: '500' },
    })
    await received(500n)
    expect(await data(who, 'GET', 'order/detail', { order: made.publicId })).toMatchObject({
      status: 'completed',
      missing: null,
      can: { pay_rest: false, cancel: false },
    })
    expect(await data(who, 'GET', 'pay/status', { order: made.publicId })).toMatchObject({
      payment: 'paid',
      is_settled: true,
    })
  })

  test('stands in the list, filtered and paged', async () => {
    const who = await shopper()
    const [first, second] = [await delivered(who), await ordered(who)]
    const numbers = async (input: object) =>
      (await data(who, 'GET', 'order/index', input)).list.map(({ order_no }: Reply) => order_no)
    expect(await numbers({})).toEqual([second.number, first.number])
    expect(await numbers({ status: 'unpaid' })).toEqual([second.number])
    expect(await numbers({ status: 'completed', kind: 'card' })).toEqual([first.number])
    expect(await numbers({ kind: 'direct' })).toEqual([])
    expect(await numbers({ page: '2', limit: '1' })).toEqual([first.number])
    expect(
      await data(who, 'GET', 'order/index', { status: 'nonsense', kind: '7', page: '-1' }),
    ).toMatchObject({ total: 2, page: 1 })
  })

  test('that is not paid is cancelled once, whoever else asks, and its open payment is ended first', async () => {
    const who = await shopper()
    const made = await ordered(who)
    const attempt = await begin(made)
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => call(who, 'POST', 'order/cancel', { order: made.publicId })),
    )
    expect(answers.map(({ envelope }) => envelope.code)).toEqual(Array(32).fill(1))
    expect(fake.of(attempt).status).toBe('voided')
    expect(await data(who, 'GET', 'order/detail', { order: made.publicId })).toMatchObject({
      status: 'cancelled',
      can: { pay: false, cancel: false, request_refund: false, review: false },
    })
    expect(
      await codeOf(call(who, 'POST', 'order/cancel', { order: (await delivered(who)).publicId })),
    ).toBe(2423)
  })
})

describe('a check without signing in', () => {
  test('tells how far an order is, and nothing else of it', async () => {
    const who = await shopper()
    const { number } = await delivered(who)
    const told = await data(null, 'POST', 'order/check', {
      order_no: ` ${number.slice(0, 4)} ${number.slice(4)}`,
      email: who.email.toUpperCase(),
    })
    expect(told).toMatchObject({ order_no: number, status: 'completed' })
    expect(Object.keys(told).toSorted()).toEqual([
      'created_at',
      'created_at_text',
      'events',
      'order_no',
      'status',
      'status_text',
      'tone',
    ])
  })

  test('refuses a wrong number and a wrong address with the same words', async () => {
    const [who, other] = [await shopper(), await shopper()]
    const { number } = await ordered(who)
    const answers = [
      await call(null, 'POST', 'order/check', { order_no: number, email: other.email }),
      await call(null, 'POST', 'order/check', {
        order_no: orderNumber(10n ** 11n, (text) => database.ctx.keys.mac('order number', text)),
        email: who.email,
      }),
      await call(null, 'POST', 'order/check', {
        order_no: "' or 1=1 --",
        email: 'nobody@example.com',
      }),
      await call(null, 'POST', 'order/check', {
        order_no: number.replace(/.$/, (digit) => String((Number(digit) + 1) % 10)),
        email: who.email,
      }),
    ]
    expect(answers.map(({ status, envelope }) => ({ status, envelope }))).toEqual(
      Array(4).fill({ status: 200, envelope: answers[0]?.envelope }),
    )
    expect(answers[0]?.envelope).toMatchObject({
      code: 2422,
      data: { fields: [{ field: 'order_no' }] },
    })
    expect(await codeOf(call(null, 'POST', 'order/check', { order_no: number }))).toBe(422)
    expect(
      (await call(null, 'POST', 'order/check', { order_no: '', email: '' })).envelope.data,
    ).toMatchObject({ fields: [{ field: 'order_no' }, { field: 'email' }] })
  })

  test('is for people, not for trying pairs', async () => {
    const who = await shopper()
    const { number } = await ordered(who)
    const strict = createPersonalCalls({
      ctx: { ...database.ctx, isLimited: true },
      snapshot: () => shop,
      services: testServices,
    })
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        strict.run({
          method: 'POST',
          path: 'order/check',
          params: new URLSearchParams(),
          body: { order_no: number, email: `try${index}@example.com` },
          cookieHeader: undefined,
          visitor: { ...visitor, network: '198.51.100.0/24' },
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  })
})

const ONCE = new Set([1, 2433, 429])

describe('a refund request', () => {
  test('that is refused is none of those that somebody may make in a day', async () => {
    const who = await shopper()
    const { publicId: order } = await delivered(who)
    const ask = () =>
      codeOf(call(who, 'POST', 'order/refund_request', { order, reason: 'code_invalid' }))
    expect(await ask()).toBe(1)
    for (let refused = 0; refused < CASES_A_DAY; refused += 1) expect(await ask()).toBe(2433)
    await data(who, 'POST', 'order/withdraw_request', { order })
    for (let made = 2; made <= CASES_A_DAY; made += 1) {
      expect([made, await ask()]).toEqual([made, 1])
      await data(who, 'POST', 'order/withdraw_request', { order })
    }
    expect(await ask()).toBe(429)
  })

  test('is made once of 32 at a time, holds the order, and can be taken back', async () => {
    const who = await shopper()
    const { publicId: order } = await delivered(who)
    const answers = await Promise.all(
      Array.from({ length: 32 }, () =>
        call(who, 'POST', 'order/refund_request', {
          order,
          reason: 'code_invalid',
          text: 'It says invalid.',
        }),
      ),
    )
    // At one moment no more are tried than somebody may open in a day.
    const codes = answers.map(({ envelope }) => envelope.code)
    expect(codes.filter((code) => code === 1)).toHaveLength(1)
    expect(new Set(codes)).toEqual(expect.toSatisfy((all: Set<number>) => all.isSubsetOf(ONCE)))
    expect(await data(who, 'GET', 'order/detail', { order })).toMatchObject({
      status: 'processing',
      heading: 'We’re looking into your request',
      can: { request_refund: false },
    })
    expect((await data(who, 'GET', 'order/index', { status: 'after-sales' })).total).toBe(1)
    expect(await data(who, 'POST', 'order/withdraw_request', { order })).toMatchObject({
      status: 'completed',
      can: { request_refund: true },
    })
    expect(await codeOf(call(who, 'POST', 'order/withdraw_request', { order }))).toBe(2423)
  })

  test('that is agreed to gives the units back, and the rest stays', async () => {
    const who = await shopper()
    const { id, publicId: order } = await delivered(who, 2)
    const [unit] = (await data(who, 'GET', 'order/detail', { order })).lines[0].units
    await data(who, 'POST', 'order/refund_request', {
      order,
      units: [unit.id],
      reason: 'code_used',
      text: 'Used before.',
      to: 'original',
    })
    const found = await openCaseOf(id)
    expect(await acceptCase(operator(), found, 'Sorry for that.')).toEqual({
      amountMinor: 1_000n,
      waits: null,
    })
    await submitRefunds(database.ctx, payments.providers)
    const after = await data(who, 'GET', 'order/detail', { order })
    expect(after).toMatchObject({
      status: 'completed',
      status_text: 'Partly refunded',
      tone: null,
      heading: '1 of 2 delivered, $10.00 sent back',
      refunded: { minor: '1000' },
      net: { minor: '1030' },
      payment: { status: 'partly_refunded' },
    })
    const { file } = await call(who, 'GET', 'order/receipt', { order })
    const receipt = readPdfText(Buffer.from(file?.body ?? '')).actual
    // What its buyer has paid in the end stands last, after what went back.
    expect(receipt.slice(receipt.indexOf('Total'))).toEqual([
      'Total',
      '$20.30',
      expect.stringMatching(/^Refunded, /),
      '−$10.00',
      'Total after refund',
      '$10.30',
      translatorOf('en')('order.receipt.note'),
    ])
    expect(after.events.at(-1)).toMatchObject({ text: 'Refunded $10.00', tone: null })
    const listed = (await data(who, 'GET', 'order/index')).list[0]
    expect(listed).toMatchObject({ status_text: 'Partly refunded', tone: null })
    await expect(acceptCase(operator(), found, '')).rejects.toMatchObject({ code: 'order_closed' })
  })

  test('that is refused lets the order go on', async () => {
    const who = await shopper()
    const { id, publicId: order } = await delivered(who)
    await data(who, 'POST', 'order/refund_request', { order, reason: 'mistake' })
    await declineCase(operator(), await openCaseOf(id), 'The code was used by you.')
    expect((await data(who, 'GET', 'order/detail', { order })).events.at(-1).text).toBe(
      'Request declined',
    )
    await expect(declineCase(operator(), 'x'.repeat(22), '')).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test("is none of nothing, of others' units, or of what is not paid", async () => {
    const [who, other] = [await shopper(), await shopper()]
    const unpaid = await ordered(who)
    expect(
      await codeOf(
        call(who, 'POST', 'order/refund_request', { order: unpaid.publicId, reason: 'mistake' }),
      ),
    ).toBe(2423)
    const [{ publicId: order }, foreign] = [await delivered(who), await delivered(other)]
    const [unit] = (await data(other, 'GET', 'order/detail', { order: foreign.publicId })).lines[0]
      .units
    expect(
      await codeOf(
        call(who, 'POST', 'order/refund_request', { order, units: [unit.id], reason: 'mistake' }),
      ),
    ).toBe(404)
    expect(
      await codeOf(
        call(who, 'POST', 'order/refund_request', { order, units: [], reason: 'mistake' }),
      ),
    ).toBe(2422)
    expect(
      await codeOf(call(who, 'POST', 'order/refund_request', { order, reason: 'other' })),
    ).toBe(2422)
    for (const wrong of [
      { reason: 'because' },
      { reason: 'other', to: 'cash' },
      { reason: 'other', text: 'x'.repeat(2_001) },
    ])
      expect(await codeOf(call(who, 'POST', 'order/refund_request', { order, ...wrong }))).toBe(422)
    expect(
      await codeOf(
        call(who, 'POST', 'order/refund_request', {
          order,
          reason: 'mistake',
          picture: 'y'.repeat(22),
        }),
      ),
    ).toBe(2422)
  })

  test('about one key may stand beside one about another', async () => {
    const who = await shopper()
    const made = await delivered(who, 2)
    const units = (
      await data(who, 'GET', 'order/detail', { order: made.publicId })
    ).lines[0].units.map(({ id }: Reply) => id as string) as string[]
    const report = (unit: string) =>
      openCase(database.ctx, who.accountId, {
        kind: 'faulty_key',
        order: made.publicId,
        units: [unit],
        reason: 'code_invalid',
        text: 'no',
        picture: null,
        destination: 'original',
      })
    const [first] = [await report(units[0] ?? ''), await report(units[1] ?? '')]
    await expect(report(units[0] ?? '')).rejects.toMatchObject({ code: 'case_open' })
    await acceptCase(operator(), first, '')
    expect(
      await database.ctx.db
        .selectFrom('shop_order')
        .select('hold')
        .where('id', '=', made.id)
        .executeTakeFirstOrThrow(),
    ).toEqual({ hold: 'refund_requested' })
  })
})

describe('a review', () => {
  test('is written once of 32 at a time, by whoever got the goods, and is shown as theirs', async () => {
    const who = await shopper()
    const { publicId: order } = await delivered(who)
    const body = {
      order,
      product: 'vapour-us',
      grade: 'excellent',
      text: '  Quick.\r\n\r\n\r\nGood.\u202e ',
    }
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => call(who, 'POST', 'review/create', body)),
    )
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual([
      1,
      ...Array<number>(31).fill(2431),
    ])
    const [review] = (await loadSnapshot(database.ctx.db, 2)).reviews
    expect(review).toMatchObject({
      brand: 'vapour',
      rating: 5,
      text: 'Quick.\n\nGood.',
      isVerified: true,
    })
    expect(review?.nickname).toMatch(/^S\*\*\*/)
    expect((await data(who, 'GET', 'order/detail', { order })).can.review).toBe(false)
  })

  test('is refused before the goods came, and for goods the order has none of', async () => {
    const who = await shopper()
    const unpaid = await ordered(who)
    expect(
      await codeOf(
        call(who, 'POST', 'review/create', {
          order: unpaid.publicId,
          product: 'vapour-us',
          rating: 5,
        }),
      ),
    ).toBe(2432)
    const { publicId: order } = await delivered(who)
    expect(
      await codeOf(call(who, 'POST', 'review/create', { order, product: 'us-bell', rating: 5 })),
    ).toBe(2432)
    expect(
      await codeOf(call(who, 'POST', 'review/create', { order, product: 'nothing', rating: 5 })),
    ).toBe(404)
    expect(await codeOf(call(who, 'POST', 'review/create', { order, product: 'vapour-us' }))).toBe(
      2422,
    )
    for (const wrong of [
      { rating: 0 },
      { rating: 6 },
      { rating: 4.5 },
      { rating: '5' },
      { rating: 5, text: 'x'.repeat(1_001) },
    ])
      expect(
        await codeOf(call(who, 'POST', 'review/create', { order, product: 'vapour-us', ...wrong })),
      ).toBe(422)
  })
})

test('a receipt is a PDF for whoever paid, in the language it was bought in, whoever reads it', {
  timeout: 600_000,
}, async () => {
  const who = await shopper()
  const made = await delivered(who)
  for (const language of LANGUAGE_CODES) {
    await database.ctx.db
      .updateTable('shop_order')
      .set({ language })
      .where('id', '=', made.id)
      .execute()
    const { file } = await call(who, 'GET', 'order/receipt', { order: made.publicId })
    expect(file).toMatchObject({ name: `receipt-${made.number}.pdf`, type: 'application/pdf' })
    const t = translatorOf(language)
    const told = readPdfText(Buffer.from(file?.body ?? ''))
    expect(told).toMatchObject({
      language: getLanguage(language).tag,
      title: t('order.receipt.title', { number: made.number }),
    })
    const {
      lines: [line],
    } = await data(who, 'GET', 'order/detail', { order: made.publicId }, language)
    expect(told.actual).toEqual(
      expect.arrayContaining([t('order.receipt.goods'), t('order.receipt.note'), line?.goods_name]),
    )
    expect(told.actual.join('\n')).toContain(line?.region)
  }
  expect(
    await codeOf(call(who, 'GET', 'order/receipt', { order: (await ordered(who)).publicId })),
  ).toBe(2423)
})

test('what could not be credited is corrected by its buyer alone, by the rules of the goods, for the same money', async () => {
  const { ctx } = database
  const [who, other] = [await shopper(), await shopper()]
  const { id } = await ctx.db
    .selectFrom('item')
    .select('id')
    .where('code', '=', 'game:dragon-quarry:global:1200')
    .executeTakeFirstOrThrow()
  const item = {
    id,
    code: 'game:dragon-quarry:global:1200',
    brand: 'dragon-quarry',
    product: 'dragon-quarry-global',
  }
  const made = await buy(
    ctx,
    [{ item, delivery: 'direct_charge', accountFields: { user_id: '11111' } }],
    { accountId: who.accountId },
  )
  const attempt = await begin(made)
  fake.pay(attempt, { minor: 1_030n, currency: 'USD' })
  await checkPayment(ctx, payments, attempt)
  const fakeSupplier = createFakeSupplier('credits')
  await registerSuppliers(ctx, ['credits'])
  await setOffers(ctx, [
    {
      item: id,
      supplier: 'credits',
      priority: 0,
      kind: 'topup',
      product: 'sku',
      face: null,
      cost: { minor: 700n, currency: 'USD' },
      fields: {},
    },
  ])
  const unit = await ctx.db
    .selectFrom('order_unit')
    .select(['id', 'public_id'])
    .where('order_id', '=', made.id)
    .executeTakeFirstOrThrow()
  await ctx.db
    .insertInto('supply_queue')
    .values({
      unit_id: unit.id,
      supplier: 'credits',
      due_at: ctx.now(),
      rank_at: ctx.now(),
      turn: 0,
    })
    .execute()
  fakeSupplier.next({ kind: 'failed', class: 'customer' })
  const taken = { unitId: unit.id, orderId: made.id }
  await buyUnit(ctx, fakeSupplier.provider, taken, () => Promise.resolve())

  const order = await data(who, 'GET', 'order/detail', { order: made.publicId })
  expect(order).toMatchObject({
    status: 'processing',
    lines: [{ units: [{ status: 'needs_input' }] }],
  })
  const correct = (by: Shopper, fields: Record<string, string>) =>
    call(by, 'POST', 'order/correct', { order: made.publicId, unit: unit.public_id, fields })
  expect(await codeOf(correct(other, { user_id: '22222' }))).toBe(404)
  const { envelope } = await correct(who, { user_id: 'abc' })
  expect(envelope).toMatchObject({
    code: 2422,
    data: { fields: [{ field: 'fields.user_id' }] },
  })
  expect((await correct(who, { user_id: '22222' })).envelope).toMatchObject({
    code: 1,
    data: { lines: [{ fields: [{ value: '22222' }], units: [{ status: 'queued' }] }] },
  })
  expect(await codeOf(correct(who, { user_id: '33333' }))).toBe(2423)
  await buyUnit(ctx, fakeSupplier.provider, taken, () => Promise.resolve())
  expect(fakeSupplier.calls.at(-1)?.fields).toEqual({ user_id: '22222' })
  expect((await data(who, 'GET', 'order/detail', { order: made.publicId })).status).toBe(
    'completed',
  )
})
