import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { loadSnapshot, type ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import {
  assertClaimed,
  claimKey,
  saveAnswer,
  releaseKey,
  requestText,
  type Claim,
} from '#features/base/idempotency/commands.ts'
import { paymentMethods } from '#features/goods/pay-method/schema.ts'
import { createAsking } from '#features/buying/payment/flows.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { importSmallCatalogue } from '../../test/support/catalogue-folder.ts'
import { minutesLater } from '../../test/support/clock.ts'
import { useDatabase } from '../../test/support/database.ts'
import { createFakePayments } from '../../test/support/fake-payment.ts'
import { PASSWORD, PHONE, refused, signedIn, somebody } from '../../test/support/people.ts'
import { testServices } from '../../test/support/services.ts'
import { sessionCookieName } from './personal/cookies.ts'
import { createPersonalCalls, type PersonalAnswer } from './personal/run.ts'

const database = useDatabase()
const fake = createFakePayments()
const PACK = 'game:dragon-quarry:global:1200'
const order = { lines: [{ item: PACK, quantity: 1, fields: { user_id: '12345678' } }] }
let shop: ShopSnapshot

beforeAll(() => importSmallCatalogue(database.ctx))
beforeEach(reload)

async function reload(): Promise<void> {
  shop = {
    ...(await loadSnapshot(database.ctx.db, 1)),
    payMethods: paymentMethods.parse([{ code: 'card', provider: 'fake' }]),
  }
}

interface Sender {
  readonly accountId: string
  readonly cookie: string
  readonly handle: string
}

async function sender(): Promise<Sender> {
  const { accountId } = await somebody(database.ctx)
  const { token, handle } = await signedIn(database.ctx, accountId)
  return { accountId, cookie: `${sessionCookieName(true)}=${token}`, handle }
}

interface Sending {
  readonly key?: string
  readonly lang?: string
  readonly currency?: string
  /** As a client without cookies sends it. */
  readonly byHandle?: boolean
  readonly ctx?: Ctx
}

function send(
  who: Sender,
  path: string,
  body: unknown,
  { key, lang = 'en', currency, byHandle = false, ctx = database.ctx }: Sending = {},
): Promise<PersonalAnswer> {
  const paying = {
    providers: new Map([['fake', fake.provider]]),
    publicUrl: testServices.publicUrl,
  }
  const services = { ...testServices, payments: { ...paying, ask: createAsking(ctx, paying) } }
  const params = new URLSearchParams({
    lang,
    ...(currency ? { currency_code: currency } : {}),
    ...(byHandle ? { token: who.handle } : {}),
  })
  const calls = createPersonalCalls({ ctx, snapshot: () => shop, services })
  return calls.run({
    method: 'POST',
    path,
    params,
    body,
    cookieHeader: byHandle ? undefined : who.cookie,
    visitor: PHONE,
    idempotencyKey: key,
  })
}

const codeOf = ({ envelope }: PersonalAnswer) => envelope.code
const dataOf = (answer: PersonalAnswer) => answer.envelope.data as Record<string, string>

test('what a refusal tells to do works under the same key: cancel an unpaid order, then send it again', async () => {
  const who = await sender()
  const made = await Promise.all(Array.from({ length: 5 }, () => send(who, 'order/create', order)))
  expect(codeOf(await send(who, 'order/create', order, { key: 'buy' }))).toBe(2424)
  expect(codeOf(await send(who, 'order/create', order, { key: 'buy' }))).toBe(2424)
  await send(who, 'order/cancel', { order: dataOf(made[0] as PersonalAnswer)['order'] })
  const [first, again] = [
    await send(who, 'order/create', order, { key: 'buy' }),
    await send(who, 'order/create', order, { key: 'buy' }),
  ]
  expect(codeOf(first)).toBe(1)
  expect(dataOf(again)).toEqual(dataOf(first))
})

test('a risen price is agreed to by sending the same key again', async () => {
  const who = await sender()
  await send(who, 'cart/add', order.lines[0])
  await database.ctx.db
    .updateTable('item')
    .set({ price_minor: '2100' })
    .where('code', '=', PACK)
    .execute()
  await reload()
  expect(codeOf(await send(who, 'order/create', { cart: true }, { key: 'cart' }))).toBe(2435)
  expect(codeOf(await send(who, 'order/create', { cart: true }, { key: 'cart' }))).toBe(1)
})

test('a payment service that does not answer may be asked again under the same key', async () => {
  const who = await sender()
  const { order: publicId } = dataOf(await send(who, 'order/create', order))
  fake.faults.push('lost_request')
  expect(
    codeOf(await send(who, 'pay/start', { order: publicId, method: 'card' }, { key: 'pay' })),
  ).toBe(2436)
  expect(
    codeOf(await send(who, 'pay/start', { order: publicId, method: 'card' }, { key: 'pay' })),
  ).toBe(1)
})

test('a refusal kept by a release that kept them for a day counts no more', async () => {
  const who = await sender()
  await database.ctx.db
    .insertInto('idempotency_key')
    .values({
      account_id: who.accountId,
      key: 'old',
      call: 'order/create',
      request_hash: Buffer.alloc(32, 1),
      status: 200,
      answer: JSON.stringify({ code: 2424, msg: 'Pay first.', data: null }),
      created_at: database.ctx.now(),
    })
    .execute()
  expect(codeOf(await send(who, 'order/create', order, { key: 'old' }))).toBe(1)
})

test('the currency is part of what a key stands for, the language is not: msg is in that of the caller', async () => {
  const who = await sender()
  const made = await send(who, 'order/create', order, { key: 'k' })
  expect(await send(who, 'order/create', order, { key: 'k', currency: 'JPY' })).toMatchObject({
    status: 409,
    envelope: { code: 409 },
  })
  expect(await send(who, 'order/create', order, { key: 'k', currency: 'usd' })).toMatchObject({
    status: 200,
    envelope: { code: 1, data: made.envelope.data },
  })
  const german = await send(who, 'order/create', order, { key: 'k', lang: 'de' })
  expect(german.envelope).toEqual({
    code: 1,
    msg: translatorOf('de')('api.success'),
    data: made.envelope.data,
  })
  expect(german.envelope.msg).not.toBe(made.envelope.msg)
})

test('a key stands for the same request whatever its proof and the order of its members', async () => {
  const who = await sender()
  const profile = { nickname: 'Rizky', language: 'de' }
  expect(codeOf(await send(who, 'user/profile', profile, { key: 'p', byHandle: true }))).toBe(2403)
  const made = await send(
    who,
    'user/profile',
    { ...profile, password: PASSWORD },
    { key: 'p', byHandle: true },
  )
  expect(made).toMatchObject({ status: 200, envelope: { code: 1 } })
  const again = await send(
    who,
    'user/profile',
    { language: 'de', nickname: 'Rizky', proof_code: '000000' },
    { key: 'p', byHandle: true },
  )
  expect(again.envelope).toEqual(made.envelope)
  expect(
    await send(who, 'user/profile', { ...profile, nickname: 'Raka' }, { key: 'p', byHandle: true }),
  ).toMatchObject({ status: 409 })
})

test('any JSON reads the same with its members in any order, and otherwise when a value differs', () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([key, member]) => [key, shuffled(member)]),
    )
  }
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (input, other) => {
      const text = requestText({ currency: 'USD', input })
      expect(requestText({ currency: 'USD', input: shuffled(input) })).toBe(text)
      expect(requestText({ currency: 'EUR', input })).not.toBe(text)
      expect(requestText({ currency: 'USD', input: { input, other } })).not.toBe(text)
    }),
  )
})

const SECONDS = 1 / 60
const later = (seconds: number) => minutesLater(database.ctx, seconds * SECONDS)
const claimAt = async (ctx: Ctx, accountId: string, input: unknown = 'same') =>
  (await claimKey(ctx, { accountId, key: 'k', call: 'cart/add', currency: 'USD', input })) as Claim

test('a call that slept past its claim writes nothing beside the one that runs in its place', async () => {
  const { ctx } = database
  const { accountId } = await sender()
  const slept = await claimAt(ctx, accountId)
  expect(await refused(claimAt(later(29), accountId))).toMatchObject({ code: 'still_running' })
  expect(await refused(claimAt(later(31), accountId, 'other'))).toMatchObject({ code: 'conflict' })
  const now = await claimAt(later(31), accountId)
  expect(
    await refused(
      transaction({ ...ctx, fence: (tx) => assertClaimed(tx, slept) }, () =>
        Promise.resolve('written'),
      ),
    ),
  ).toMatchObject({ code: 'still_running' })
  expect(
    await transaction({ ...ctx, fence: (tx) => assertClaimed(tx, now) }, () =>
      Promise.resolve('written'),
    ),
  ).toBe('written')
  await saveAnswer(ctx, slept, { status: 200, answer: { code: 1, data: 'of the sleeper' } })
  await releaseKey(ctx, slept)
  await saveAnswer(ctx, now, { status: 200, answer: { code: 1, data: 'of the second' } })
  expect(await claimAt(ctx, accountId)).toEqual({
    status: 200,
    answer: { code: 1, data: 'of the second' },
  })
})

test('a call stuck for 31 seconds and its repetition put one thing into the cart, not two', async () => {
  const { ctx } = database
  const who = await sender()
  const answers = await ctx.db.transaction().execute(async (tx) => {
    // Both calls wait for the prices of what they add, each with its claim made.
    await sql`lock table item in access exclusive mode`.execute(tx)
    const stuck = send(who, 'cart/add', order.lines[0], { key: 'once' })
    await waitForClaims(who, 1)
    const repeated = send(who, 'cart/add', order.lines[0], { key: 'once', ctx: later(31) })
    await waitForClaims(who, 1, 30)
    return [stuck, repeated]
  })
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([409, 200])
  const lines = await ctx.db
    .selectFrom('cart_line')
    .select('quantity')
    .where('account_id', '=', who.accountId)
    .execute()
  expect(lines).toEqual([{ quantity: 1 }])
})

async function waitForClaims(who: Sender, count: number, secondsAhead = 0): Promise<void> {
  for (let tries = 0; tries < 6_000; tries += 1) {
    const found = await database.ctx.db
      .selectFrom('idempotency_key')
      .select('key')
      .where('account_id', '=', who.accountId)
      .where('created_at', '>=', new Date(Date.now() + secondsAhead * 1_000 - 10_000))
      .execute()
    if (found.length >= count) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('the call did not claim its key')
}
