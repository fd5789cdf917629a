import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { loadSnapshot, type ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { startSession } from '#features/people/session/commands.ts'
import { createAccountChecks, type CheckAccount } from '#features/supply/account-check/flows.ts'
import { listPlayers } from '#features/supply/account-check/queries.ts'
import { offerDemoGoods, setOffers } from '#features/supply/routing/commands.ts'
import { transaction } from '#platform/ctx.ts'
import { secret } from '#platform/secret.ts'
import { hook } from '#providers/supply/hook/service.ts'
import type { AccountCheck, SupplyOrder, SupplyProvider } from '#providers/supply/provider.ts'
import { unipin } from '#providers/supply/unipin/service.ts'
import { addAccount } from '../../test/support/accounts.ts'
import { minutesLater } from '../../test/support/clock.ts'
import { useDemoDatabase } from '../../test/support/demo-database.ts'
import { createFakeSupplier } from '../../test/support/fake-supplier.ts'
import { testServices } from '../../test/support/services.ts'
import {
  SANDBOX_SECRET,
  startSupplySandbox,
  type RunningSupplySandbox,
} from '../../test/support/supply-sandbox.ts'
import { sessionCookieName } from './personal/cookies.ts'
import { createPersonalCalls } from './personal/run.ts'

const database = useDemoDatabase()
const visitor = {
  address: '203.0.113.9',
  network: '203.0.113.0/24',
  userAgent: 'Mozilla/5.0',
  acceptLanguage: 'en',
}
const ITEM = 'game:mobile-legends:global:50-plus-5'
const RIGHT = { user_id: '81234567', zone_id: '2233' }
const WRONG = { user_id: '81239005', zone_id: '2233' }
let sandbox: RunningSupplySandbox
let shop: ShopSnapshot
let own: SupplyProvider
let check: CheckAccount

async function openAt(service: typeof hook): Promise<SupplyProvider> {
  const given = service.sandbox(sandbox.originOf(service.code), SANDBOX_SECRET)
  return service.open(
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, secret(value)])),
    () => new Date(),
  )
}

beforeAll(async () => {
  sandbox = await startSupplySandbox()
  own = await openAt(hook)
  await offerDemoGoods(database.ctx, 'hook')
  shop = await loadSnapshot(database.ctx.db, 1)
})
beforeEach(() => {
  check = createAccountChecks(new Map([[own.code, own]]))
})
afterAll(() => sandbox.stop())

interface Answer {
  readonly code: number
  readonly msg: string
  readonly data: {
    readonly state?: string
    readonly name?: string | null
    readonly order?: string
    readonly faults?: readonly { readonly field: string; readonly msg: string }[]
    readonly fields?: readonly { readonly field: string; readonly msg: string }[]
  }
}

async function call(path: string, body: unknown, cookie?: string, lang = 'en'): Promise<Answer> {
  const calls = createPersonalCalls({
    ctx: database.ctx,
    snapshot: () => shop,
    services: { ...testServices, checkAccount: (ctx, account) => check(ctx, account) },
  })
  const { envelope } = await calls.run({
    method: 'POST',
    path,
    params: new URLSearchParams({ lang, currency_code: 'USD' }),
    body,
    cookieHeader: cookie,
    visitor,
  })
  return envelope as Answer
}

const validate = (fields: Record<string, string>, lang?: string) =>
  call('account/validate', { item: ITEM, fields }, undefined, lang)

async function shopper() {
  const { ctx } = database
  const accountId = await addAccount(ctx)
  const { token } = await transaction(ctx, (tx) => startSession(tx, ctx, { accountId, visitor }))
  return `${sessionCookieName(true)}=${token}`
}

/** The product is sold so from now on. */
async function setMode(mode: 'none' | 'wish' | 'must') {
  await database.ctx.db
    .updateTable('brand')
    .set({ account_check: mode })
    .where('code', '=', 'mobile-legends')
    .execute()
  shop = await loadSnapshot(database.ctx.db, 1)
}

/** A supplier that answers as it is told, and counts how often it is asked. */
function supplierThat(answers: () => Promise<AccountCheck>, checksAmounts = false) {
  const asked: SupplyOrder[] = []
  const { provider } = createFakeSupplier('hook', { checksAccounts: true, checksAmounts })
  const supplier: SupplyProvider = {
    ...provider,
    validateAccount: (order) => {
      asked.push(order)
      return answers()
    },
  }
  check = createAccountChecks(new Map([['hook', supplier]]))
  return asked
}

test('the supplier tells the player’s name, whatever script the number is typed in', async () => {
  expect(await validate(RIGHT)).toMatchObject({
    code: 1,
    data: { state: 'valid', name: 'Player 81234567', faults: [] },
  })
  expect(await validate({ user_id: ' ٨١٢٣٤٥٦٧ ', zone_id: '۲۲۳۳' })).toMatchObject({
    data: { state: 'valid', name: 'Player 81234567' },
  })
})

test('whoever has a phone is no player, however often it is asked about', async () => {
  const [item] = shop.catalogue.productByCode.get('ng-mtn-nigeria')?.items ?? []
  for (const _ of [1, 2])
    expect(
      await call('account/validate', { item: item?.code, fields: { phone: '+2348031234567' } }),
    ).toMatchObject({ code: 1, data: { state: 'valid', name: null } })
})

test('a wrong player is told at its field, in the caller’s language', async () => {
  const english = await validate(WRONG)
  expect(english.data).toMatchObject({
    state: 'invalid',
    name: null,
    faults: [{ field: 'user_id', msg: 'We can’t find this player. Check the ID and try again.' }],
  })
  const arabic = await validate(WRONG, 'ar')
  expect(arabic.data.faults?.[0]?.msg).toMatch(/^لم نعثر على هذا اللاعب/)
})

test('what breaks the product’s own rules is told without asking anybody', async () => {
  const asked = supplierThat(() => Promise.reject(new Error('not to be asked')))
  const told = await validate({ user_id: 'abc', zone_id: '2233' })
  expect(told.data.fields).toEqual([{ field: 'fields.user_id', msg: 'Use digits only.' }])
  expect(asked).toEqual([])
})

test('an order for a wrong player is refused at its field, and one for a right player keeps the name', async () => {
  const cookie = await shopper()
  const order = (fields: Record<string, string>) =>
    call('order/create', { lines: [{ item: ITEM, quantity: 1, fields }] }, cookie)
  const refused = await order(WRONG)
  expect(refused.data.fields).toEqual([
    {
      field: 'lines.0.fields.user_id',
      msg: 'We can’t find this player. Check the ID and try again.',
    },
  ])
  const made = await order(RIGHT)
  const { id } = await database.ctx.db
    .selectFrom('shop_order')
    .select('id')
    .where('public_id', '=', made.data.order ?? '')
    .executeTakeFirstOrThrow()
  expect(await listPlayers(database.ctx.db, id)).toEqual(new Map([[0, 'Player 81234567']]))
  // Another account is another player.
  await database.ctx.db
    .updateTable('order_line')
    .set({ account_fields: JSON.stringify({ ...RIGHT, user_id: '7654321' }) })
    .where('order_id', '=', id)
    .execute()
  expect(await listPlayers(database.ctx.db, id)).toEqual(new Map())
})

test('a wrong player in the cart is told at the line', async () => {
  const cookie = await shopper()
  await call('cart/add', { item: ITEM, quantity: 1, fields: WRONG }, cookie)
  const refused = await call('order/create', { cart: true }, cookie)
  expect(refused.data.fields?.[0]?.field).toMatch(/^lines\.[\w-]{22}\.fields\.user_id$/)
})

test('a supplier that hangs keeps nobody, and the next is not asked of it', async () => {
  const asked = supplierThat(() => new Promise(() => {}))
  expect((await validate(RIGHT)).data).toMatchObject({ state: 'unchecked', faults: [] })
  expect((await validate({ ...RIGHT, user_id: '7777777' })).data.state).toBe('unchecked')
  expect(asked).toHaveLength(1)
})

test('what could not be checked is sold, unless the product must be checked', async () => {
  const cookie = await shopper()
  const lines = [{ item: ITEM, quantity: 1, fields: RIGHT }]
  supplierThat(() => Promise.resolve({ kind: 'unchecked', why: 'down' }))
  await setMode('must')
  const refused = await call('order/create', { lines }, cookie)
  expect(refused.data.fields).toEqual([
    {
      field: 'lines.0.fields.user_id',
      msg: 'We can’t check this account right now. Try again in a few minutes.',
    },
  ])
  await setMode('wish')
  expect((await call('order/create', { lines }, cookie)).code).toBe(1)
})

test('where nobody is to be asked nobody is', async () => {
  const asked = supplierThat(() => Promise.reject(new Error('not to be asked')))
  await setMode('none')
  expect((await validate(RIGHT)).data.state).toBe('unchecked')
  await setMode('wish')
  expect(asked).toEqual([])
})

test('an answer is remembered for minutes, and who asks at once is answered by one call', async () => {
  const asked = supplierThat(() =>
    Promise.resolve({
      kind: 'valid',
      displayName: 'Blue Lion',
      token: null,
      expiresAt: null,
      product: null,
    }),
  )
  await Promise.all([validate(RIGHT), validate(RIGHT), validate(RIGHT)])
  await validate(RIGHT)
  expect(asked).toHaveLength(1)
  const product = shop.catalogue.productByCode.get('mobile-legends-global')
  const item = product?.items.find(({ code }) => code === ITEM)
  if (!product || !item) throw new Error('the demo sells it')
  await check(minutesLater(database.ctx, 11), {
    product,
    item: item.id,
    fields: RIGHT,
    amount: null,
  })
  expect(asked).toHaveLength(2)
})

test('the first supplier that checks accounts is asked, by its own names of the fields', async () => {
  const second = await openAt(unipin)
  const { id } = await database.ctx.db
    .selectFrom('item')
    .select('id')
    .where('code', '=', ITEM)
    .executeTakeFirstOrThrow()
  await database.ctx.db
    .insertInto('supplier')
    .values({ code: 'unipin', created_at: database.ctx.now() })
    .execute()
  await setOffers(database.ctx, [
    {
      item: id,
      supplier: 'unipin',
      priority: 5,
      kind: 'topup',
      product: `mobile-legends-global/${ITEM}`,
      face: null,
      cost: { minor: 100n, currency: 'USD' },
      fields: {},
    },
  ])
  check = createAccountChecks(
    new Map([
      [own.code, { ...own, capabilities: { ...own.capabilities, checksAccounts: false } }],
      [second.code, second],
    ]),
  )
  expect((await validate(RIGHT)).data).toMatchObject({ state: 'valid', name: 'Player 81234567' })
  expect((await validate(WRONG)).data.state).toBe('invalid')
  await database.ctx.db
    .updateTable('supplier')
    .set({ status: 'off' })
    .where('code', '=', 'unipin')
    .execute()
  expect((await validate({ ...RIGHT, user_id: '7654321' })).data.state).toBe('unchecked')
})

const PHONE = { phone: '+2348031234567' }
const ANY = 'air:ng-mtn-nigeria:any'

test('of goods that are sold at any amount the supplier is asked about the amount that is given, where it tells amounts apart', async () => {
  const asked = supplierThat(
    async () => ({ kind: 'invalid', fault: 'not_eligible', code: 'LIMIT', text: '' }),
    true,
  )
  const about = (amount?: number) =>
    call('account/validate', { item: ANY, fields: PHONE, ...(amount ? { amount } : {}) })
  expect(await about(25_000)).toMatchObject({ code: 1, data: { state: 'invalid' } })
  await about(25_000)
  await about(30_000)
  await about()
  const cookie = await shopper()
  const line = { item: ANY, quantity: 1, fields: PHONE, amount: 40_000 }
  expect(await call('order/create', { lines: [line] }, cookie)).toMatchObject({
    code: 2422,
    data: { fields: [{ field: 'lines.0.fields.phone' }] },
  })
  expect(asked.map(({ face }) => face)).toEqual([
    { minor: 25_000n, currency: 'NGN' },
    { minor: 30_000n, currency: 'NGN' },
    null,
    { minor: 40_000n, currency: 'NGN' },
  ])
})

test('who tells amounts apart for nobody is asked once about a phone, whatever goes there', async () => {
  const asked = supplierThat(async () => ({
    kind: 'valid',
    displayName: null,
    token: null,
    expiresAt: null,
    product: null,
  }))
  for (const amount of [25_000, 30_000])
    expect((await call('account/validate', { item: ANY, fields: PHONE, amount })).data.state).toBe(
      'valid',
    )
  expect(asked).toHaveLength(1)
})

test.each([
  [ANY, 1],
  [ITEM, 500],
] as const)(
  'an amount of %s that is not sold is told at its field, without asking anybody',
  async (item, amount) => {
    const asked = supplierThat(() => Promise.reject(new Error('asked')))
    const fields = item === ANY ? PHONE : RIGHT
    expect(await call('account/validate', { item, fields, amount })).toMatchObject({
      code: 2422,
      data: { fields: [{ field: 'amount' }] },
    })
    expect(asked).toEqual([])
  },
)
