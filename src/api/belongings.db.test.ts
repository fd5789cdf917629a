import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadSnapshot, type ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { postNotice } from '#features/people/notice/commands.ts'
import { startSession } from '#features/people/session/commands.ts'
import { LANGUAGE_CODES } from '#kernel/language.ts'
import { transaction } from '#platform/ctx.ts'
import { addAccount } from '../../test/support/accounts.ts'
import { importSmallCatalogue } from '../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../test/support/database.ts'
import { testServices } from '../../test/support/services.ts'
import { PERSONAL_CALLS } from './personal/calls.ts'
import { sessionCookieName } from './personal/cookies.ts'
import { createPersonalCalls, type PersonalAnswer, type PersonalCalls } from './personal/run.ts'

const database = useDatabase()
const visitor = {
  address: '203.0.113.9',
  network: '203.0.113.0/24',
  userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0',
}
let shop: ShopSnapshot
let calls: PersonalCalls

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  shop = await loadSnapshot(database.ctx.db, 1)
  calls = createPersonalCalls({ ctx: database.ctx, snapshot: () => shop, services: testServices })
})

interface Shopper {
  readonly accountId: string
  readonly cookie: string
  readonly handle: string
}

async function shopper(): Promise<Shopper> {
  const { ctx } = database
  const accountId = await addAccount(ctx)
  const { token, handle } = await transaction(ctx, (tx) =>
    startSession(tx, ctx, { accountId, visitor }),
  )
  return { accountId, cookie: `${sessionCookieName(true)}=${token}`, handle }
}

type Method = 'GET' | 'POST'

function call(
  who: Shopper | null,
  method: Method,
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

/** `data` of an answer that went well, which fits its published shape with nothing beside it. */
async function data(
  who: Shopper,
  method: Method,
  path: string,
  input: unknown = {},
  language = 'en',
): Promise<Record<string, unknown> & { list: Record<string, unknown>[] }> {
  const { status, envelope } = await call(who, method, path, input, language)
  expect({ status, ...envelope }).toMatchObject({ status: 200, code: 1 })
  const { data: shape } = PERSONAL_CALLS.find(
    (each) => each.path === path && each.method === method,
  ) as (typeof PERSONAL_CALLS)[number]
  expect(shape.parse(envelope.data)).toEqual(envelope.data)
  return envelope.data as Awaited<ReturnType<typeof data>>
}

const post = (accountId: string) =>
  transaction(database.ctx, (tx) =>
    postNotice(tx, database.ctx, { accountId, kind: 'welcome', params: {} }),
  )

const ADDRESS = {
  country: 'US',
  region: 'California',
  first_name: 'Ada',
  surname: 'Miller',
  address: '1 Main Street, Cupertino',
  postal_code: '95014',
}

describe('favourites', () => {
  test('are added, listed in the language and currency of the call, and removed; figures come back each time', async () => {
    const who = await shopper()
    expect(await data(who, 'POST', 'collect/add', { code: 'vapour-us' })).toEqual({
      collect_num: 1,
      collect_max_discount: 5,
    })
    expect(await data(who, 'POST', 'collect/add', { code: 'us-bell' })).toEqual({
      collect_num: 2,
      collect_max_discount: 5,
    })
    for (const language of LANGUAGE_CODES)
      expect(
        (await data(who, 'GET', 'collect/index', {}, language)).list.map(({ code }) => code),
      ).toEqual(['us-bell', 'vapour-us'])
    expect(
      await data(who, 'GET', 'collect/index', { page: '2', limit: '1', currency_code: 'JPY' }),
    ).toMatchObject({
      total: 2,
      page: 2,
      limit: 1,
      pages: 2,
      list: [{ code: 'vapour-us', price: { currency: 'JPY' } }],
    })
    expect(
      await data(who, 'GET', 'collect/index', { code: 'vapour-us,dragon-quarry-global' }),
    ).toMatchObject({ total: 1, list: [{ code: 'vapour-us' }] })
    expect(await data(who, 'GET', 'collect/index', { page: 'x', limit: '-3' })).toMatchObject({
      page: 1,
      limit: 1,
    })
    expect(
      await data(who, 'GET', 'collect/index', { page: '9'.repeat(400), limit: '99999' }),
    ).toMatchObject({ limit: 9_999, list: [] })
    expect(await data(who, 'POST', 'collect/remove', { code: 'vapour-us' })).toEqual({
      collect_num: 1,
      collect_max_discount: 0,
    })
  })

  test('a hundred additions at once give one', async () => {
    const who = await shopper()
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => call(who, 'POST', 'collect/add', { code: 'vapour-us' })),
    )
    expect(new Set(answers.map(({ envelope }) => JSON.stringify(envelope.data)))).toEqual(
      new Set(['{"collect_num":1,"collect_max_discount":5}']),
    )
  })

  test('what is not sold is not found', async () => {
    expect(await call(await shopper(), 'POST', 'collect/add', { code: 'nothing' })).toMatchObject({
      status: 404,
      envelope: { code: 404 },
    })
  })
})

describe('notices', () => {
  test('are listed with how many are unread, in every language, and read by their owner alone', async () => {
    const [who, stranger] = [await shopper(), await shopper()]
    await post(who.accountId)
    await post(who.accountId)
    for (const language of LANGUAGE_CODES) await data(who, 'GET', 'notice/index', {}, language)
    const page = await data(who, 'GET', 'notice/index', { limit: '1' })
    expect(page).toMatchObject({
      total: 2,
      pages: 2,
      notice_num: 2,
      list: [{ title: 'Welcome', is_read: false }],
    })
    const id = page.list[0]?.['id']
    expect(await call(stranger, 'POST', 'notice/read', { id })).toMatchObject({
      status: 404,
      envelope: { code: 404 },
    })
    expect(await data(who, 'POST', 'notice/read', { id })).toEqual({ notice_num: 1 })
    expect(await data(stranger, 'POST', 'notice/read_all')).toEqual({ notice_num: 0 })
    expect(await data(who, 'POST', 'notice/read_all')).toEqual({ notice_num: 0 })
    expect(
      (await data(who, 'GET', 'notice/index')).list.map((notice) => notice['is_read']),
    ).toEqual([true, true])
  })
})

describe('billing addresses', () => {
  test('are added, changed, made the default one and removed', async () => {
    const who = await shopper()
    const first = await data(who, 'POST', 'user/address', ADDRESS)
    expect(first.list).toEqual([
      { ...ADDRESS, id: first['id'], country_name: 'United States', is_default: true },
    ])
    const second = await data(who, 'POST', 'user/address', {
      ...ADDRESS,
      address: '2 Side Street, Reno',
      is_default: true,
    })
    expect(second.list.map(({ id, is_default }) => [id, is_default])).toEqual([
      [second['id'], true],
      [first['id'], false],
    ])
    await data(who, 'POST', 'user/address', { id: first['id'], is_default: true })
    await data(who, 'POST', 'user/address', { ...ADDRESS, id: first['id'], surname: 'Mueller' })
    expect((await data(who, 'GET', 'user/address')).list).toMatchObject([
      { id: first['id'], surname: 'Mueller', is_default: true },
      { id: second['id'] },
    ])
    expect(
      await data(who, 'POST', 'user/address', { id: first['id'], remove: true }),
    ).toMatchObject({ id: null, list: [{ id: second['id'], is_default: true }] })
  })

  test('the form of a country comes in the language of the call, and none for one that is unknown or not sold to', async () => {
    const who = await shopper()
    for (const language of LANGUAGE_CODES)
      await data(who, 'GET', 'user/address', { country: 'us' }, language)
    expect(await data(who, 'GET', 'user/address', { country: 'us' })).toMatchObject({
      list: [],
      form: {
        country: 'US',
        fields: [
          { name: 'country', label: 'Country or region' },
          { name: 'first_name' },
          { name: 'surname' },
          { name: 'address' },
          { name: 'region', label: 'State', required: true },
          {
            name: 'postal_code',
            label: 'ZIP code',
            hint: 'For example 95014',
            required: true,
            autocomplete: 'postal-code',
          },
        ],
      },
    })
    for (const country of ['', 'XX', 'AQ', '__proto__', 'USA'])
      expect(await data(who, 'GET', 'user/address', { country })).toMatchObject({ form: null })
  })

  test('what is wrong is said at its field, in the language of the call, and nothing is kept', async () => {
    const who = await shopper()
    expect(
      await call(who, 'POST', 'user/address', { ...ADDRESS, postal_code: '950' }),
    ).toMatchObject({
      status: 200,
      envelope: {
        code: 2422,
        data: {
          fields: [{ field: 'postal_code', msg: 'Enter a postal code, for example 95014.' }],
        },
      },
    })
    expect(await call(who, 'POST', 'user/address', {})).toMatchObject({
      status: 200,
      envelope: { code: 2422, data: { fields: [{ field: 'country' }] } },
    })
    expect(
      await call(who, 'POST', 'user/address', {
        ...ADDRESS,
        surname: 'Mil\u202eler',
        country: 'US',
      }),
    ).toMatchObject({ envelope: { code: 2422, data: { fields: [{ field: 'surname' }] } } })
    expect((await data(who, 'GET', 'user/address')).list).toEqual([])
  })

  test("somebody else's are not found and stay as they are", async () => {
    const [who, stranger] = [await shopper(), await shopper()]
    const { id } = await data(who, 'POST', 'user/address', ADDRESS)
    for (const body of [
      { ...ADDRESS, id, surname: 'Thief' },
      { id, remove: true },
      { id, is_default: true },
    ]) {
      expect(await call(stranger, 'POST', 'user/address', body)).toMatchObject({
        status: 404,
        envelope: { code: 404 },
      })
    }
    expect((await data(who, 'GET', 'user/address')).list).toMatchObject([{ id, surname: 'Miller' }])
  })

  test('are not changed over the token parameter without a proof in the call', async () => {
    const who = await shopper()
    const params = new URLSearchParams({ token: who.handle })
    expect(
      await calls.run({
        method: 'POST',
        path: 'user/address',
        params,
        body: ADDRESS,
        cookieHeader: undefined,
        visitor,
      }),
    ).toMatchObject({ status: 200, envelope: { code: 2403 } })
    expect((await data(who, 'GET', 'user/address')).list).toEqual([])
    expect(
      await calls.run({
        method: 'POST',
        path: 'collect/add',
        params,
        body: { code: 'vapour-us' },
        cookieHeader: undefined,
        visitor,
      }),
    ).toMatchObject({ status: 200, envelope: { code: 1 } })
  })
})

const WRITES = [
  'collect/add',
  'collect/remove',
  'notice/read',
  'notice/read_all',
  'user/address',
] as const
const RIGHT: Readonly<Record<(typeof WRITES)[number], object>> = {
  'collect/add': { code: 'vapour-us' },
  'collect/remove': { code: 'vapour-us' },
  'notice/read': { id: 'x'.repeat(22) },
  'notice/read_all': {},
  'user/address': ADDRESS,
}

/** Everything that belongs to somebody, to see that nothing has changed. */
async function belongings({ accountId }: Shopper): Promise<unknown> {
  const { db } = database.ctx
  return Promise.all(
    (['favourite', 'notice', 'billing_address'] as const).map((table) =>
      db.selectFrom(table).selectAll().where('account_id', '=', accountId).execute(),
    ),
  )
}

describe('bad input', () => {
  test('without a session nothing is read or written', async () => {
    for (const path of WRITES)
      expect(await call(null, 'POST', path, RIGHT[path])).toMatchObject({
        status: 401,
        envelope: { code: 401 },
      })
    for (const path of ['collect/index', 'notice/index', 'user/address'])
      expect(await call(null, 'GET', path)).toMatchObject({ status: 401, envelope: { code: 401 } })
  })

  test.each(WRITES)('%s refuses fields it does not take, and they have no effect', async (path) => {
    const [who, other] = [await shopper(), await shopper()]
    const before = await belongings(who)
    for (const extra of [
      { account_id: other.accountId },
      { status: 'active' },
      { role_id: 9 },
      { discount: 0 },
      { created_at: '2020-01-01' },
      { public_id: 'x' },
    ]) {
      expect(await call(who, 'POST', path, { ...RIGHT[path], ...extra })).toMatchObject({
        status: 422,
        envelope: { code: 422, data: { fields: [{ field: Object.keys(extra)[0] }] } },
      })
    }
    expect(await belongings(who)).toEqual(before)
    expect(await belongings(other)).toEqual([[], [], []])
  })

  test('a wrong type is named', async () => {
    const who = await shopper()
    for (const [path, body, field] of [
      ['collect/add', { code: 7 }, 'code'],
      ['collect/add', {}, 'code'],
      ['collect/add', { code: ['vapour-us'] }, 'code'],
      ['collect/add', { code: null }, 'code'],
      ['collect/add', { code: 'x'.repeat(101) }, 'code'],
      ['notice/read', { id: {} }, 'id'],
      ['user/address', { ...ADDRESS, surname: 5 }, 'surname'],
      ['user/address', { ...ADDRESS, is_default: 'yes' }, 'is_default'],
      ['user/address', { remove: true }, 'id'],
      ['user/address', { id: 'x', remove: false }, 'remove'],
      ['user/address', { ...ADDRESS, id: 'x', remove: true }, 'remove'],
      ['user/address', { ...ADDRESS, address: 'x'.repeat(1_000_000) }, 'address'],
    ] as const)
      expect(await call(who, 'POST', path, body)).toMatchObject({
        status: 422,
        envelope: { code: 422, data: { fields: [{ field }] } },
      })
    for (const body of [[], 'text', 7, true])
      expect(await call(who, 'POST', 'collect/add', body)).toMatchObject({
        status: 422,
        envelope: { code: 422 },
      })
  })

  const hostile = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      '',
      '\0',
      "' or 1=1 --",
      '../../etc/passwd',
      '<script>',
      '\r\nset-cookie: x=1',
      '__proto__',
      'vapour-us',
      'US',
      '95014',
      '\ud800',
      '\u202e',
      'x'.repeat(300),
      '𠮷'.repeat(300),
    ),
  )
  const value = fc.oneof(
    { weight: 4, arbitrary: hostile },
    fc.constantFrom(null, true, false, 0, -1, Number.MAX_VALUE, [], {}, ['x']),
  )
  const names = [
    'code',
    'id',
    'country',
    'region',
    'first_name',
    'surname',
    'address',
    'postal_code',
    'is_default',
    'remove',
    'account_id',
    'status',
    '__proto__',
    'constructor',
  ]
  const bodyOf = (path: (typeof WRITES)[number]) =>
    fc
      .tuple(fc.boolean(), fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 5 }))
      .map(([isRight, changes]) => ({ ...(isRight ? RIGHT[path] : {}), ...changes }))

  test.each(WRITES)('%s never fails, whatever it is sent', async (path) => {
    const [who, other] = [await shopper(), await shopper()]
    await fc.assert(
      fc.asyncProperty(bodyOf(path), fc.constantFrom(...LANGUAGE_CODES), async (body, language) => {
        const { status, envelope } = await call(who, 'POST', path, body, language)
        expect([
          [200, 1],
          [200, 2422],
          [404, 404],
          [422, 422],
        ]).toContainEqual([status, envelope.code])
        expect(envelope.msg).not.toBe('')
      }),
      { numRuns: 150 },
    )
    expect(await belongings(other)).toEqual([[], [], []])
    for (const read of ['collect/index', 'notice/index', 'user/address'])
      await data(who, 'GET', read)
  })

  test('reading never fails, whatever it is asked', async () => {
    const who = await shopper()
    await data(who, 'POST', 'collect/add', { code: 'vapour-us' })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('collect/index', 'notice/index', 'user/address'),
        fc.dictionary(
          fc.constantFrom('page', 'limit', 'country', 'code', 'lang', 'currency_code', 'x'),
          hostile,
        ),
        async (path, query) => {
          await data(who, 'GET', path, query)
        },
      ),
      { numRuns: 200 },
    )
  })
})
