import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { approveAct, refuseAct } from '#features/office/approval/commands.ts'
import { findKeyProblem } from '#features/people/factor/queries.ts'
import { cancelUnpaid, checkPayment, startPaying } from '#features/buying/payment/flows.ts'
import { suspendOperator } from '#features/office/suspension/commands.ts'
import { APPROVED_WITHIN_HOURS } from '#features/team/approval/rules.ts'
import {
  actingAs,
  createFirstOwner,
  createOperator,
  type OperatorCtx,
} from '#features/team/operator/commands.ts'
import type { OperatorRole } from '#features/team/operator/rules.ts'
import type { Ctx } from '#platform/ctx.ts'
import { createKeys } from '#platform/keys.ts'
import { secret } from '#platform/secret.ts'
import { openPaymentHookSandbox } from '#sandbox/payment-hook/service.ts'
import { openStripeSandbox, type StripeSandbox } from '#sandbox/stripe/service.ts'
import { addCurrencies, addItem, buy } from '../../../../test/support/buying.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { refused } from '../../../../test/support/people.ts'
import { forgetDrafts, forgetFormer, forgetUnreadable } from './commands.ts'
import { askWhose, removeService, saveService, tryService } from './flows.ts'
import { listShown, readServices } from './queries.ts'

const KEY = 'sk_test_0123456789abcdef'
const SIGNING = 'whsec_new0123456789'
const OTHER_KEY = 'sk_live_fedcba9876543210'
const VALUES = { STRIPE_SECRET_KEY: KEY, STRIPE_WEBHOOK_SECRETS: SIGNING }
const PASSWORD = 'correct horse battery'
const HOUR_MS = 3_600_000
const HOOK_SECRET = 'of the owner and their shop alone, for payments'
const ACCOUNT = { id: 'acct_1SandboxOfTheShop', name: 'Sandbox shop' }
const OTHER_ACCOUNT = { id: 'acct_1SomebodyElse', name: 'Somebody else' }
const GOOD = { answer: 'good', why: null, account: ACCOUNT }

const database = useDatabase()
let clock = new Date()
let ctx: Ctx
let mara: OperatorCtx
let stripe: StripeSandbox
const environment = () => ({
  services: {},
  apiUrls: { STRIPE_API_URL: secret(stripe.origin) },
})

beforeAll(async () => {
  await addCurrencies(database.ctx)
  ctx = { ...database.ctx, keys: createKeys(Buffer.alloc(32, 9)), now: () => clock }
  mara = actingAs(ctx, await createFirstOwner(ctx, { name: 'mara', password: PASSWORD }))
  stripe = await openStripeSandbox({
    port: 0,
    secretKey: KEY,
    webhookSecret: SIGNING,
    webhookUrl: null,
  })
})
afterAll(() => stripe.close())
beforeEach(async () => {
  await sql`delete from payment_service`.execute(ctx.db)
  await sql`delete from payment_service_draft`.execute(ctx.db)
  await sql`delete from payment_service_former`.execute(ctx.db)
  stripe.answerFor(ACCOUNT)
})

/** Somebody whose account nobody else of the team made, long enough ago. */
async function colleague(name: string, role: OperatorRole): Promise<OperatorCtx> {
  const operator = await createOperator(mara, { name, role, password: PASSWORD })
  await sql`update operator set created_by = null, password_set_by = null, created_at = ${new Date(clock.getTime() - 48 * HOUR_MS)},
    password_set_at = ${new Date(clock.getTime() - 48 * HOUR_MS)} where id = ${operator.id}`.execute(
    ctx.db,
  )
  return actingAs(ctx, operator)
}
const leave = (who: OperatorCtx) =>
  sql`update operator set status = 'disabled', disabled_at = ${new Date(clock.getTime() - 72 * HOUR_MS)} where id = ${who.operator.id}`.execute(
    ctx.db,
  )

const save = (
  who: OperatorCtx,
  values: Readonly<Record<string, string>>,
  version = 0,
  isAlthoughRefused = false,
) => saveService(who, environment(), { code: 'stripe', values, version, isAlthoughRefused })
/** As the console does it: the keys are asked just before. */
const approve = async (who: OperatorCtx, id: string) =>
  approveAct(who, id, await askWhose(who, environment(), id))
const held = async () => {
  const { services } = await readServices(ctx.db, ctx.keys, environment())
  const given = Object.entries(services['stripe'] ?? {})
  return Object.fromEntries(given.map(([name, value]) => [name, value.reveal()]))
}
const shown = async () =>
  (await listShown(ctx.db, ctx.keys, environment())).find(({ code }) => code === 'stripe')
const draftCount = async () =>
  (await ctx.db.selectFrom('payment_service_draft').select('code').execute()).length

/** Everything the database holds, as text. */
async function everything(): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`.execute(
    ctx.db,
  )
  const texts: string[] = []
  for (const { name } of rows) {
    const read = await sql<{
      text: string
    }>`select t::text as text from ${sql.raw(name)} as t`.execute(ctx.db)
    texts.push(...read.rows.map(({ text }) => text))
  }
  return texts.join('\n')
}

test('settings are tried, kept sealed, and never shown again', async () => {
  const effect = await tryService(mara, environment(), {
    code: 'stripe',
    values: VALUES,
    version: 0,
  })
  expect(effect).toMatchObject({
    tried: GOOD,
    accounts: { before: null, after: ACCOUNT },
    mayBeOther: false,
    changed: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS'],
    modeBefore: null,
    mode: 'test',
    open: { count: 0, sums: [] },
    needsAnother: false,
  })
  expect(await held()).toEqual({})
  expect(await save(mara, VALUES)).toEqual({ tried: GOOD, waits: null })
  expect(await held()).toEqual({ ...VALUES, STRIPE_API_URL: stripe.origin })
  expect(await shown()).toMatchObject({
    source: 'entered',
    mode: 'test',
    version: 1,
    tried: 'good',
    account: ACCOUNT,
    setBy: 'operator:mara',
    settings: [
      { name: 'STRIPE_SECRET_KEY', kind: 'secret', isSet: true, shown: null },
      { name: 'STRIPE_WEBHOOK_SECRETS', kind: 'secret', isSet: true, shown: null },
    ],
  })
  const line = await ctx.db
    .selectFrom('audit_log')
    .select(['action', 'actor', 'before', 'after'])
    .where('subject', '=', 'payment_service')
    .executeTakeFirstOrThrow()
  expect(line).toEqual({
    action: 'create',
    actor: 'operator:mara',
    before: { version: 0, account: null },
    after: {
      version: 1,
      changed: Object.keys(VALUES),
      tried: 'good',
      mode: 'test',
      account: ACCOUNT,
    },
  })
  const all = await everything()
  for (const value of Object.values(VALUES)) {
    expect(all).not.toContain(value)
    expect(all).not.toContain(Buffer.from(value).toString('hex'))
    expect(all).not.toContain(Buffer.from(value).toString('base64').slice(0, 16))
  }
})

test('what is left out stays, and what is asked for with an old version is refused', async () => {
  await save(mara, VALUES)
  await save(mara, { STRIPE_WEBHOOK_SECRETS: 'whsec_other0123456789', STRIPE_SECRET_KEY: ' ' }, 1)
  expect(await held()).toMatchObject({
    STRIPE_SECRET_KEY: KEY,
    STRIPE_WEBHOOK_SECRETS: 'whsec_other0123456789',
  })
  expect((await refused(save(mara, VALUES, 1))).code).toBe('changed_meanwhile')
  expect((await refused(save(mara, VALUES, 0))).code).toBe('changed_meanwhile')
})

test.each([
  [{ STRIPE_SECRET_KEY: 'pk_live_0123456789' }, 'STRIPE_SECRET_KEY', 'setting_format'],
  [{ STRIPE_SECRET_KEY: KEY }, 'STRIPE_WEBHOOK_SECRETS', 'required'],
  [{ ...VALUES, STRIPE_API_URL: 'https://evil.example' }, 'STRIPE_API_URL', 'unknown_field'],
  [{ ...VALUES, PATH: '/bin' }, 'PATH', 'unknown_field'],
  [{}, 'STRIPE_SECRET_KEY', 'required'],
])('%o is refused at its field, and nothing is kept', async (values, field, reason) => {
  expect((await refused(save(mara, values))).fields).toEqual({ [field]: reason })
  expect(await held()).toEqual({})
})

test('what the service refuses is kept only by whoever says so, and no answer is told as none', async () => {
  const wrong = { ...VALUES, STRIPE_SECRET_KEY: OTHER_KEY }
  const given = { code: 'stripe', values: wrong, version: 0 }
  const { tried } = await tryService(mara, environment(), given)
  expect(tried.answer).toBe('refused')
  expect(JSON.stringify(tried)).not.toContain(OTHER_KEY)
  expect((await refused(save(mara, wrong))).fields).toEqual({ although_refused: 'refused_there' })
  expect(await held()).toEqual({})
  expect((await save(mara, wrong, 0, true)).tried.answer).toBe('refused')
  expect(await shown()).toMatchObject({ tried: 'refused', mode: 'live', version: 1 })
  const silent = { services: {}, apiUrls: { STRIPE_API_URL: secret('http://127.0.0.1:9') } }
  const saved = await saveService(mara, silent, {
    code: 'stripe',
    values: { STRIPE_SECRET_KEY: KEY },
    version: 1,
    isAlthoughRefused: false,
  })
  expect(saved.tried.answer).toBe('unknown')
})

test('a second person approves exactly what was sealed, and never who asked', async () => {
  const bao = await colleague('bao', 'owner')
  try {
    const asked = await save(mara, VALUES)
    const id = asked.waits ?? ''
    expect(id).not.toBe('')
    expect(await held()).toEqual({})
    const act = await ctx.db
      .selectFrom('operator_act')
      .select(['currency', 'permission', 'details'])
      .where('public_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(act).toMatchObject({ currency: null, permission: 'payment.settings' })
    const all = await everything()
    for (const value of Object.values(VALUES)) {
      expect(all).not.toContain(value)
      expect(all).not.toContain(Buffer.from(value).toString('hex'))
    }
    expect((await refused(approveAct(mara, id))).code).toBe('needs_another')
    const support = await colleague('sue', 'support')
    expect((await refused(approveAct(support, id))).code).toBe('forbidden')

    // Other settings under the same request: what was approved is not what is there.
    const before = await ctx.db
      .selectFrom('payment_service_draft')
      .selectAll()
      .executeTakeFirstOrThrow()
    await sql`update payment_service_draft set sealed = ${ctx.keys.seal('payment-service', Buffer.from(JSON.stringify({ code: 'stripe', values: { ...VALUES, STRIPE_SECRET_KEY: OTHER_KEY } })))}`.execute(
      ctx.db,
    )
    expect((await refused(approveAct(bao, id))).code).toBe('changed_meanwhile')
    await sql`update payment_service_draft set sealed = ${before.sealed}`.execute(ctx.db)
    await approve(bao, id)
    expect(await held()).toMatchObject(VALUES)
    expect(await shown()).toMatchObject({ version: 1, setBy: 'operator:mara' })
    expect(await draftCount()).toBe(0)
    await approve(bao, id)
    expect((await shown())?.version).toBe(1)
  } finally {
    await leave(bao)
  }
})

test('whose the keys are is shown, bound, and asked again at the moment of the approval', async () => {
  await save(mara, VALUES)
  const bao = await colleague('whose', 'owner')
  try {
    stripe.answerFor(OTHER_ACCOUNT)
    const given = {
      code: 'stripe',
      values: { STRIPE_WEBHOOK_SECRETS: 'whsec_other0123456789' },
      version: 1,
      isAlthoughRefused: false,
    }
    expect(await tryService(mara, environment(), given)).toMatchObject({
      accounts: { before: ACCOUNT, after: OTHER_ACCOUNT },
      mayBeOther: true,
    })
    const shownOther = saveService(mara, environment(), { ...given, account: ACCOUNT.id })
    expect((await refused(shownOther)).code).toBe('other_account')
    const saved = await saveService(mara, environment(), { ...given, account: OTHER_ACCOUNT.id })
    const id = saved.waits ?? ''
    const details = async () =>
      (
        await ctx.db
          .selectFrom('operator_act')
          .select('details')
          .where('public_id', '=', id)
          .executeTakeFirstOrThrow()
      ).details
    expect(await details()).toMatchObject({ account_before: ACCOUNT, account: OTHER_ACCOUNT })

    // By the day of the approval the keys are another's, say nothing of it, or answer to nobody.
    stripe.answerFor(ACCOUNT)
    expect((await refused(approve(bao, id))).code).toBe('other_account')
    stripe.answerFor(null)
    expect((await refused(approve(bao, id))).code).toBe('other_account')
    const silent = { services: {}, apiUrls: { STRIPE_API_URL: secret('http://127.0.0.1:9') } }
    expect((await refused(askWhose(bao, silent, id))).code).toBe('payment_unreachable')
    expect((await refused(approveAct(bao, id))).code).toBe('changed_meanwhile')
    expect(await askWhose(mara, environment(), id)).toBeNull()
    expect(await shown()).toMatchObject({ account: ACCOUNT, version: 1 })

    // Whoever reads the request is told the account that was answered, and no name that somebody wrote over it.
    stripe.answerFor(OTHER_ACCOUNT)
    await sql`update operator_act set details = jsonb_set(details, '{account,name}', '"Sandbox shop"') where public_id = ${id}`.execute(
      ctx.db,
    )
    expect((await refused(approve(bao, id))).code).toBe('changed_meanwhile')
    await sql`update operator_act set details = jsonb_set(details, '{account,name}', '"Somebody else"') where public_id = ${id}`.execute(
      ctx.db,
    )
    await approve(bao, id)
    expect(await shown()).toMatchObject({ account: OTHER_ACCOUNT, version: 2 })
  } finally {
    await leave(bao)
  }
})

test('keys of an account that is replaced stay for what is open there, and go with it', async () => {
  await save(mara, VALUES)
  const fake = createFakePayments('stripe')
  const item = await addItem(ctx, { delivery: 'direct_charge' })
  const order = await buy(ctx, [{ item, delivery: 'direct_charge' }])
  await startPaying(
    ctx,
    { providers: new Map([['stripe', fake.provider]]), publicUrl: 'https://shop.example' },
    {
      order: order.publicId,
      accountId: order.accountId,
      provider: 'stripe',
      method: 'card',
      feeMinor: 0n,
    },
  )
  stripe.answerFor(OTHER_ACCOUNT)
  const given = {
    code: 'stripe',
    values: { STRIPE_WEBHOOK_SECRETS: 'whsec_other0123456789' },
    version: 1,
    isAlthoughRefused: false,
  }
  expect((await tryService(mara, environment(), given)).open).toEqual({
    count: 1,
    sums: [{ minor: 1_000n, currency: 'USD' }],
  })
  expect((await refused(saveService(mara, environment(), given))).fields).toEqual({
    although_open: 'payments_open',
  })
  await saveService(mara, environment(), { ...given, isAlthoughOpen: true })
  const former = async () =>
    (await readServices(ctx.db, ctx.keys, environment())).former['stripe']?.map((values) =>
      values['STRIPE_WEBHOOK_SECRETS']?.reveal(),
    )
  expect(await former()).toEqual([SIGNING])
  const all = await everything()
  expect(all).not.toContain(SIGNING)
  clock = new Date(clock.getTime() + 48 * HOUR_MS)
  await forgetFormer(ctx)
  expect(await former()).toEqual([SIGNING])

  const gone = { code: 'stripe', version: 2 }
  expect((await refused(removeService(mara, environment(), gone))).fields).toEqual({
    although_open: 'payments_open',
  })

  // Of the same account nothing is kept: keys may be replaced because they leaked.
  await save(mara, { STRIPE_WEBHOOK_SECRETS: 'whsec_third0123456789' }, 2)
  expect(await former()).toEqual([SIGNING])
  await sql`update payment_attempt set status = 'expired', check_at = null where provider = 'stripe'`.execute(
    ctx.db,
  )
  await forgetFormer(ctx)
  expect(await former()).toBeUndefined()

  // Whoever takes settings away takes all of them.
  stripe.answerFor(ACCOUNT)
  await save(mara, { STRIPE_WEBHOOK_SECRETS: SIGNING }, 3)
  expect(await former()).toEqual(['whsec_third0123456789'])
  await removeService(mara, environment(), { code: 'stripe', version: 4 })
  expect(await ctx.db.selectFrom('payment_service_former').select('code').execute()).toEqual([])
})

test('keys of an account that is replaced stay while money lies there that its order is not paid by, or that waits to be given back', async () => {
  const fake = createFakePayments('paypal')
  const services = {
    providers: new Map([['paypal', fake.provider]]),
    publicUrl: 'https://shop.example',
  }
  const paid = async (minor: bigint, isLate: boolean) => {
    const item = await addItem(ctx, { delivery: 'direct_charge' })
    const order = await buy(ctx, [{ item, delivery: 'direct_charge' }])
    const { accountId, publicId } = order
    const how = { provider: 'paypal', method: 'paypal', feeMinor: 0n }
    await startPaying(ctx, services, { order: publicId, accountId, ...how })
    const { id } = await ctx.db
      .selectFrom('payment_attempt')
      .select('id')
      .where('order_id', '=', order.id)
      .executeTakeFirstOrThrow()
    if (isLate) await cancelUnpaid(ctx, services, accountId, publicId, 'left')
    fake.pay(id, { minor, currency: 'USD' })
    await checkPayment(ctx, services, id)
    return order
  }
  const keptAfter = async (hours: number) => {
    clock = new Date(clock.getTime() + hours * HOUR_MS)
    await forgetFormer(ctx)
    const kept = await ctx.db.selectFrom('payment_service_former').select('code').execute()
    return kept.map(({ code }) => code)
  }
  const replace = () =>
    ctx.db
      .insertInto('payment_service_former')
      .values({ code: 'paypal', version: 1, sealed: Buffer.alloc(64), replaced_at: clock })
      .execute()
  await sql`insert into setting (key, value) values ('late_money_hours', '72')`.execute(ctx.db)
  const late = await paid(1_000n, true)
  await sql`delete from setting where key = 'late_money_hours'`.execute(ctx.db)
  await replace()
  expect(await keptAfter(48)).toEqual(['paypal'])
  await sql`update refund set status = 'rejected' where order_id = ${late.id}`.execute(ctx.db)
  await sql`update shop_order set refunded_minor = captured_minor where id = ${late.id}`.execute(
    ctx.db,
  )
  expect(await keptAfter(1)).toEqual([])

  await paid(400n, false)
  await replace()
  expect(await keptAfter(48)).toEqual(['paypal'])
  await sql`delete from payment_service_former`.execute(ctx.db)
})

test('what one person changes alone is told to every owner', async () => {
  await sql`update operator set email = 'mara@shop.example' where name = 'mara'`.execute(ctx.db)
  await sql`delete from outgoing_mail`.execute(ctx.db)
  const told = async () =>
    (
      await sql<{ label: string }>`
        select params #>> '{alert,matters,0,label}' as label from outgoing_mail where recipient = 'mara@shop.example'`.execute(
        ctx.db,
      )
    ).rows.map(({ label }) => label)
  await save(mara, VALUES)
  expect(await told()).toEqual(['changed_alone'])
  const bao = await colleague('told', 'owner')
  try {
    expect(
      (await save(mara, { STRIPE_WEBHOOK_SECRETS: 'whsec_x0123456789' }, 1)).waits,
    ).not.toBeNull()
    expect(await told()).toHaveLength(1)
  } finally {
    await leave(bao)
    await sql`update operator_act set status = 'ended', decided_by = 'system', decided_at = now() where status = 'waiting'`.execute(
      ctx.db,
    )
  }
})

test('what is refused, overtaken, late, or asked by who is shut out never holds', async () => {
  const bao = await colleague('bo', 'owner')
  const finance = await colleague('fin', 'finance')
  try {
    const first = (await save(finance, VALUES)).waits ?? ''
    await refuseAct(bao, first, 'Not this account.')
    expect([await draftCount(), await held()]).toEqual([0, {}])

    const second = (await save(finance, VALUES)).waits ?? ''
    await sql`insert into payment_service (code, sealed, version, tried, set_by, set_at) values ('stripe', null, 4, 'unknown', 'operator:mara', now())`.execute(
      ctx.db,
    )
    expect((await refused(approveAct(bao, second))).code).toBe('changed_meanwhile')
    await refuseAct(bao, second, 'Overtaken.')

    const third = (await save(finance, VALUES, 4)).waits ?? ''
    await suspendOperator(mara, 'fin')
    expect((await refused(approveAct(bao, third))).code).toBe('order_closed')
    expect(await draftCount()).toBe(0)

    const fourth = (await save(bao, VALUES, 4)).waits ?? ''
    clock = new Date(clock.getTime() + (APPROVED_WITHIN_HOURS + 1) * HOUR_MS)
    expect((await refused(approveAct(mara, fourth))).code).toBe('order_closed')
    await forgetDrafts(ctx)
    expect([await draftCount(), await held()]).toEqual([0, {}])
  } finally {
    await leave(bao)
    await leave(finance)
  }
})

test('what the environment gives holds, and nothing is entered beside it', async () => {
  await save(mara, VALUES)
  const own = { STRIPE_SECRET_KEY: secret(OTHER_KEY), STRIPE_WEBHOOK_SECRETS: secret(SIGNING) }
  const given = { ...environment(), services: { stripe: own } }
  const { services } = await readServices(ctx.db, ctx.keys, given)
  expect(services['stripe']?.['STRIPE_SECRET_KEY']?.reveal()).toBe(OTHER_KEY)
  const [stripeShown] = await listShown(ctx.db, ctx.keys, given)
  expect(stripeShown).toMatchObject({ source: 'environment', mode: 'live' })
  expect(JSON.stringify(stripeShown)).not.toContain(OTHER_KEY)
  const wanted = { code: 'stripe', values: VALUES, version: 1, isAlthoughRefused: true }
  expect((await refused(saveService(mara, given, wanted))).fields).toEqual({
    provider: 'not_allowed',
  })
  expect((await refused(removeService(mara, given, wanted))).code).toBe('changed_meanwhile')
})

test('what is taken away is gone, and its versions go on', async () => {
  await save(mara, VALUES)
  expect(
    (await refused(removeService(mara, environment(), { code: 'paypal', version: 0 }))).code,
  ).toBe('not_found')
  await removeService(mara, environment(), { code: 'stripe', version: 1 })
  expect(await held()).toEqual({})
  expect(await shown()).toMatchObject({ source: 'none', version: 2, setAt: null })
  await save(mara, VALUES, 2)
  expect(await held()).toMatchObject(VALUES)
})

test('ids are shown by their end, and a choice whole', async () => {
  const paypal = {
    PAYPAL_CLIENT_ID: 'AbCdEfGhIjKlMnOp1234',
    PAYPAL_CLIENT_SECRET: 'a-client-secret-of-paypal',
    PAYPAL_WEBHOOK_ID: 'short',
    PAYPAL_ENVIRONMENT: 'sandbox',
  }
  const silent = { services: {}, apiUrls: { PAYPAL_API_URL: secret('http://127.0.0.1:9') } }
  await saveService(mara, silent, {
    code: 'paypal',
    values: paypal,
    version: 0,
    isAlthoughRefused: false,
  })
  const known = (await listShown(ctx.db, ctx.keys, silent)).find(({ code }) => code === 'paypal')
  expect(known?.mode).toBe('test')
  expect(known?.settings.map(({ name, shown: end }) => [name, end])).toEqual([
    ['PAYPAL_CLIENT_ID', '1234'],
    ['PAYPAL_CLIENT_SECRET', null],
    ['PAYPAL_WEBHOOK_ID', null],
    ['PAYPAL_ENVIRONMENT', 'sandbox'],
  ])
})

test('another key opens nothing: the service is not offered, and is entered anew', async () => {
  expect(await findKeyProblem(ctx, null)).toBeNull()
  await save(mara, VALUES)
  expect(await findKeyProblem(ctx, null)).toContain('payment settings entered in the console')
  const other = { ...mara, keys: createKeys(Buffer.alloc(32, 8)) }
  const read = await readServices(ctx.db, other.keys, environment())
  expect([read.services, read.unreadable]).toEqual([{}, ['stripe']])
  const known = await listShown(ctx.db, other.keys, environment())
  expect(known.find(({ code }) => code === 'stripe')).toMatchObject({ source: 'unreadable' })
  expect(await forgetUnreadable(other)).toEqual(['stripe'])
  expect(await forgetUnreadable(other)).toEqual([])
  expect(await held()).toEqual({})
})

test('whoever may not change payment settings tries and changes none', async () => {
  const orders = await colleague('ora', 'orders')
  const given = { code: 'stripe', values: VALUES, version: 0 }
  expect((await refused(tryService(orders, environment(), given))).code).toBe('forbidden')
  expect((await refused(save(orders, VALUES))).code).toBe('forbidden')
})

test("an owner's own service is entered once the environment says where it is called, and by its secret alone", async () => {
  const own = await openPaymentHookSandbox({
    port: 0,
    secret: HOOK_SECRET,
    webhookUrl: null,
    now: () => clock,
  })
  const places = {
    PAYMENT_HOOK_URL: secret(own.url),
    PAYMENT_HOOK_LOOPBACK: secret('allow'),
  }
  const given = {
    code: 'payment-hook',
    version: 0,
    values: { PAYMENT_HOOK_SECRET: HOOK_SECRET },
    isAlthoughRefused: false,
  }
  const shown = async (apiUrls: Record<string, ReturnType<typeof secret>>) =>
    (await listShown(ctx.db, ctx.keys, { services: {}, apiUrls })).find(
      ({ code }) => code === 'payment-hook',
    )
  expect(await shown({})).toMatchObject({ source: 'address', lacking: ['PAYMENT_HOOK_URL'] })
  const nowhere = { services: {}, apiUrls: {} }
  expect((await refused(saveService(mara, nowhere, given))).fields).toEqual({
    provider: 'not_allowed',
  })
  const here = { services: {}, apiUrls: places }
  const address = { PAYMENT_HOOK_URL: 'https://elsewhere.example/' }
  const elsewhere = { ...given, values: { ...given.values, ...address } }
  expect((await refused(saveService(mara, here, elsewhere))).fields).toEqual({
    PAYMENT_HOOK_URL: 'unknown_field',
  })
  await saveService(mara, here, given)
  expect(await shown(places)).toMatchObject({
    source: 'entered',
    account: { id: 'own-payments', name: 'Own payments' },
    settings: [{ name: 'PAYMENT_HOOK_SECRET', kind: 'secret', isSet: true, shown: null }],
  })
  expect((await readServices(ctx.db, ctx.keys, here)).services['payment-hook']).toBeDefined()
  // An address that was taken away again: nothing is called, and nothing is told as broken.
  const { services, unreadable } = await readServices(ctx.db, ctx.keys, nowhere)
  expect([services['payment-hook'], unreadable]).toEqual([undefined, []])
  expect(await shown({})).toMatchObject({ source: 'address' })
  own.close()
})
