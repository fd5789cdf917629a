import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordAudit, tellPageReads } from '#features/base/audit/commands.ts'
import { searchAudit } from '#features/base/audit/queries.ts'
import {
  actingAs,
  createOperator,
  createToken,
  writeRole,
  type OperatorCtx,
} from '#features/team/operator/commands.ts'
import { listTokens } from '#features/team/operator/queries.ts'
import { PROOF_KINDS, type Operator } from '#features/team/operator/rules.ts'
import { present } from '#kernel/assert.ts'
import { ctxFor, transaction, type Ctx } from '#platform/ctx.ts'
import { createKeys } from '#platform/keys.ts'
import { inRequest } from '#platform/request-scope.ts'
import { addCurrencies } from '../../../test/support/buying.ts'
import { minutesLater } from '../../../test/support/clock.ts'
import { useDatabase } from '../../../test/support/database.ts'
import { OPERATOR_PASSWORD, firstOwner, operatorCookie } from '../../../test/support/operators.ts'
import { startShop, type RunningShop } from '../../../test/support/running-shop.ts'
import { ACCESS, type CallAccess } from './access.ts'
import { CONSOLE_CALLS } from './calls.ts'
import { noteCall } from './note-call.ts'

const database = useDatabase()
let ctx: Ctx
let shop: RunningShop
let owner: Operator
let reader: Operator

beforeAll(async () => {
  ctx = { ...database.ctx, keys: createKeys(Buffer.alloc(32, 9)) }
  await addCurrencies(ctx)
  owner = (await firstOwner(ctx)).operator
  reader = await createOperator(actingAs(ctx, owner), {
    name: 'lena',
    role: 'read-only',
    password: OPERATOR_PASSWORD,
  })
  shop = await startShop(database.url, { RATE_LIMITS: 'off' })
})
afterAll(() => shop.stop())

/** A cookie of somebody who has proved everything a moment ago. */
const proved = (operator = owner) => operatorCookie(ctx, operator, PROOF_KINDS)

const get = (path: string, cookie: string) =>
  fetch(`${shop.origin}/api/${path}`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })

const linesOf = async (requestId: string) =>
  (
    await ctx.db
      .selectFrom('audit_log')
      .select(['action', 'subject', 'subject_code', 'actor', 'network', 'after'])
      .where('request_id', '=', requestId)
      .execute()
  ).map((line) => ({ ...line }))

const writes = Object.entries<CallAccess>(ACCESS).filter(([, { method }]) => method === 'POST')
/** Nobody is there yet who could have done it: what comes of them is written down with the session they begin, or as a refused proof. */
const BEFORE_SIGN_IN = writes.filter(([, { needs }]) => needs === 'anyone').map(([path]) => path)

test('a write whose command writes nothing to the trail is written down by the runner, each of the table, or it is said why not', async () => {
  const acting = actingAs(ctx, owner)
  for (const [path, access] of writes) {
    if (BEFORE_SIGN_IN.includes(path)) continue
    const id = randomUUID()
    const own: OperatorCtx = { ...acting, requestId: id }
    await inRequest({ id, network: '203.0.113.0/24' }, () => noteCall(own, path, access, {}))
    const lines = await linesOf(id)
    if (access.unaudited !== undefined) expect([path, lines]).toEqual([path, []])
    else if (access.look === undefined)
      expect([path, lines]).toEqual([
        path,
        [
          {
            action: 'call',
            subject: 'console',
            subject_code: path,
            actor: 'operator:mara',
            network: '203.0.113.0/24',
            after: {},
          },
        ],
      ])
  }
})

test('every write that goes well by its example leaves a line, of its own command or the runner’s', async () => {
  const done: string[] = []
  for (const [path, access] of writes) {
    if (BEFORE_SIGN_IN.includes(path)) continue
    const example = CONSOLE_CALLS.find((call) => call.path === path)?.example ?? {}
    const response = await fetch(`${shop.origin}/api/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        cookie: await proved(),
      },
      body: JSON.stringify(example),
    })
    const { code } = (await response.json()) as { code: number }
    if (code !== 1) continue
    done.push(path)
    const lines = await linesOf(present(response.headers.get('x-request-id'), 'id'))
    expect([path, lines.length > 0]).toEqual([path, access.unaudited === undefined])
  }
  expect(done).toContain('console/email')
  expect(done).toContain('console/sign_out')
})

test('a look at what is personal is written down with whose it was', async () => {
  const id = randomUUID()
  const own = { ...actingAs(ctx, owner), requestId: id }
  const access: CallAccess = {
    method: 'GET',
    needs: 'shopper.read',
    look: { subject: 'account', by: 'id' },
  }
  await noteCall(own, 'console/customers/one', access, { id: 'A7' })
  expect(await linesOf(id)).toMatchObject([
    { action: 'look', subject: 'account', subject_code: 'A7' },
  ])
})

test('the trail goes out as CSV with a fresh proof and the permission, and that it did stands in it', async () => {
  await transaction(ctx, (tx, now) =>
    recordAudit(tx, ctxFor(ctx, { actor: 'operator:mara', locale: 'en', currency: 'USD' }), now, [
      {
        action: 'update',
        subject: 'sheet',
        subjectCode: '=1+1',
        before: { note: 'a,"b"' },
        after: null,
      },
      { action: 'update', subject: 'sheet', subjectCode: "'=1", before: null, after: null },
    ]),
  )
  const answer = await get('console/audit/file?subject=sheet', await proved())
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-/)
  const [, ...rows] = (await answer.text()).trimEnd().split('\r\n')
  expect(rows).toHaveLength(2)
  expect(rows.find((row) => row.includes(",'=1+1,"))).toContain('"{""note"":""a,\\""b\\""""}"')
  // Taking one apostrophe away gives back what was there, in either case.
  expect(rows.some((row) => row.includes(",''=1,"))).toBe(true)
  const { lines } = await searchAudit(ctx.db, { subject: 'audit_log', action: 'export' }, null, 10)
  expect(lines).toMatchObject([{ actor: 'operator:mara', after: { subject: 'sheet' } }])
  const refused = await get('console/audit/file', await proved(reader))
  expect(((await refused.json()) as { code: number }).code).toBe(2450)
})

test('a page looks through so many lines and says how far; the next goes on from there', async () => {
  await sql`insert into audit_log (id, at, actor, request_id, action, subject, subject_code)
    select uuidv7(), now() + n * interval '1 ms', 'system', 'many', case when n in (3, 6000) then 'rare' else 'often' end, 'many', n::text
    from generate_series(1, 12000) as n`.execute(ctx.db)
  const filter = { subject: 'many', actor: 'system', action: 'rare' }
  const found: string[] = []
  let cursor = null
  let pages = 0
  do {
    const page = await searchAudit(ctx.db, filter, cursor, 50)
    found.push(...page.lines.map(({ subjectCode }) => subjectCode))
    if (page.next) expect(page.lookedUntil).not.toBeNull()
    cursor = page.next
    pages += 1
  } while (cursor !== null)
  expect(found).toEqual(['6000', '3'])
  expect(pages).toBeGreaterThan(12_000 / 2_000)
})

test('the newest seal is told to whoever may read the trail', async () => {
  const cookie = await proved(reader)
  await sql`select seal_audit(uuidv7(), 5000)`.execute(ctx.db)
  const answer = (await (await get('console/audit/seals', cookie)).json()) as {
    data: { batch: number | null; hash: string | null }
  }
  expect(answer.data).toMatchObject({ batch: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
})

test('pages of people that were read are told once an hour and token, with how many they were', async () => {
  await ctx.db.deleteFrom('page_read').execute()
  const made = await createToken(actingAs(ctx, owner), { label: 'reads', days: 1 })
  const read = (headers: Readonly<Record<string, string>>, path: string) =>
    fetch(`${shop.origin}/api/console/${path}`, { headers })
  const byToken = { authorization: `Bearer ${made.token}` }
  for (const path of ['shoppers/list', 'shoppers/list', 'audit/list?limit=3'])
    expect((await read(byToken, path)).status).toBe(200)
  await read({ cookie: await proved() }, 'shoppers/list')
  const told = async () =>
    (
      await ctx.db
        .selectFrom('audit_log')
        .select(['actor', 'subject_code', 'after'])
        .where('action', '=', 'read_pages')
        .execute()
    ).map(({ after, ...line }) => ({ ...line, after: after as Record<string, unknown> }))
  // The hour is not over.
  await tellPageReads(ctx)
  expect(await told()).toEqual([])
  const later = minutesLater(ctx, 61)
  expect(await tellPageReads(later)).toBe(3)
  expect(await tellPageReads(later)).toBe(0)
  const lines = await told()
  const [{ id } = { id: '' }] = (await listTokens(ctx.db, ctx.now(), owner.id)).filter(
    ({ label }) => label === 'reads',
  )
  expect(lines).toHaveLength(3)
  expect(lines).toContainEqual({
    actor: 'operator:mara',
    subject_code: 'console/audit/list',
    after: expect.objectContaining({ calls: 1, rows: 3, token: id }) as object,
  })
  expect(lines).toContainEqual({
    actor: 'operator:mara',
    subject_code: 'console/shoppers/list',
    after: expect.objectContaining({ calls: 2, token: id }) as object,
  })
  expect(lines.filter(({ after }) => after['token'] === null)).toHaveLength(1)
})

test('pages of people in the console are counted as its calls are, and those of nobody are not', async () => {
  await ctx.db.deleteFrom('page_read').execute()
  const cookie = await proved()
  for (const page of ['customers', 'customers', 'audit', 'templates'])
    expect((await fetch(`${shop.origin}/console/${page}`, { headers: { cookie } })).status).toBe(
      200,
    )
  const counted = await ctx.db
    .selectFrom('page_read')
    .select(['actor', 'call', 'calls', 'token'])
    .orderBy('call')
    .execute()
  expect(counted).toEqual([
    { actor: 'operator:mara', call: 'console/audit', calls: 1, token: '' },
    { actor: 'operator:mara', call: 'console/customers', calls: 2, token: '' },
  ])
})

test('an invoice names its buyer: the books alone do not open it', async () => {
  await transaction(ctx, (tx) =>
    writeRole(tx, actingAs(ctx, owner), {
      code: 'own-books',
      name: 'Books',
      version: 0,
      permissions: ['order.read', 'payment.read', 'ledger.read', 'export.make'],
      limits: {},
      currency: 'USD',
    }),
  )
  const books = await createOperator(actingAs(ctx, owner), {
    name: 'bert',
    role: 'own-books',
    password: OPERATOR_PASSWORD,
  })
  const path = 'console/money/invoice?id=Zt3qN0f5Qy2mB7sJ1kVx9A'
  const cookie = await proved(books)
  expect((await get('console/money/ledger', cookie)).status).toBe(200)
  const answer = await get(path, cookie)
  expect(answer.status).toBe(403)
  expect(await answer.json()).toMatchObject({ code: 2450 })
  // Who may know people is told that there is none.
  expect((await get(path, await proved(reader))).status).toBe(404)
})
