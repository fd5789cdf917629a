import { afterAll, beforeAll, expect, test } from 'vitest'
import { noteWaiting, inTurn } from '#features/team/approval/commands.ts'
import {
  actingAs,
  createFirstOwner,
  createOperator,
  createToken,
  startOperatorSession,
  type OperatorCtx,
} from '#features/team/operator/commands.ts'
import { findOperatorSession } from '#features/team/operator/queries.ts'
import { mayDo, ROLES, type Operator, type OperatorRole } from '#features/team/operator/rules.ts'
import { present } from '#kernel/assert.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { createKeys } from '#platform/keys.ts'
import { sql } from 'kysely'
import { addCurrencies } from '../../../test/support/buying.ts'
import { useDatabase } from '../../../test/support/database.ts'
import { PHONE, signedIn, somebody } from '../../../test/support/people.ts'
import { startShop, type RunningShop } from '../../../test/support/running-shop.ts'
import { ACCESS, accessOf, type CallAccess } from './access.ts'
import { CONSOLE_CALLS } from './calls.ts'

const PASSWORD = 'correct horse battery'
const database = useDatabase()
let ctx: Ctx
let shop: RunningShop
const people = new Map<OperatorRole, Operator>()
const tokens = new Map<OperatorRole, string>()

beforeAll(async () => {
  ctx = { ...database.ctx, keys: createKeys(Buffer.alloc(32, 9)) }
  await addCurrencies(ctx)
  const owner = await createFirstOwner(ctx, { name: 'mara', password: PASSWORD })
  people.set('owner', owner)
  for (const role of ROLES.filter((one) => one !== 'owner'))
    people.set(
      role,
      await createOperator(actingAs(ctx, owner), { name: `a-${role}`, role, password: PASSWORD }),
    )
  for (const [role, operator] of people) {
    const { token } = await createToken(actingAs(ctx, operator), { label: 'test', days: 1 })
    tokens.set(role, token)
  }
  shop = await startShop(database.url, { RATE_LIMITS: 'off' })
})
afterAll(() => shop.stop())

const who = (role: OperatorRole) => present(people.get(role), role)
const as = (role: OperatorRole): OperatorCtx => actingAs(ctx, who(role))

const sessionOf = (role: OperatorRole, name?: Operator) =>
  transaction(ctx, (tx) =>
    startOperatorSession(tx, ctx, {
      operator: name ?? who(role),
      visitor: PHONE,
      factor: 'passkey',
      replaces: null,
    }),
  )

async function prove(token: string, kind: string): Promise<void> {
  const found = present(await findOperatorSession(ctx.db, ctx, token), 'session')
  await sql`insert into operator_proof (session_id, kind, proved_at) values (${found.session.id}, ${kind}, ${ctx.now()})`.execute(
    ctx.db,
  )
}

interface Sent {
  readonly body?: Readonly<Record<string, unknown>>
  readonly cookie?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
}

interface Answer {
  readonly status: number
  readonly code: number
  readonly msg: string
  readonly data: any
  readonly cookies: readonly string[]
}

async function send(
  path: string,
  { body = {}, cookie, headers, query = '' }: Sent = {},
): Promise<Answer> {
  const method = accessOf(path)?.method ?? 'POST'
  const response = await fetch(`${shop.origin}/api/${path}${query}`, {
    method,
    headers: {
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...(headers ?? { 'sec-fetch-site': 'same-origin' }),
      ...(cookie === undefined ? {} : { cookie }),
    },
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  })
  const envelope = (await response.json()) as { code: number; msg: string; data: unknown }
  return { status: response.status, ...envelope, cookies: response.headers.getSetCookie() }
}

const by = (token: string) => `operator=${token}`
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** What an answer says of whether the caller is let in. */
function outcome({ status, code }: Answer): string {
  if (status === 401) return 'nobody'
  if (code === 2450) return 'lacks'
  if (status === 403) return 'refused'
  if (code === 2403) return 'proof'
  return status < 500 ? 'in' : 'broken'
}

function expected({ needs, proof }: CallAccess, role: OperatorRole): string {
  const may = needs === 'anyone' || needs === 'signed-in' || mayDo({ role }, needs)
  return may ? (proof === undefined ? 'in' : 'proof') : 'lacks'
}

test('every call stands in the table, and everything in the table is a call', () => {
  const paths = CONSOLE_CALLS.map(({ path }) => path)
  expect(paths.toSorted()).toEqual(Object.keys(ACCESS).toSorted())
  for (const call of CONSOLE_CALLS)
    expect([call.path, call.by === 'anyone']).toEqual([
      call.path,
      ACCESS[call.path].needs === 'anyone',
    ])
})

test('what moves power or asks a proof no token opens, and approving is for people', () => {
  for (const [path, access] of Object.entries<CallAccess>(ACCESS))
    if (access.proof !== undefined || path.startsWith('console/approvals/approve'))
      expect([path, access.byToken]).toEqual([path, undefined])
})

test.each(ROLES)('every call as %s is let in or refused as the table says', async (role) => {
  for (const [path, access] of Object.entries<CallAccess>(ACCESS)) {
    const cookie = by(await sessionOf(role))
    expect([path, outcome(await send(path, { cookie }))]).toEqual([path, expected(access, role)])
  }
})

test.each(ROLES)(
  'every call by a token of %s is let in where the table lets tokens',
  async (role) => {
    const headers = bearer(present(tokens.get(role), role))
    for (const [path, access] of Object.entries<CallAccess>(ACCESS)) {
      const wanted = access.byToken ? expected(access, role) : 'refused'
      expect([path, outcome(await send(path, { headers }))]).toEqual([path, wanted])
    }
  },
)

test('nobody, a shopper, a forged cookie and a forged token open nothing', async () => {
  const { accountId } = await somebody(ctx)
  const shopper = await signedIn(ctx, accountId)
  const cookies = [
    undefined,
    `sid=${shopper.token}`,
    by(shopper.token),
    by('A'.repeat(43)),
    by("' or 1=1 --"),
    by(present(tokens.get('owner'), 'token')),
  ]
  for (const [path, access] of Object.entries<CallAccess>(ACCESS)) {
    const wanted = access.needs === 'anyone' ? 'in' : 'nobody'
    for (const cookie of cookies)
      expect([path, outcome(await send(path, cookie === undefined ? {} : { cookie }))]).toEqual([
        path,
        wanted,
      ])
    for (const token of ['x', `lukado-operator-${'A'.repeat(43)}`, shopper.token])
      expect([path, outcome(await send(path, { headers: bearer(token) }))]).toEqual([
        path,
        'nobody',
      ])
  }
  const operator = await sessionOf('owner')
  const response = await fetch(`${shop.origin}/api/user/sessions`, {
    headers: { cookie: `sid=${operator}; operator=${operator}` },
  })
  expect(response.status).toBe(401)
})

test('a write from anywhere but the console’s own pages is refused, whoever is signed in', async () => {
  const cookie = by(await sessionOf('owner'))
  const writes = Object.entries<CallAccess>(ACCESS).filter(([, { method }]) => method === 'POST')
  const origins: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]
  for (const [path] of writes)
    for (const headers of origins)
      expect([path, headers, (await send(path, { cookie, headers })).status]).toEqual([
        path,
        headers,
        403,
      ])
  const same = await send('console/preferences', {
    cookie,
    headers: { origin: shop.origin },
    body: { theme: 'dark' },
  })
  expect(same.code).toBe(1)
})

test('a token in an address is refused, and so is a call nobody knows and one by another method', async () => {
  const cookie = by(await sessionOf('owner'))
  expect((await send('console/me', { cookie, query: '?token=x' })).status).toBe(422)
  expect((await send('console/me', { query: `?token=${tokens.get('owner')}` })).status).toBe(422)
  expect((await send('console/nothing', { cookie })).status).toBe(404)
  expect((await send('console/__proto__', { cookie })).status).toBe(404)
  const read = await fetch(`${shop.origin}/api/console/sign_out`, { headers: { cookie } })
  expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  expect((await send('console/me', { cookie })).data).toMatchObject({ name: 'mara', role: 'owner' })
})

test('a role that is taken away while a page is open counts at once, and is told in the operator’s language', async () => {
  const made = await createOperator(as('owner'), { name: 'bao', role: 'owner', password: PASSWORD })
  const cookie = by(await sessionOf('owner', made))
  await send('console/preferences', { cookie, body: { language: 'de' } })
  expect((await send('console/team/list', { cookie })).data).toHaveLength(ROLES.length + 1)
  const owner = await sessionOf('owner')
  await prove(owner, 'staff')
  const body = { name: 'bao', role: 'support' }
  expect((await send('console/team/role', { cookie: by(owner), body })).code).toBe(1)
  expect(await send('console/team/list', { cookie })).toMatchObject({
    status: 403,
    code: 2450,
    msg: 'Deine Rolle erlaubt das nicht.',
    data: { permission: 'staff.read' },
  })
  expect(
    (await send('console/team/suspend', { cookie: by(owner), body: { name: 'bao' } })).code,
  ).toBe(1)
  expect((await send('console/me', { cookie })).status).toBe(401)
})

test('nobody takes the last owner away, and a fresh proof of another kind is none', async () => {
  const token = await sessionOf('owner')
  await prove(token, 'key')
  const sent = { cookie: by(token), body: { name: 'mara' } }
  expect((await send('console/team/suspend', sent)).code).toBe(2403)
  await prove(token, 'staff')
  expect((await send('console/team/suspend', sent)).code).toBe(2452)
  const demoted = { cookie: by(token), body: { name: 'mara', role: 'support' } }
  expect((await send('console/team/role', demoted)).code).toBe(2452)
})

test('what waits is approved by another person, never by the asker, in whatever way they come', async () => {
  const asked = await inTurn(as('finance'), (tx) =>
    noteWaiting(tx, as('finance'), {
      kind: 'store_credit',
      subject: 'nobody@shop.example',
      accountId: null,
      orderId: null,
      money: { minor: 60_000n, currency: 'USD' },
      usdMinor: 60_000n,
      details: {},
    }),
  )
  const asker = by(await sessionOf('finance'))
  const listed = await send('console/approvals/list', { cookie: asker })
  expect(listed.data).toMatchObject([{ id: asked, is_mine: true, may_approve: false }])
  const body = { id: asked }
  expect((await send('console/approvals/approve', { cookie: asker, body })).code).toBe(2451)
  const headers = bearer(present(tokens.get('owner'), 'token'))
  expect((await send('console/approvals/approve', { headers, body })).status).toBe(403)
  // Whoever made the asker's account a moment ago may be the same person.
  const owner = by(await sessionOf('owner'))
  expect((await send('console/approvals/approve', { cookie: owner, body })).code).toBe(2451)
  const forged = { id: 'A'.repeat(22) }
  expect((await send('console/approvals/approve', { cookie: owner, body: forged })).status).toBe(
    404,
  )
  const back = { id: asked, reason: 'Asked for the wrong shopper.' }
  expect((await send('console/approvals/refuse', { cookie: asker, body: back })).code).toBe(1)
  expect((await send('console/approvals/list', { cookie: owner })).data).toEqual([])
})

test('what a command refuses in a sentence is no fault of the program: the sentence comes along', async () => {
  const { ctx } = database
  const subject = 'S'.repeat(22)
  await ctx.db
    .insertInto('stray_payment')
    .values({
      id: ctx.newId(),
      public_id: subject,
      provider: 'gone',
      provider_reference: 'pay_1',
      our_reference: 'none',
      currency: 'USD',
      amount_minor: 60_000n,
      found_at: ctx.now(),
    })
    .execute()
  const asked = await inTurn(as('finance'), (tx) =>
    noteWaiting(tx, as('finance'), {
      kind: 'stray_return',
      subject,
      accountId: null,
      orderId: null,
      money: { minor: 60_000n, currency: 'USD' },
      usdMinor: 60_000n,
      details: {},
    }),
  )
  // Two people who made neither's account.
  const longAgo = new Date(ctx.now().getTime() - 7 * 86_400_000)
  await ctx.db
    .updateTable('operator')
    .set({
      created_at: longAgo,
      created_by: 'shell',
      password_set_at: longAgo,
      password_set_by: 'x',
    })
    .execute()
  const cookie = by(await sessionOf('owner'))
  const answer = await send('console/approvals/approve', { cookie, body: { id: asked } })
  expect(answer).toMatchObject({
    code: 2418,
    data: { why: expect.stringMatching(/^gone is not set up here/) },
  })
})

test('signing in over the wire sets the cookie once the factor is made, and signing out ends it', async () => {
  const first = await send('console/sign_in', {
    body: { account: 'a-support', password: PASSWORD },
  })
  expect(first).toMatchObject({ code: 1, data: { step: 'enrol', ways: [] }, cookies: [] })
  const wrong = await send('console/sign_in', { body: { account: 'a-support', password: 'x' } })
  expect(wrong.code).toBe(2406)
  const { ticket } = first.data as { ticket: string }
  const begun = await send('console/enrol_app', { body: { ticket } })
  const { Secret, TOTP } = await import('otpauth')
  const seed = String((begun.data as { seed: string }).seed).replaceAll(' ', '')
  const code = new TOTP({ secret: Secret.fromBase32(seed) }).generate()
  const done = await send('console/enrol_app_confirm', { body: { ticket, code } })
  expect(done.data.recovery_codes).toHaveLength(10)
  const [set = ''] = done.cookies
  expect(set).toMatch(/^operator=[\w-]{43}; Path=\/; SameSite=Strict; HttpOnly$/)
  const cookie = set.split(';')[0] ?? ''
  expect((await send('console/me', { cookie })).data).toMatchObject({
    name: 'a-support',
    ways: ['code', 'recovery'],
    session: { factor: 'totp' },
  })
  const out = await send('console/sign_out', { cookie })
  expect(out.cookies[0]).toMatch(/^operator=; .*Max-Age=0/)
  expect((await send('console/me', { cookie })).status).toBe(401)
})

test('the trail is read in pages, by who and by what', async () => {
  const cookie = by(await sessionOf('read-only'))
  const query = '?subject=operator&limit=3'
  const page = await send('console/audit/list', { cookie, query })
  expect(page.data.lines).toHaveLength(3)
  const next = await send('console/audit/list', {
    cookie,
    query: `${query}&cursor=${page.data.next}`,
  })
  const ids = [...page.data.lines, ...next.data.lines].map(({ id }: { id: string }) => id)
  expect(new Set(ids).size).toBe(6)
  const mine = await send('console/audit/list', {
    cookie,
    query: '?actor=operator:mara&action=create',
  })
  expect(mine.data.lines.length).toBeGreaterThan(0)
  for (const line of mine.data.lines)
    expect(line).toMatchObject({ actor: 'operator:mara', action: 'create' })
  expect((await send('console/audit/list', { cookie, query: '?cursor=x' })).code).toBe(2422)
})
