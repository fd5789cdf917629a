import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadSnapshot, type ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { issueVerification, type NewVerification } from '#features/people/verification/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { importSmallCatalogue } from '../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../test/support/database.ts'
import { LAPTOP, PASSWORD, PHONE, signedIn, somebody } from '../../test/support/people.ts'
import { testServices } from '../../test/support/services.ts'
import { PERSONAL_CALLS } from './personal/calls.ts'
import { sessionCookieName } from './personal/cookies.ts'
import { createPersonalCalls, type PersonalAnswer } from './personal/run.ts'

const database = useDatabase()
const SECOND = 'Sepeda9Biru'
const MINE = [
  'user/send_code',
  'user/register',
  'user/login',
  'user/reset',
  'user/unfreeze',
  'user/profile',
  'user/password',
  'user/email',
  'user/prove',
  'user/sessions',
  'user/getUserInfo',
  'user/logout',
]
let shop: ShopSnapshot

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  shop = await loadSnapshot(database.ctx.db, 1)
})

interface Client {
  readonly device?: string
  readonly cookie?: string
  readonly handle?: string
  readonly visitor?: Visitor
  readonly ctx?: Ctx
}

async function call(
  path: string,
  input: unknown,
  client: Client = {},
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
  const cookieHeader = [
    ...(client.cookie === undefined ? [] : [`${sessionCookieName(true)}=${client.cookie}`]),
    ...(client.device === undefined ? [] : [`__Host-device=${client.device}`]),
  ].join('; ')
  return calls.run({
    method,
    path,
    params,
    body: method === 'POST' ? input : undefined,
    cookieHeader,
    visitor: client.visitor ?? PHONE,
  })
}

const get = (path: string, client: Client) => call(path, {}, client, 'GET')
const codeOf = async (answer: Promise<PersonalAnswer>) => (await answer).envelope.code
const dataOf = (answer: PersonalAnswer) =>
  answer.envelope.data as Record<string, unknown> & {
    userinfo: Record<string, unknown>
    token: string
    list: Record<string, unknown>[]
    fields: { field: string }[]
  }
const faults = (answer: PersonalAnswer) => (dataOf(answer).fields ?? []).map(({ field }) => field)

/** Value of the session's cookie that an answer sets; null when it sets none. */
function newCookie(answer: PersonalAnswer): string | null {
  const written = answer.cookies.find((line) => line.startsWith(`${sessionCookieName(true)}=`))
  return written === undefined ? null : (/=([^;]*)/.exec(written)?.[1] ?? '')
}

async function issued(
  wanted: Partial<NewVerification> & Pick<NewVerification, 'purpose'>,
): Promise<{ code: string; secret: string }> {
  const made = await transaction(database.ctx, (tx) =>
    issueVerification(tx, database.ctx, {
      accountId: null,
      target: '',
      withCode: true,
      withSecret: true,
      ...wanted,
    }),
  )
  return { code: made.code ?? '', secret: made.secret ?? '' }
}

test('somebody registers, sees who they are, signs out, resets the password and signs in', async () => {
  const email = 'journey@shop.example'
  expect(
    (await call('user/send_code', { type: 'register', account: email })).envelope,
  ).toMatchObject({ code: 1, data: true })
  const { code } = await issued({ purpose: 'register', target: email })
  const registered = await call('user/register', {
    type: 'email',
    email,
    code,
    username: 'journey1',
    password: PASSWORD,
  })
  expect(dataOf(registered).userinfo).toMatchObject({
    email,
    nickname: 'journey1',
    avatar: '',
    mobile: '',
    role_id: 0,
    uid: expect.stringMatching(/^\d{9}$/),
    user_id: expect.stringMatching(/^[\w-]{22}$/),
    token: expect.stringMatching(/^[\w-]{43}$/),
    ext: { cart_num: 0, collect_num: 0, collect_max_discount: 0, notice_num: 1 },
  })
  const cookie = newCookie(registered) ?? ''
  expect(registered.cookies.join()).toMatch(
    /__Host-sid=[\w-]{43}; Path=\/; Max-Age=\d+; SameSite=Lax; HttpOnly; Secure/,
  )
  expect(dataOf(registered).userinfo['token']).not.toBe(cookie)
  expect((await get('user/getUserInfo', { cookie })).envelope).toMatchObject({
    code: 1,
    data: { email },
  })
  await call('user/logout', {}, { cookie })
  const ended = await get('user/getUserInfo', { cookie })
  expect([ended.status, ended.envelope.code]).toEqual([401, 401])
  expect(await codeOf(call('user/send_code', { type: 'reset', account: email }))).toBe(1)
  const { accountId } = await accountOf(email)
  const reset = await issued({ purpose: 'reset', accountId, target: email })
  expect(
    await codeOf(call('user/reset', { account: email, code: reset.code, password: SECOND })),
  ).toBe(1)
  expect(await codeOf(call('user/login', { account: email, password: PASSWORD }))).toBe(2406)
  const back = await call('user/login', { account: 'JOURNEY1', password: SECOND, stay: false })
  expect(back.envelope.code).toBe(1)
  expect(back.cookies.join()).not.toContain('Max-Age=7')
})

async function accountOf(email: string): Promise<{ accountId: string }> {
  const row = await database.ctx.db
    .selectFrom('account')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return { accountId: row.id }
}

test('somebody registers by the mailed link, and the link is then used up', async () => {
  const { secret } = await issued({ purpose: 'register', target: 'linked@shop.example' })
  expect(
    await codeOf(
      call('user/register', { type: 'link', key: secret, username: 'linked1', password: PASSWORD }),
    ),
  ).toBe(1)
  expect(
    (
      await call('user/register', {
        type: 'link',
        key: secret,
        username: 'linked2',
        password: PASSWORD,
      })
    ).envelope,
  ).toMatchObject({ code: 2410, msg: 'Link has expired' })
})

test('what breaks a rule is told at its field, in the language of the call', async () => {
  const answer = await call('user/register', {
    type: 'email',
    email: 'nope',
    code: '123456',
    username: 'x',
    password: 'x',
  })
  expect([answer.status, answer.envelope.code, faults(answer)]).toEqual([
    200,
    2422,
    ['email', 'username', 'password'],
  ])
  expect(faults(await call('user/login', {}))).toEqual(['account', 'password'])
  expect(faults(await call('user/login', { account: 'x', password: '' }))).toEqual(['password'])
  expect(faults(await call('user/login', { ticket: 'x' }))).toEqual(['code'])
  expect(faults(await call('user/reset', { password: SECOND }))).toEqual(['account', 'code'])
  expect((await call('user/register', { type: 'nonsense' })).status).toBe(422)
})

test('unknown account and wrong password answer the same to the letter', async () => {
  const { email } = await somebody(database.ctx)
  const wrong = await call('user/login', { account: email, password: 'Wrong4You' })
  const unknown = await call('user/login', {
    account: 'stranger@shop.example',
    password: 'Wrong4You',
  })
  expect(unknown).toEqual(wrong)
  const device = 'A'.repeat(22)
  for (const type of ['register', 'reset'])
    expect(await call('user/send_code', { type, account: email }, { device })).toEqual(
      await call('user/send_code', { type, account: 'stranger2@shop.example' }, { device }),
    )
  const reset = (account: string) =>
    call('user/reset', { account, code: '000000', password: SECOND })
  expect(await reset(email)).toEqual(await reset('stranger@shop.example'))
})

describe('the token parameter', () => {
  test('reads, and earns no cookie by any call', async () => {
    const { accountId } = await somebody(database.ctx)
    const { handle, token } = await signedIn(database.ctx, accountId)
    const answers = await Promise.all([
      get('user/getUserInfo', { handle }),
      get('user/profile', { handle }),
      get('user/sessions', { handle }),
      call('user/profile', { nickname: 'Ana', password: PASSWORD }, { handle }),
      call('user/prove', { password: PASSWORD }, { handle }),
    ])
    expect(answers.map(({ envelope }) => envelope.code)).toEqual([1, 1, 1, 1, 2403])
    const changed = await call(
      'user/password',
      { new_password: SECOND, password: PASSWORD },
      { handle },
    )
    expect(changed.envelope.code).toBe(1)
    for (const answer of [...answers, changed]) expect(newCookie(answer)).toBeNull()
    for (const dead of [{ handle }, { cookie: token }])
      expect(await codeOf(get('user/getUserInfo', dead))).toBe(401)
    expect(await codeOf(get('user/getUserInfo', { handle: dataOf(changed).token }))).toBe(1)
    expect(JSON.stringify(changed.envelope)).not.toContain(token)
  })

  test('changes nothing without a proof in the call', async () => {
    const { accountId } = await somebody(database.ctx)
    const { handle } = await signedIn(database.ctx, accountId)
    const tries = [
      call('user/profile', { nickname: 'Ana' }, { handle }),
      call('user/password', { new_password: SECOND }, { handle }),
      call('user/email', { email: 'x@shop.example', code: '000000' }, { handle }),
      call('user/sessions', { others: true }, { handle }),
    ]
    for (const answer of tries) expect(await codeOf(answer)).toBe(2403)
    expect(
      faults(await call('user/profile', { nickname: 'Ana', password: 'Wrong4You' }, { handle })),
    ).toEqual(['password'])
  })

  test('is not heard beside a cookie, living or dead', async () => {
    const mine = await signedIn(database.ctx, (await somebody(database.ctx)).accountId)
    const theirs = await signedIn(database.ctx, (await somebody(database.ctx)).accountId)
    expect(
      dataOf(await get('user/getUserInfo', { cookie: mine.token, handle: theirs.handle }))['uid'],
    ).toBe(mine.person.uid)
    expect(
      await codeOf(get('user/getUserInfo', { cookie: 'A'.repeat(43), handle: theirs.handle })),
    ).toBe(401)
  })

  test('dies after a day without use', async () => {
    const { handle } = await signedIn(database.ctx, (await somebody(database.ctx)).accountId)
    const later = { ...database.ctx, now: () => new Date(Date.now() + 24 * 3_600_000 + 1_000) }
    expect(await codeOf(get('user/getUserInfo', { handle, ctx: later }))).toBe(401)
  })
})

test('signing in with a planted cookie and token gives new ones and ends the planted session', async () => {
  const planted = await signedIn(database.ctx, (await somebody(database.ctx)).accountId)
  const victim = await somebody(database.ctx)
  for (const client of [
    { cookie: planted.token, handle: planted.handle },
    { handle: planted.handle },
    { cookie: 'B'.repeat(43) },
  ]) {
    const answer = await call('user/login', { account: victim.email, password: PASSWORD }, client)
    expect(answer.envelope.code).toBe(1)
    expect([planted.token, 'B'.repeat(43)]).not.toContain(newCookie(answer))
    expect(dataOf(answer).userinfo['token']).not.toBe(planted.handle)
    expect(await codeOf(get('user/getUserInfo', { cookie: planted.token }))).toBe(401)
    expect(await codeOf(get('user/getUserInfo', { handle: planted.handle }))).toBe(401)
  }
})

test('a proof, a new password and a new address each go on under a new cookie; the old one is dead', async () => {
  const { accountId } = await somebody(database.ctx)
  let { token: cookie } = await signedIn(database.ctx, accountId)
  const { code } = await issued({ purpose: 'email', accountId, target: 'renewed@shop.example' })
  for (const [path, body] of [
    ['user/prove', { password: PASSWORD }],
    ['user/password', { new_password: SECOND }],
    ['user/email', { email: 'renewed@shop.example', code }],
  ] as const) {
    const answer = await call(path, body, { cookie })
    expect([path, answer.envelope.code]).toEqual([path, 1])
    expect([path, await codeOf(get('user/getUserInfo', { cookie }))]).toEqual([path, 401])
    cookie = newCookie(answer) ?? ''
    expect(await codeOf(get('user/getUserInfo', { cookie }))).toBe(1)
  }
})

test('sensitive calls ask for a proof once ten minutes have passed, and take one in the call', async () => {
  const { accountId } = await somebody(database.ctx)
  const { token: cookie } = await signedIn(database.ctx, accountId)
  const later = { ...database.ctx, now: () => new Date(Date.now() + 601_000) }
  expect(
    await codeOf(call('user/password', { new_password: SECOND }, { cookie, ctx: later })),
  ).toBe(2403)
  expect(
    faults(
      await call(
        'user/password',
        { new_password: SECOND, password: 'Wrong4You' },
        { cookie, ctx: later },
      ),
    ),
  ).toEqual(['password'])
  expect(
    await codeOf(
      call('user/password', { new_password: SECOND, password: PASSWORD }, { cookie, ctx: later }),
    ),
  ).toBe(1)
})

test('the list of devices ends others, never those of somebody else', async () => {
  const { accountId } = await somebody(database.ctx)
  const { token: cookie } = await signedIn(database.ctx, accountId)
  const { token: laptop } = await signedIn(database.ctx, accountId, LAPTOP)
  const stranger = await signedIn(database.ctx, (await somebody(database.ctx)).accountId)
  const { list } = dataOf(await get('user/sessions', { cookie }))
  expect(list.map(({ browser, system, current }) => [browser, system, current])).toEqual([
    ['Firefox', 'Windows', false],
    ['Chrome', 'Android', true],
  ])
  expect(
    (await call('user/sessions', { id: list[0]?.['id'] }, { cookie: stranger.token })).status,
  ).toBe(404)
  expect(
    dataOf(await call('user/sessions', { id: list[0]?.['id'] }, { cookie })).list,
  ).toHaveLength(1)
  expect(await codeOf(get('user/getUserInfo', { cookie: laptop }))).toBe(401)
  await signedIn(database.ctx, accountId, LAPTOP)
  expect(dataOf(await call('user/sessions', { others: true }, { cookie })).list).toHaveLength(1)
  for (const body of [{}, { id: 'x' }, { others: false }, { id: list[1]?.['id'], others: true }])
    expect((await call('user/sessions', body, { cookie })).status).toBe(422)
  const itself = await call('user/sessions', { id: list[1]?.['id'] }, { cookie })
  expect(newCookie(itself)).toBe('')
})

test('signing others out asks for a proof once ten minutes have passed', async () => {
  const { accountId } = await somebody(database.ctx)
  const { token: cookie } = await signedIn(database.ctx, accountId)
  const { token: laptop } = await signedIn(database.ctx, accountId, LAPTOP)
  const ctx = { ...database.ctx, now: () => new Date(Date.now() + 601_000) }
  expect(await codeOf(call('user/sessions', { others: true }, { cookie, ctx }))).toBe(2403)
  expect(await codeOf(get('user/getUserInfo', { cookie: laptop }))).toBe(1)
  const body = { others: true, password: PASSWORD }
  expect(await codeOf(call('user/sessions', body, { cookie, ctx }))).toBe(1)
  expect(await codeOf(get('user/getUserInfo', { cookie: laptop }))).toBe(401)
})

test('what signing in answers fits the published shape', async () => {
  const { email } = await somebody(database.ctx)
  const { data } = PERSONAL_CALLS.find(
    ({ path }) => path === 'user/login',
  ) as (typeof PERSONAL_CALLS)[number]
  const answer = (await call('user/login', { account: email, password: PASSWORD })).envelope.data
  expect(data.parse(answer)).toEqual(answer)
})

describe('bad input', () => {
  const posts = PERSONAL_CALLS.filter(
    ({ path, method }) => MINE.includes(path) && method === 'POST',
  )
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 50 }),
    fc.constantFrom(
      'x'.repeat(100_000),
      '\u0000',
      '\ud800',
      "' or 1=1 --",
      '<script>alert(1)</script>',
      '__proto__',
      '../../etc/passwd',
      '\r\nbcc: x@y.example',
      '１２３４５６',
      '\u202e',
    ),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.anything({ maxDepth: 1 }), { maxLength: 3 }),
    fc.object({ maxDepth: 2, maxKeys: 3 }),
  )

  test.each(posts.map((each) => [each.path, each] as const))(
    '%s refuses fields it does not know, without effect',
    async (_, each) => {
      const { accountId } = await somebody(database.ctx)
      const { token: cookie } = await signedIn(database.ctx, accountId)
      const row = () =>
        database.ctx.db
          .selectFrom('account')
          .selectAll()
          .where('id', '=', accountId)
          .executeTakeFirstOrThrow()
      const before = await row()
      for (const extra of [
        { role_id: 5 },
        { status: 'erased' },
        { account_id: accountId },
        { uid: 1 },
        { isAdmin: true },
      ]) {
        const answer = await call(each.path, { ...each.example, ...extra }, { cookie })
        expect([answer.status, faults(answer)]).toEqual([422, Object.keys(extra)])
      }
      expect(await row()).toEqual(before)
      expect(await codeOf(get('user/getUserInfo', { cookie }))).toBe(1)
    },
  )

  test.each(posts.map((each) => [each.path, each] as const))(
    '%s never fails on what it is sent',
    async (path, each) => {
      const { accountId } = await somebody(database.ctx)
      let { token: cookie } = await signedIn(database.ctx, accountId)
      const names = [
        ...new Set([
          ...Object.keys(each.example),
          'type',
          'account',
          'code',
          'key',
          'ticket',
          'password',
          'email',
          'username',
          'nickname',
          'id',
        ]),
      ]
      const body = fc.oneof(
        {
          weight: 4,
          arbitrary: fc
            .dictionary(fc.constantFrom(...names), value, { maxKeys: 6 })
            .map((made) => ({ ...each.example, ...made })),
        },
        { weight: 1, arbitrary: value },
      )
      await fc.assert(
        fc.asyncProperty(body, fc.boolean(), async (sent, asSomebody) => {
          const answer = await call(path, sent, asSomebody ? { cookie } : {})
          expect([200, 401, 404, 422, 429]).toContain(answer.status)
          if (answer.status === 422) expect(faults(answer).length).toBeGreaterThan(0)
          cookie = newCookie(answer) || cookie
        }),
        { numRuns: 60 },
      )
    },
    60_000,
  )

  test('a hostile token or cookie is nobody', async () => {
    for (const text of [
      '',
      'cookie',
      'x'.repeat(100_000),
      '\u0000',
      '%00',
      "' or 1=1 --",
      '\ud800',
      'A'.repeat(43),
    ])
      for (const client of [{ handle: text }, { cookie: text }])
        expect((await get('user/getUserInfo', client)).status).toBe(401)
  })
})
