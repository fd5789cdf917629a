import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { suspendOperator } from '#features/office/suspension/commands.ts'
import { actingAs, createOperator } from '#features/team/operator/commands.ts'
import type { Operator } from '#features/team/operator/rules.ts'
import { type Ctx } from '#platform/ctx.ts'
import { createKeys } from '#platform/keys.ts'
import { useDatabase } from '../../../test/support/database.ts'
import { firstOwner, operatorCookie, OPERATOR_PASSWORD } from '../../../test/support/operators.ts'
import { startShop, type RunningShop } from '../../../test/support/running-shop.ts'

const database = useDatabase()
let ctx: Ctx
let shop: RunningShop
let mara: Operator

beforeAll(async () => {
  ctx = { ...database.ctx, keys: createKeys(Buffer.alloc(32, 9)) }
  mara = (await firstOwner(ctx)).operator
  shop = await startShop(database.url, { RATE_LIMITS: 'off' })
})
afterAll(() => shop.stop())

/** Listens with a session's cookie. */
async function listen(cookie: string | null) {
  const ending = new AbortController()
  const answer = await fetch(`${shop.origin}/api/console/changes`, {
    headers: cookie === null ? {} : { cookie },
    signal: AbortSignal.any([ending.signal, AbortSignal.timeout(60_000)]),
  })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let heard = ''
  return {
    answer,
    /** What comes until it holds a text, so many times; null where the stream ends before. */
    async until(text: string, times = 1): Promise<string | null> {
      while (heard.split(text).length <= times) {
        const piece = await reader?.read()
        if (!piece || piece.done) return null
        heard += piece.value
      }
      return heard
    },
    stop: () => ending.abort(),
  }
}

const noteSomething = () =>
  sql`insert into audit_log (id, at, actor, request_id, action, subject, subject_code)
    values (uuidv7(), now(), 'test', 'test', 'change', 'setting', 'test')`.execute(ctx.db)

test('nobody hears anything without a session', async () => {
  for (const token of [null, `operator=${'x'.repeat(43)}`]) {
    const { answer } = await listen(token)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([401, 'no-store'])
  }
})

test('what happens is told to whoever listens, once', async () => {
  const stream = await listen(await operatorCookie(ctx, mara))
  expect(stream.answer.headers.get('content-type')).toBe('text/event-stream')
  await stream.until('retry')
  await noteSomething()
  const told = 'data: {"orders":[],"other":true'
  await stream.until(told)
  await noteSomething()
  expect(await stream.until(told, 2)).not.toBeNull()
  stream.stop()
})

test('listening does not keep a session in use', async () => {
  const token = await operatorCookie(ctx, mara)
  await sql`update operator_session set seen_at = now() - interval '10 minutes'`.execute(ctx.db)
  const stream = await listen(token)
  await stream.until('retry')
  await noteSomething()
  await stream.until('data: ')
  const { rows } = await sql<{ age: number }>`
    select min(extract(epoch from now() - seen_at))::integer as age from operator_session`.execute(
    ctx.db,
  )
  expect(rows[0]?.age).toBeGreaterThanOrEqual(600)
  stream.stop()
})

test('who finds no room is no error: the stream ends, is come back to later, and is there once another goes', async () => {
  const cookie = await operatorCookie(ctx, mara)
  const full = await Promise.all(Array.from({ length: 8 }, () => listen(cookie)))
  for (const stream of full) await stream.until('retry')
  const late = await listen(cookie)
  expect(late.answer.status).toBe(200)
  expect(await late.until('retry: 30000')).not.toBeNull()
  expect(await late.until('never said')).toBeNull()
  full[0]?.stop()
  await expect
    .poll(async () => {
      const next = await listen(cookie)
      const heard = await next.until('retry: ')
      next.stop()
      return heard
    })
    .toContain('retry: 3000\n')
  for (const stream of full) stream.stop()
})

test('a suspended operator hears no more', async () => {
  const bao = await createOperator(actingAs(ctx, mara), {
    name: 'bao',
    role: 'support',
    password: OPERATOR_PASSWORD,
  })
  const stream = await listen(await operatorCookie(ctx, bao))
  await stream.until('retry')
  await suspendOperator(actingAs(ctx, mara), 'bao')
  expect(await stream.until('never said')).toBeNull()
})
