import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openCase } from '#features/buying/after-sales/commands.ts'
import { recordNotice } from '#features/buying/payment/commands.ts'
import {
  checkPayment,
  expireUnheard,
  settleNotices,
  sweepPayments,
} from '#features/buying/payment/flows.ts'
import { requestRefund } from '#features/buying/refund/commands.ts'
import { submitRefund, submitRefunds } from '#features/buying/refund/flows.ts'
import { storeCreditPayments } from '#features/buying/store-credit/commands.ts'
import { recordUnmatched } from '#features/buying/unmatched-payment/commands.ts'
import { readHealth } from '#features/office/health/queries.ts'
import { healthProblems } from '#features/office/health/rules.ts'
import { linkIdentity } from '#features/people/identity/commands.ts'
import { beginSignIn, finishSignIn } from '#features/people/identity/flows.ts'
import { BINDING_COOKIE } from '#features/people/identity/rules.ts'
import { PERSONAL_CALLS } from '#api/personal/calls.ts'
import { transaction } from '#platform/ctx.ts'
import { isRefusal } from '#platform/refusal.ts'
import type { IdentityProvider } from '#providers/identity/provider.ts'
import { ROUTES } from '#storefront/routes.ts'
import { getPageForms } from '#storefront/server/registry.ts'
import { addItem, buy, stock, violations } from '../test/support/buying.ts'
import { importSmallCatalogue } from '../test/support/catalogue-folder.ts'
import { minutesLater } from '../test/support/clock.ts'
import { useDatabase } from '../test/support/database.ts'
import { createFakePayments } from '../test/support/fake-payment.ts'
import { firstOwner } from '../test/support/operators.ts'
import { beginPaying } from '../test/support/paying.ts'
import { PHONE, signedIn, somebody } from '../test/support/people.ts'
import { startShop, type RunningShop } from '../test/support/running-shop.ts'
import { commands } from './cli/contents.ts'

/**
 * A shop whose settings of a payment service, a sign-in service, mail and text messages were taken away while work of theirs was open.
 * Whatever is asked of it then has a clear answer, what waits for them goes on waiting, and the owner is told of it.
 */
const database = useDatabase()
const GONE = 'stripe'
const gone = createFakePayments(GONE)
const before = {
  providers: new Map([[GONE, gone.provider]]),
  publicUrl: 'https://shop.example',
}
const after = () => ({
  providers: new Map([['store-credit', storeCreditPayments(database.ctx)]]),
  publicUrl: 'https://shop.example',
})
const usd = (minor: bigint) => ({ minor, currency: 'USD' })

interface Left {
  readonly what: string
  readonly id: string
  readonly publicId: string
  readonly number: string
  readonly accountId: string
  readonly attempt: string
}

let shop: RunningShop
const left: Left[] = []
/** By the name that the table of contents has for a parameter. */
const named: Record<string, string[]> = {}

beforeAll(async () => {
  const { ctx } = database
  await importSmallCatalogue(ctx)
  await begun('begun')
  const unheard = await ordered('never heard of')
  gone.faults.push('lost_request')
  await begin(unheard).catch(() => {})
  left.push({ ...unheard, attempt: await attemptOf(unheard.id) })
  const { attempt: seen } = await begun('seen')
  gone.set(seen, { status: 'seen' })
  await checkPayment(ctx, before, seen)
  await paid('paid', 1_000n)
  await paid('paid too little', 400n)
  const back = await paid('asked back', 1_000n)
  const { publicId: refund } = await requestRefund(ctx, {
    orderId: back.id,
    unitIds: null,
    destination: 'original',
    reason: 'faulty_key',
    requestedBy: 'operator:ann',
    approvedBy: 'operator:bob',
  })
  const failing = await paid('refund failed', 1_000n)
  const { publicId: failed, refundId } = await requestRefund(ctx, {
    orderId: failing.id,
    unitIds: null,
    destination: 'original',
    reason: 'goodwill',
    requestedBy: 'operator:ann',
    approvedBy: 'operator:bob',
  })
  gone.faults.push('refuse')
  await submitRefund(ctx, before.providers, refundId)
  const waiting = await paid('refund to approve', 1_000n)
  const { publicId: toApprove } = await requestRefund(ctx, {
    orderId: waiting.id,
    unitIds: null,
    destination: 'original',
    reason: 'goodwill',
    requestedBy: 'operator:bob',
    approvedBy: null,
  })
  const disputed = await paid('disputed', 1_000n)
  gone.set(disputed.attempt, { isDisputed: true })
  await checkPayment(ctx, before, disputed.attempt)
  const asking = await paid('asks for money', 1_000n)
  const request = await openCase(ctx, asking.accountId, {
    kind: 'refund_request',
    order: asking.publicId,
    units: null,
    reason: 'other',
    text: '',
    picture: null,
    destination: 'original',
  })
  const byHand = await paid('by hand', 1_000n, 'direct_charge')
  await recordNotice(
    ctx,
    GONE,
    { eventId: 'evt_1', kind: 'paid', paymentReference: 'pi_1' },
    Buffer.from('{}'),
  )
  await recordUnmatched(ctx, GONE, {
    ...gone.of(byHand.attempt),
    reference: 'pi_stray',
    ourReference: '',
  })
  await addDifference(disputed.attempt)
  const ids = async (
    table: 'service_case' | 'order_unit' | 'stray_payment' | 'payment_difference',
  ) => (await ctx.db.selectFrom(table).select('public_id').execute()).map((row) => row.public_id)
  Object.assign(named, {
    '<order-number>': left.map(({ number }) => number),
    '<refund>': [refund, failed, toApprove],
    '<case>': [request, ...(await ids('service_case'))],
    '<unit>': await ids('order_unit'),
    '<payment>': await ids('stray_payment'),
    '<difference>': await ids('payment_difference'),
  })
  shop = await startShop(database.url, {
    RATE_LIMITS: 'off',
    SMTP_URL: '',
    BANK_TRANSFER_DETAILS: 'IBAN: none',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    VAULT_KEYS: `1:${Buffer.alloc(32, 3).toString('base64')}`,
  })
}, 240_000)
afterAll(() => shop.stop())

async function ordered(what: string, delivery: 'card_key' | 'direct_charge' = 'card_key') {
  const item = await addItem(database.ctx, { delivery })
  if (delivery === 'card_key') await stock(database.ctx, item, 'K', 1)
  return { what, ...(await buy(database.ctx, [{ item, delivery }])) }
}

const begin = (order: Omit<Left, 'attempt'>) =>
  beginPaying(database.ctx, before, order, { provider: GONE })

const attemptOf = async (orderId: string) =>
  (
    await database.ctx.db
      .selectFrom('payment_attempt')
      .select('id')
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow()
  ).id

async function begun(what: string, delivery?: 'card_key' | 'direct_charge'): Promise<Left> {
  const order = await ordered(what, delivery)
  await begin(order)
  const known = { ...order, attempt: await attemptOf(order.id) }
  left.push(known)
  return known
}

async function paid(what: string, minor: bigint, delivery?: 'card_key' | 'direct_charge') {
  const order = await begun(what, delivery)
  gone.pay(order.attempt, usd(minor))
  await checkPayment(database.ctx, before, order.attempt)
  return order
}

async function addDifference(attempt: string): Promise<void> {
  const { db, newId, now } = database.ctx
  await db
    .insertInto('payment_difference')
    .values({
      id: newId(),
      public_id: 'difference00000000000a',
      attempt_id: attempt,
      kind: 'refunded_elsewhere',
      currency: 'USD',
      told_minor: '500',
      known_minor: '0',
      found_at: now(),
    })
    .execute()
}

interface Reply {
  readonly status: number
  readonly text: string
}

/** Asks, and keeps the question in `faults` where the answer is a failure of the shop. */
const faults: string[] = []
async function ask(
  what: string,
  path: string,
  {
    token = '',
    body,
    type = 'application/json',
    cookie = '',
  }: {
    readonly token?: string
    readonly body?: string
    readonly type?: string
    readonly cookie?: string
  } = {},
): Promise<Reply> {
  const answer = await fetch(shop.origin + path, {
    redirect: 'manual',
    headers: {
      cookie: [...(token === '' ? [] : [`sid=${token}`]), cookie].join('; '),
      ...(body === undefined ? {} : { origin: shop.origin, 'content-type': type }),
    },
    ...(body === undefined ? {} : { method: 'POST', body }),
  })
  const text = await answer.text()
  if (answer.status >= 500)
    faults.push(`${what}: ${body === undefined ? 'GET' : 'POST'} ${path} ${answer.status}`)
  return { status: answer.status, text }
}

const tokenOf = async (accountId: string) => (await signedIn(database.ctx, accountId)).token

function expectNoFault(): void {
  expect(faults.splice(0)).toEqual([])
  const errors = shop.log.filter((line) => line.includes('"level":"error"'))
  // While the shop starts, the process that keeps the keys may not be there yet.
  expect(errors.filter((line) => !line.includes('"path":"/keys"'))).toEqual([])
}

const SAMPLES: Readonly<Record<string, string>> = { ':platform': 'google' }
const addressOf = (path: string) =>
  path.replace(/:\w+(?=\??$)/, (name) => SAMPLES[name] ?? 'x').replace(/\?$/, '')

/** Pages of one order, and rooms where somebody's orders stand. Others say the same whatever became of one. */
const tellsOfOrders = ({
  path,
  query,
}: {
  readonly path: string
  readonly query: readonly string[]
}) => query.includes('order') || path.startsWith('/user')

test('every page of every order that a payment service has left behind is shown', {
  timeout: 600_000,
}, async () => {
  for (const { path } of ROUTES) await ask('a visitor', addressOf(path))
  for (const { what, publicId, accountId } of left) {
    const token = await tokenOf(accountId)
    for (const route of ROUTES.filter((each) => tellsOfOrders(each)))
      for (const address of [addressOf(route.path), `/_data${addressOf(route.path)}`])
        await ask(what, `${address}?order=${publicId}`, { token })
  }
  expectNoFault()
})

test('nobody is sent on to pay at a service whose answer the shop would not hear', async () => {
  for (const { what, publicId, accountId } of left.filter((each) => each.what === 'begun')) {
    const token = await tokenOf(accountId)
    const page = await ask(what, `/order/pay?order=${publicId}`, { token })
    expect(page.text.includes('https://pay.example/')).toBe(false)
    const status = await ask(what, `/api/pay/status?order=${publicId}`, { token })
    expect(JSON.parse(status.text)).toMatchObject({ code: 1, data: { redirect_url: null } })
  }
})

test('to end or change a payment at a service that is gone is answered by saying that it does not answer', async () => {
  for (const { what, publicId, accountId } of left.filter((each) =>
    ['begun', 'never heard of'].includes(each.what),
  )) {
    const token = await tokenOf(accountId)
    const send = (path: string, body: object) =>
      ask(what, `/api/${path}`, { token, body: JSON.stringify(body) })
    const cancelled = await send('order/cancel', { order: publicId })
    expect([what, JSON.parse(cancelled.text).code]).toEqual([what, 2436])
    const otherwise = await send('pay/start', { order: publicId, method: 'bank-transfer' })
    expect([what, JSON.parse(otherwise.text).code]).toEqual([what, 2436])
    const again = await send('pay/start', { order: publicId, method: 'card' })
    expect([what, JSON.parse(again.text)]).toMatchObject([
      what,
      { data: { fields: [{ field: 'method' }] } },
    ])
  }
  expectNoFault()
})

test('so is every form that asks it without script', { timeout: 600_000 }, async () => {
  for (const { what, publicId, accountId } of left)
    for (const { path, page } of ROUTES.filter(({ query }) =>
      (query as readonly string[]).includes('order'),
    ))
      for (const form of Object.keys(getPageForms(page))) {
        const fields = { form, order: publicId, method: 'bank-transfer', agree: 'on' }
        await ask(what, `${addressOf(path)}?order=${publicId}`, {
          token: await tokenOf(accountId),
          body: String(new URLSearchParams({ ...fields, platform: 'google' })),
          type: 'application/x-www-form-urlencoded',
        })
      }
  expectNoFault()
})

test('what waits for it goes on waiting, breaks nothing, and the owner is told of it', async () => {
  const later = minutesLater(database.ctx, 20)
  await Promise.all([
    submitRefunds(later, after().providers),
    sweepPayments(later, after()),
    settleNotices(later, after()),
    expireUnheard(later),
  ])
  const statusOf = async (what: string) => {
    const { id } = left.find((each) => each.what === what) ?? { id: '' }
    const { status } = await database.ctx.db
      .selectFrom('shop_order')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return status
  }
  expect(await statusOf('begun')).toBe('waiting_for_payment')
  expect(await statusOf('never heard of')).toBe('expired')
  expect(await statusOf('asked back')).toBe('processing')
  const health = await readHealth(later.db, later.now(), [...after().providers.keys()])
  expect(health.withoutProvider).toEqual([{ provider: GONE, count: 6 }])
  expect(healthProblems(health, later.now()).map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^6 payments, refunds, notices and disputes wait for stripe, which/),
  )
  const aDayLater = minutesLater(database.ctx, 25 * 60)
  await expireUnheard(aDayLater)
  expect(await statusOf('begun')).toBe('expired')
  // A notice that waits for long is told as such, whoever it waits for.
  const broken = (await violations(database.ctx)).filter((line) => !line.startsWith('notice not'))
  expect(broken).toEqual([])
})

test('once its settings are back, all of it is done', async () => {
  const later = minutesLater(database.ctx, 26 * 60)
  await submitRefunds(later, before.providers)
  await settleNotices(later, before)
  await sweepPayments(later, before)
  const rows = await database.ctx.db
    .selectFrom('refund')
    .select(['status', 'approved_by'])
    .where('approved_by', 'is not', null)
    .execute()
  expect(rows.map(({ status }) => status).toSorted()).toEqual(['failed', 'succeeded', 'succeeded'])
  expect(await violations(database.ctx)).toEqual([])
})

/** Commands that read a file, ask at a terminal, or hold the shop up have tests of their own. */
const OWN_TESTS = /^(?:import|export|keys|operator|settings|jobs|cases picture|payments reconcile)/

test('every command of an operator about what is left has an answer', {
  timeout: 600_000,
}, async () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => written.mockRestore())
  vi.stubEnv('DATABASE_URL', database.url)
  vi.stubEnv('DEMO', '0')
  vi.stubEnv('PUBLIC_URL', shop.origin)
  onTestFinished(() => void vi.unstubAllEnvs())
  const given: Record<string, readonly string[]> = {
    ...named,
    '<note>': ['seen to'],
    '<email>': ['nobody@shop.example'],
    '<amount>': ['1.00'],
    '<currency>': ['USD'],
  }
  const ctx = await firstOwner(database.ctx, 'ann')
  for (const command of commands) {
    if (!('act' in command) || OWN_TESTS.test(command.name)) continue
    const [first, ...others] = command.parameters
    const run = await command.act()
    for (const subject of first === undefined ? [''] : (given[first] ?? []))
      for (const options of [[], ['--reason=other', '--to=original', '--proof=none']]) {
        const rest = others.map((name) => given[name]?.[0] ?? '')
        const args = [...(subject === '' ? [] : [subject]), ...rest, ...options]
        const error = await run(ctx, args).then(
          () => null,
          (reason: unknown) => reason,
        )
        if (error !== null && !isRefusal(error)) faults.push(`${command.name} ${args}: ${error}`)
      }
  }
  expect(faults.splice(0)).toEqual([])
  const said = written.mock.calls.map(([text]) => String(text)).join('')
  expect(said).toMatch(/it waits until stripe is set up here again, and doctor tells of it\./)
  expect(await violations(database.ctx)).toEqual([])
})

test('what was begun with a sign-in service that is gone ends in clear words', async () => {
  const { ctx } = database
  const google: IdentityProvider = {
    platform: 'google',
    name: 'Google',
    origin: 'https://accounts.example',
    check: async () => {},
    authorizationUrl: async () => new URL('https://accounts.example/'),
    exchange: async () => ({
      issuer: 'https://accounts.example',
      subject: 'kim',
      email: 'kim@accounts.example',
      emailVerified: true,
      displayName: 'Kim',
    }),
  }
  const { accountId } = await somebody(ctx)
  const token = await tokenOf(accountId)
  const identity = { ...(await google.exchange(undefined as never)), subject: 'linked' }
  await transaction(ctx, (tx) => linkIdentity(tx, ctx, { accountId, service: google, identity }))
  const begun = async (intent: 'sign_in' | 'link') => {
    const { binding } = await beginSignIn(ctx, {
      provider: google,
      publicUrl: shop.origin,
      intent,
      accountId: intent === 'link' ? accountId : null,
      redirect: '/cards',
      binding: null,
    })
    return binding
  }
  for (const intent of ['sign_in', 'link'] as const) {
    const cookie = `${BINDING_COOKIE}=${await begun(intent)}`
    const landed = await ask(intent, '/loading/google?code=1&state=2', { token, cookie })
    expect([intent, landed.status]).toEqual([intent, 302])
    const answer = JSON.stringify({ platform: 'google', code: '1', state: '2' })
    const called = await ask(intent, '/api/user/callback', { token, cookie, body: answer })
    expect([intent, JSON.parse(called.text).code]).toEqual([intent, 404])
  }
  const links = await ask('links', '/api/user/link', { token })
  expect(JSON.parse(links.text).data.list).toMatchObject([
    { platform: 'google', linked: true, offered: false },
  ])
  const page = await ask('links', '/user/link/google', { token })
  expect(page.status).toBe(200)
  const unlink = JSON.stringify({ platform: 'google' })
  expect(
    JSON.parse((await ask('unlink', '/api/user/unlink', { token, body: unlink })).text),
  ).toMatchObject({
    code: 1,
  })
  expectNoFault()
})

test('a ticket of a sign-in service that is gone still binds whom it has told of', async () => {
  const { ctx } = database
  const told = {
    issuer: 'https://accounts.example',
    subject: 'new',
    email: 'new@accounts.example',
    emailVerified: true,
    displayName: 'New',
  }
  let state = ''
  const google: IdentityProvider = {
    platform: 'google',
    name: 'Google',
    origin: 'https://accounts.example',
    check: async () => {},
    authorizationUrl: async (asked) => {
      ;({ state } = asked)
      return new URL('https://accounts.example/')
    },
    exchange: async () => told,
  }
  const { binding } = await beginSignIn(ctx, {
    provider: google,
    publicUrl: shop.origin,
    intent: 'sign_in',
    accountId: null,
    redirect: '/cards',
    binding: null,
  })
  const outcome = await finishSignIn(ctx, {
    provider: google,
    publicUrl: shop.origin,
    parameters: { code: '1', state },
    binding,
    visitor: PHONE,
    accountId: null,
    replaces: null,
  })
  const ticket = outcome.is === 'not_bound' ? outcome.ticket : ''
  const cookie = `${BINDING_COOKIE}=${binding}`
  const page = await ask('bind', `/login/bind?ticket=${ticket}`, { cookie })
  expect(page.text.includes('new@accounts.example')).toBe(true)
  const { accountId } = await somebody(ctx)
  const linked = await ask('bind', '/api/user/link', {
    token: await tokenOf(accountId),
    cookie,
    body: JSON.stringify({ ticket }),
  })
  expect(JSON.parse(linked.text).code).toBe(1)
  expectNoFault()
})

test('every call about such an order has an answer', { timeout: 600_000 }, async () => {
  const calls = PERSONAL_CALLS.toSorted((a, b) => Number(endsAccount(a)) - Number(endsAccount(b)))
  for (const { what, id, publicId, accountId } of left) {
    const [unit] = await database.ctx.db
      .selectFrom('order_unit')
      .select('public_id')
      .where('order_id', '=', id)
      .execute()
    for (const call of calls) {
      const isAbout = 'order' in call.example || 'unit' in call.example
      if (!isAbout && what !== 'begun') continue
      const input = {
        ...(call.example as Record<string, unknown>),
        ...('order' in call.example ? { order: publicId } : {}),
        ...('unit' in call.example ? { unit: unit?.public_id } : {}),
        ...('platform' in call.example ? { platform: 'google' } : {}),
      }
      const token = await tokenOf(accountId).catch(() => '')
      if (call.method === 'POST')
        await ask(what, `/api/${call.path}`, { token, body: JSON.stringify(input) })
      else
        await ask(
          what,
          `/api/${call.path}?${new URLSearchParams(input as Record<string, string>)}`,
          {
            token,
          },
        )
    }
  }
  expectNoFault()
})
const endsAccount = ({ path }: { readonly path: string }) => path === 'user/cancel'
