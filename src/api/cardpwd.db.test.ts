import { beforeAll, expect, test } from 'vitest'
import { loadSnapshot, type ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { requestRefund } from '#features/buying/refund/commands.ts'
import { makeKeys } from '#features/buying/vault/jobs.ts'
import { importKeys } from '#features/buying/vault/flows.ts'
import { findStockable } from '#features/buying/vault/queries.ts'
import { present } from '#kernel/assert.ts'
import type { Ctx } from '#platform/ctx.ts'
import { minutesLater } from '../../test/support/clock.ts'
import { buy, testVault, violations } from '../../test/support/buying.ts'
import { importSmallCatalogue } from '../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../test/support/database.ts'
import { createFakePayments } from '../../test/support/fake-payment.ts'
import { payFor } from '../../test/support/paying.ts'
import { PASSWORD, PHONE, signedIn, somebody } from '../../test/support/people.ts'
import { testServices } from '../../test/support/services.ts'
import { sessionCookieName } from './personal/cookies.ts'
import { createPersonalCalls, type PersonalAnswer } from './personal/run.ts'

const database = useDatabase()
const fake = createFakePayments()
const ITEM = 'card:vapour:us:20'
const NOT_FOUND = 404
const PROOF_NEEDED = 2403
let shop: ShopSnapshot

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  await makeKeys(database.ctx, testVault, [
    { ...present(await findStockable(database.ctx.db, ITEM), ITEM), count: 200 },
  ])
  shop = await loadSnapshot(database.ctx.db, 1)
})

interface Client {
  readonly cookie?: string
  readonly handle?: string
  readonly ctx?: Ctx
}

function call(
  path: string,
  input: object,
  client: Client,
  method: 'GET' | 'POST' = 'POST',
): Promise<PersonalAnswer> {
  const calls = createPersonalCalls({
    ctx: client.ctx ?? database.ctx,
    snapshot: () => shop,
    services: testServices,
  })
  const params = new URLSearchParams({
    lang: 'en',
    ...(client.handle === undefined ? {} : { token: client.handle }),
    ...(method === 'GET' ? (input as Record<string, string>) : {}),
  })
  const cookieHeader =
    client.cookie === undefined ? undefined : `${sessionCookieName(true)}=${client.cookie}`
  return calls.run({
    method,
    path,
    params,
    body: method === 'POST' ? input : undefined,
    cookieHeader,
    visitor: PHONE,
  })
}

const codeOf = async (answer: Promise<PersonalAnswer>) => (await answer).envelope.code
const dataOf = (answer: PersonalAnswer) =>
  answer.envelope.data as Record<string, unknown> & {
    list: Record<string, unknown>[]
    parts: { name: string; value: string }[]
  }

/** Somebody signed in who has paid for keys of the item. */
async function owner(quantity = 1) {
  const { accountId } = await somebody(database.ctx)
  const { token: cookie, handle } = await signedIn(database.ctx, accountId)
  const item = present(
    shop.catalogue.productByCode.get('vapour-us')?.items.find(({ code }) => code === ITEM),
    ITEM,
  )
  const order = await buy(
    database.ctx,
    [{ item: { id: item.id, code: ITEM, brand: 'vapour', product: 'vapour-us' }, quantity }],
    { accountId },
  )
  await payFor(database.ctx, fake, order, 1_000n * BigInt(quantity))
  const list = dataOf(await call('cardpwd/index', {}, { cookie }, 'GET')).list
  return { accountId, cookie, handle, order, ids: list.map(({ id }) => String(id)), list }
}

const looksAt = (accountId: string) =>
  database.ctx.db
    .selectFrom('key_access as a')
    .innerJoin('card_key as k', 'k.id', 'a.key_id')
    .innerJoin('order_unit as u', 'u.id', 'k.unit_id')
    .innerJoin('shop_order as o', 'o.id', 'u.order_id')
    .select(['a.purpose', 'a.network', 'a.actor'])
    .where('o.account_id', '=', accountId)
    .execute()

test('keys are listed hidden, revealed after a proof, and say that they were', async () => {
  const { cookie, ids, list, accountId, order } = await owner(2)
  expect(list).toHaveLength(2)
  expect(list[0]).toMatchObject({
    order: order.publicId,
    order_no: order.number,
    product: { code: 'vapour-us', goods_name: 'Vapour Gift Card', path: '/cards/vapour-us' },
    label: '$20',
    state: 'hidden',
    is_expired: false,
    can: { reveal: true, mark: false, report: true },
    redeem: { at: 'vapour.example', steps: ['Type the code.', 'Press Continue.'] },
  })
  const { parts } = dataOf(await call('cardpwd/reveal', { id: ids[0] }, { cookie }))
  expect(parts).toEqual([
    { name: 'code', label: 'Code', value: expect.stringMatching(/^DEMO[A-Z0-9]{12}$/) },
  ])
  expect(JSON.stringify(list)).not.toContain(parts[0]?.value)
  const after = dataOf(
    await call('cardpwd/index', { order: order.publicId }, { cookie }, 'GET'),
  ).list
  expect(after.map(({ id, state }) => [id, state])).toEqual([
    [ids[0], 'revealed'],
    [ids[1], 'hidden'],
  ])
  expect(after[0]?.['masked']).toBe(`•••• ${parts[0]?.value.slice(-4)}`)
  expect(await looksAt(accountId)).toEqual([
    { purpose: 'reveal', network: PHONE.network, actor: `account:${accountId}` },
  ])
})

test('a code that nobody has seen is not shown while its money is asked back for, and the others of the order are', async () => {
  const {
    cookie,
    ids: [asked = '', other = ''],
    order,
  } = await owner(2)
  expect(
    await codeOf(
      call(
        'order/refund_request',
        { order: order.publicId, units: [asked], reason: 'mistake' },
        { cookie },
      ),
    ),
  ).toBe(1)
  expect(await codeOf(call('cardpwd/reveal', { id: asked }, { cookie }))).toBe(NOT_FOUND)
  expect(
    String((await call('cardpwd/export', { order: order.publicId }, { cookie })).file?.body)
      .trim()
      .split('\r\n'),
  ).toHaveLength(2)
  expect(await codeOf(call('cardpwd/reveal', { id: other }, { cookie }))).toBe(1)
  const { list } = dataOf(await call('cardpwd/index', { order: order.publicId }, { cookie }, 'GET'))
  expect(new Map(list.map(({ id, can }) => [id, can]))).toEqual(
    new Map([
      [asked, { reveal: false, mark: false, report: false }],
      [other, { reveal: true, mark: true, report: true }],
    ]),
  )
  expect(await codeOf(call('order/withdraw_request', { order: order.publicId }, { cookie }))).toBe(
    1,
  )
  expect(await codeOf(call('cardpwd/reveal', { id: asked }, { cookie }))).toBe(1)
})

test('without a fresh proof nothing is revealed, and the token parameter never carries one over', async () => {
  const { cookie, handle, ids } = await owner()
  const later = minutesLater(database.ctx, 11)
  for (const [path, body] of [
    ['cardpwd/reveal', { id: ids[0] }],
    ['cardpwd/export', {}],
  ] as const) {
    expect(await codeOf(call(path, body, { cookie, ctx: later }))).toBe(PROOF_NEEDED)
    expect(await codeOf(call(path, body, { handle }))).toBe(PROOF_NEEDED)
    expect(await codeOf(call(path, { ...body, password: 'Wrong7Password' }, { handle }))).toBe(2422)
    expect(await codeOf(call(path, { ...body, password: PASSWORD }, { handle }))).toBe(1)
    expect(await codeOf(call(path, body, { handle }))).toBe(PROOF_NEEDED)
    expect(await codeOf(call(path, body, {}))).toBe(401)
  }
})

test("others' keys are not there, whatever is asked about them", async () => {
  const { ids, order } = await owner()
  const stranger = await owner()
  const asStranger = (path: string, body: object) =>
    codeOf(call(path, body, { cookie: stranger.cookie }))
  expect(await asStranger('cardpwd/reveal', { id: ids[0] })).toBe(NOT_FOUND)
  expect(await asStranger('cardpwd/used', { id: ids[0], used: true })).toBe(NOT_FOUND)
  expect(await asStranger('cardpwd/report', { id: ids[0], text: 'It does not work.' })).toBe(
    NOT_FOUND,
  )
  expect(
    dataOf(
      await call('cardpwd/index', { order: order.publicId }, { cookie: stranger.cookie }, 'GET'),
    ),
  ).toMatchObject({ list: [], total: 0 })
  const file = await call('cardpwd/export', { order: order.publicId }, { cookie: stranger.cookie })
  expect(String(file.file?.body).trimEnd().split('\r\n')).toHaveLength(1)
  for (const id of ['', 'x', '../..', 'a'.repeat(100)])
    expect(await asStranger('cardpwd/reveal', { id })).toBe(NOT_FOUND)
  expect(await asStranger('cardpwd/reveal', { id: 7 })).toBe(422)
  expect(await asStranger('cardpwd/reveal', { id: ids[0], account_id: 'x' })).toBe(422)
})

test('32 looks at once are 32 looks written down', async () => {
  const { cookie, ids, accountId } = await owner()
  const answers = await Promise.all(
    Array.from({ length: 32 }, () => call('cardpwd/reveal', { id: ids[0] }, { cookie })),
  )
  expect(new Set(answers.map((answer) => dataOf(answer).parts[0]?.value)).size).toBe(1)
  expect(await looksAt(accountId)).toHaveLength(32)
})

test('an account looks at some hundred keys an hour, then waits', async () => {
  const { cookie, ids } = await owner()
  const limited: Ctx = { ...database.ctx, isLimited: true }
  const codes: number[] = []
  for (let count = 0; count < 201; count += 1)
    codes.push(await codeOf(call('cardpwd/reveal', { id: ids[0] }, { cookie, ctx: limited })))
  expect(codes.slice(0, 200).every((code) => code === 1)).toBe(true)
  expect(codes[200]).toBe(429)
})

test('no answer with a code is kept under an idempotency key', async () => {
  const { cookie, ids } = await owner()
  const calls = createPersonalCalls({
    ctx: database.ctx,
    snapshot: () => shop,
    services: testServices,
  })
  const ask = () =>
    calls.run({
      method: 'POST',
      path: 'cardpwd/reveal',
      params: new URLSearchParams({ lang: 'en' }),
      body: { id: ids[0] },
      cookieHeader: `${sessionCookieName(true)}=${cookie}`,
      visitor: PHONE,
      idempotencyKey: 'once',
    })
  const code = dataOf(await ask()).parts[0]?.value ?? ''
  expect(dataOf(await ask()).parts[0]?.value).toBe(code)
  expect(
    JSON.stringify(await database.ctx.db.selectFrom('idempotency_key').selectAll().execute()),
  ).not.toContain(code)
})

test('a key is noted as used, and not', async () => {
  const { cookie, ids } = await owner()
  const state = async () =>
    dataOf(await call('cardpwd/index', {}, { cookie }, 'GET')).list[0]?.['state']
  await call('cardpwd/reveal', { id: ids[0] }, { cookie })
  expect(await codeOf(call('cardpwd/used', { id: ids[0], used: true }, { cookie }))).toBe(1)
  expect(await state()).toBe('used')
  expect(await codeOf(call('cardpwd/used', { id: ids[0], used: false }, { cookie }))).toBe(1)
  expect(await state()).toBe('revealed')
})

test('a key that does not work is reported once', async () => {
  const { cookie, ids, order } = await owner()
  expect(
    await codeOf(
      call('cardpwd/report', { id: ids[0], text: 'Used before, says the site.' }, { cookie }),
    ),
  ).toBe(1)
  expect(await codeOf(call('cardpwd/report', { id: ids[0], text: 'Again.' }, { cookie }))).toBe(
    2433,
  )
  const made = await database.ctx.db
    .selectFrom('service_case')
    .select(['kind', 'text'])
    .where('order_id', '=', order.id)
    .execute()
  expect(made).toEqual([{ kind: 'faulty_key', text: 'Used before, says the site.' }])
})

test('what was given back is not revealed any more', async () => {
  const { cookie, ids, order } = await owner()
  await requestRefund(database.ctx, {
    orderId: order.id,
    unitIds: null,
    destination: 'store_credit',
    reason: 'code_invalid',
    requestedBy: 'operator:1',
    approvedBy: 'operator:2',
  })
  expect(await codeOf(call('cardpwd/reveal', { id: ids[0] }, { cookie }))).toBe(NOT_FOUND)
  expect(dataOf(await call('cardpwd/index', {}, { cookie }, 'GET')).list[0]).toMatchObject({
    state: 'refunded',
    can: { reveal: false, mark: false, report: false },
  })
  expect(await violations(database.ctx)).toEqual([])
})

test('the file holds every key, each look written down, and nothing a spreadsheet would run', async () => {
  const { accountId, cookie } = await owner(3)
  const answer = await call('cardpwd/export', {}, { cookie })
  expect(answer.file).toMatchObject({ name: 'card-passwords.csv', type: 'text/csv; charset=utf-8' })
  const lines = String(answer.file?.body).trimEnd().split('\r\n')
  expect(lines[0]).toBe('\uFEFFBought,Order,Product,Value,Code,Expires')
  expect(lines).toHaveLength(4)
  expect(
    lines.slice(1).every((line) => /,Vapour Gift Card,\$20,DEMO[A-Z0-9]{12},$/.test(line)),
  ).toBe(true)
  expect(await looksAt(accountId)).toEqual(
    Array.from({ length: 3 }, () => ({
      purpose: 'export',
      network: PHONE.network,
      actor: `account:${accountId}`,
    })),
  )
})

test('a key that begins like a formula is made harmless in the file alone', async () => {
  async function* file() {
    yield '"=1+1|cmd"\n'
  }
  await database.ctx.db
    .updateTable('brand')
    .set({ key_format: null })
    .where('code', '=', 'vapour')
    .execute()
  expect(
    await importKeys(database.ctx, testVault, {
      itemCode: ITEM,
      fileName: 'k.txt',
      chunks: file(),
      isDryRun: false,
    }),
  ).toMatchObject({ imported: 1 })
  await database.ctx.db
    .updateTable('card_key')
    .set({ status: 'void' })
    .where('status', '=', 'free')
    .where('last_four', '<>', 'md')
    .execute()
  const { cookie, ids } = await owner()
  expect(dataOf(await call('cardpwd/reveal', { id: ids[0] }, { cookie })).parts[0]?.value).toBe(
    '=1+1|cmd',
  )
  expect(String((await call('cardpwd/export', {}, { cookie })).file?.body)).toContain(",'=1+1|cmd,")
})
