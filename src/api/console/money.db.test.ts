import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { actingAs, createOperator } from '#features/team/operator/commands.ts'
import type { OperatorRole } from '#features/team/operator/rules.ts'
import { type Ctx } from '#platform/ctx.ts'
import { createKeys } from '#platform/keys.ts'
import { sql } from 'kysely'
import { addCurrencies } from '../../../test/support/buying.ts'
import { useDatabase } from '../../../test/support/database.ts'
import { OPERATOR_PASSWORD, firstOwner, operatorCookie } from '../../../test/support/operators.ts'
import { startShop, type RunningShop } from '../../../test/support/running-shop.ts'

const IMPORT = 'console/money/bank/import?trial='
const database = useDatabase()
let ctx: Ctx
let shop: RunningShop
const cookies = new Map<OperatorRole, string>()

beforeAll(async () => {
  ctx = { ...database.ctx, keys: createKeys(Buffer.alloc(32, 9)) }
  await addCurrencies(ctx)
  const owner = (await firstOwner(ctx)).operator
  for (const role of ['finance', 'orders'] as const) {
    const operator = await createOperator(actingAs(ctx, owner), {
      name: `a-${role}`,
      role,
      password: OPERATOR_PASSWORD,
    })
    cookies.set(role, await operatorCookie(ctx, operator))
  }
  await sql`update operator set language = 'de'`.execute(ctx.db)
  shop = await startShop(database.url, { RATE_LIMITS: 'off' })
})
afterAll(() => shop.stop())

async function call(role: OperatorRole, path: string, body?: Uint8Array | object) {
  const isFile = body instanceof Uint8Array
  const response = await fetch(`${shop.origin}/api/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      cookie: cookies.get(role) ?? '',
      'sec-fetch-site': 'same-origin',
      ...(isFile ? { 'content-type': 'application/octet-stream' } : {}),
      ...(body !== undefined && !isFile ? { 'content-type': 'application/json' } : {}),
    },
    ...(body === undefined ? {} : { body: isFile ? Buffer.from(body) : JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { code: number; msg: string; data: any }
  return { status: response.status, ...answer }
}

const statement = (text: string) =>
  Buffer.from(`date,amount,currency,payer,text\n2026-11-20,5.00,USD,Ada,${text}\n`)

test('a file of another kind is refused at its place, in the operator’s language, and nothing is kept', async () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])
  expect(await call('finance', `${IMPORT}no`, png)).toMatchObject({
    code: 2422,
    data: {
      fields: [{ field: 'file', msg: 'Das ist kein Kontoauszug als CAMT.053 oder CSV.' }],
    },
  })
  const lacking = Buffer.from('date,amount\n2026-11-20,5.00\n')
  const { data } = await call('finance', `${IMPORT}no`, lacking)
  expect(data.fields[0].msg).toBe('Diese Spalten fehlen: currency.')
  expect((await call('finance', 'console/money/bank/statements')).data).toEqual([])
})

test('a file that says it is four gigabytes long is refused before it is sent', async () => {
  const url = new URL(`${shop.origin}/api/${IMPORT}yes`)
  const status = await new Promise<number>((resolve, reject) => {
    const sending = request(
      url,
      {
        method: 'POST',
        headers: {
          cookie: cookies.get('finance') ?? '',
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/octet-stream',
          'content-length': '4294967296',
        },
      },
      (answer) => {
        resolve(answer.statusCode ?? 0)
        sending.destroy()
      },
    )
    sending.on('error', reject)
    sending.flushHeaders()
  })
  expect(status).toBe(413)
})

test('who may read payments and not note them is told so before a file is read', async () => {
  expect(await call('orders', `${IMPORT}no`, statement('x'))).toMatchObject({ code: 2450 })
  const forged = { line: 'A'.repeat(22), order: '1234567890123', received_minor: '0' }
  expect(await call('orders', 'console/money/bank/match', forged)).toMatchObject({ code: 2450 })
  expect((await call('finance', 'console/money/bank/match', forged)).status).toBe(404)
  expect((await call('orders', 'console/money/ledger')).code).toBe(2450)
})

test('a statement is tried, taken in once, and its lines read in pages', async () => {
  const file = statement('hello')
  expect((await call('finance', `${IMPORT}yes`, file)).data).toMatchObject({
    statement: null,
    new: 1,
  })
  expect((await call('finance', `${IMPORT}no`, file)).data.statement).toHaveLength(22)
  expect((await call('finance', `${IMPORT}no`, file)).data).toMatchObject({ new: 0, known: 1 })
  const { data } = await call('orders', 'console/money/bank/lines?state=open&limit=1')
  expect(data).toMatchObject({
    lines: [{ payer: 'Ada', text: 'hello', outcome: null }],
    next: null,
  })
  const [{ id: line }] = data.lines
  const aside = { line, note: 'Interest.' }
  expect((await call('finance', 'console/money/bank/set_aside', aside)).code).toBe(1)
  expect((await call('finance', 'console/money/bank/set_aside', aside)).code).toBe(2418)
})

test('money that no order knows is closed once, and who is second is told', async () => {
  const subject = 'S'.repeat(22)
  await ctx.db
    .insertInto('stray_payment')
    .values({
      id: ctx.newId(),
      public_id: subject,
      provider: 'one',
      provider_reference: 'pay_1',
      our_reference: 'none',
      currency: 'USD',
      amount_minor: 100n,
      found_at: ctx.now(),
    })
    .execute()
  expect((await call('orders', 'console/money/unmatched')).data).toMatchObject([
    { id: subject, amount_minor: '100' },
  ])
  const close = { id: subject, note: 'Given back there.' }
  const both = await Promise.all([
    call('finance', 'console/money/unmatched/close', close),
    call('finance', 'console/money/unmatched/close', close),
  ])
  expect(both.map(({ code }) => code === 1).toSorted()).toEqual([false, true])
  expect(both.every(({ status }) => status < 500)).toBe(true)
  expect((await call('orders', 'console/money/providers')).code).toBe(1)
  expect((await call('finance', 'console/money/ledger')).data).toMatchObject({ day: null })
})
