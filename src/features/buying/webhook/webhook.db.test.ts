import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { openHookClient } from '#providers/supply/hook/client.ts'
import { addCurrencies, addItem, buy, stock } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { payFor } from '../../../../test/support/paying.ts'
import { refused, somebody } from '../../../../test/support/people.ts'
import {
  createEndpoint,
  disableEndpoint,
  recordAttempt,
  replayDeliveries,
  takeDelivery,
} from './commands.ts'
import { startDispatching, type Dispatching } from './jobs.ts'
import { listDeliveries, listDueEndpoints } from './queries.ts'
import { nextAttempt } from './rules.ts'

interface Heard {
  readonly signature: string
  readonly body: string
}

const PATIENTLY = { timeout: 60_000, interval: 50 }
const database = useDatabase()
const fake = createFakePayments()
const running: Dispatching[] = []
const servers: Server[] = []

beforeAll(() => addCurrencies(database.ctx))
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()))
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A reseller's endpoint; what it answers is said by the test. Null: it hangs. */
async function listening(answer: () => number | null) {
  const heard: Heard[] = []
  const server = createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      heard.push({
        signature: String(req.headers['lukado-signature']),
        body: Buffer.concat(parts).toString(),
      })
      const status = answer()
      if (status !== null) res.writeHead(status, { location: 'http://127.0.0.1:9/' }).end()
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

function dispatch(ctx: Ctx = database.ctx, timeoutMs = 1_500): void {
  running.push(startDispatching(ctx, openHookClient(timeoutMs, true, 16_384)))
}

async function reseller(url: string) {
  const { accountId, email } = await somebody(database.ctx, { withPassword: false })
  return {
    accountId,
    ...(await transaction(database.ctx, (tx, now) =>
      createEndpoint(tx, asOperator(database.ctx), now, { email, url }),
    )),
  }
}

/** An order of one card that is paid and delivered at once. */
async function bought(accountId: string) {
  const { ctx } = database
  const item = await addItem(ctx)
  await stock(ctx, item, 'W', 1)
  const order = await buy(ctx, [{ item }], { accountId })
  await payFor(ctx, fake, order, 1_000n)
  return order
}

const statesOf = async (endpoint: string) =>
  (await listDeliveries(database.ctx.db, endpoint, 10)).map(({ state, answer }) => [state, answer])

test('a reseller is told of an order, signed, once it is taken no more', async () => {
  const { heard, url } = await listening(() => 204)
  const { accountId, endpoint, secret } = await reseller(url)
  const order = await bought(accountId)
  dispatch()
  await vi.waitFor(
    async () => expect(await statesOf(endpoint)).toEqual([['delivered', '204']]),
    PATIENTLY,
  )
  expect(heard).toHaveLength(1)
  const { signature = '', body = '' } = heard[0] ?? {}
  expect(JSON.parse(body)).toMatchObject({
    type: 'order.changed',
    data: { order: order.publicId, order_no: order.number, status: 'completed', reference: null },
  })
  const [, time = '', given] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(signature) ?? []
  expect(createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')).toBe(given)
})

test('one that hangs keeps up none of the others, and what is refused or redirected is tried again', async () => {
  const [good, hanging, wrong] = [
    await listening(() => 200),
    await listening(() => null),
    await listening(() => 302),
  ]
  const [one, other, third] = [
    await reseller(good.url),
    await reseller(hanging.url),
    await reseller(wrong.url),
  ]
  for (let n = 0; n < 3; n += 1) await bought(other.accountId)
  await bought(third.accountId)
  for (let n = 0; n < 3; n += 1) await bought(one.accountId)
  dispatch(database.ctx, 4_000)
  await vi.waitFor(() => expect(good.heard).toHaveLength(3), PATIENTLY)
  expect(hanging.heard.length).toBeLessThan(2)
  await vi.waitFor(
    async () => expect(await statesOf(third.endpoint)).toEqual([['waiting', '302']]),
    PATIENTLY,
  )
  // It gave its place up after the first.
  await vi.waitFor(
    async () =>
      expect(
        (await statesOf(other.endpoint)).filter(([, answer]) => answer !== null).length,
      ).toBeGreaterThan(0),
    PATIENTLY,
  )
  expect(hanging.heard.length).toBeLessThan(3)
})

test('what is given up is told again by an operator, and nothing to one that was disabled', async () => {
  let status = 500
  const { heard, url } = await listening(() => status)
  const { accountId, endpoint } = await reseller(url)
  await bought(accountId)
  await database.ctx.db
    .updateTable('webhook_delivery')
    .set({ attempts: 9 })
    .where('order_id', 'in', (q) =>
      q.selectFrom('shop_order').select('id').where('account_id', '=', accountId),
    )
    .execute()
  dispatch()
  await vi.waitFor(
    async () => expect(await statesOf(endpoint)).toEqual([['waiting', '500']]),
    PATIENTLY,
  )
  await database.ctx.db
    .updateTable('webhook_delivery')
    .set({ due_at: new Date(0) })
    .where('answer', '=', '500')
    .execute()
  await vi.waitFor(
    async () => expect(await statesOf(endpoint)).toEqual([['given_up', '500']]),
    PATIENTLY,
  )
  status = 200
  expect(await replayDeliveries(asOperator(database.ctx), endpoint)).toBe(1)
  await vi.waitFor(
    async () => expect(await statesOf(endpoint)).toEqual([['delivered', '200']]),
    PATIENTLY,
  )
  await disableEndpoint(asOperator(database.ctx), endpoint)
  await bought(accountId)
  expect(await statesOf(endpoint)).toHaveLength(1)
  expect(await refused(replayDeliveries(asOperator(database.ctx), endpoint))).toMatchObject({
    code: 'not_found',
  })
  expect(heard.length).toBeGreaterThan(2)
})

test('an address that leads inside is never called, and the pauses grow to a day and end', async () => {
  const { accountId, endpoint } = await reseller('https://10.0.0.7/hook')
  await bought(accountId)
  running.push(startDispatching(database.ctx, openHookClient(1_000, false, 16_384)))
  await vi.waitFor(
    async () => expect(await statesOf(endpoint)).toEqual([['waiting', 'the address leads inside']]),
    PATIENTLY,
  )
  const now = new Date(0)
  const pauses = Array.from(
    { length: 11 },
    (_, index) => nextAttempt(index + 1, now)?.getTime() ?? null,
  )
  expect(pauses.map((pause) => pause && pause / 1_000)).toEqual([
    10,
    30,
    120,
    600,
    1_800,
    3_600,
    10_800,
    21_600,
    43_200,
    86_400,
    null,
  ])
})

/** Something that waits for an endpoint nobody dispatches to, and the context so many seconds after it came. */
async function waiting() {
  const { accountId, endpoint } = await reseller('https://198.51.100.7/hook')
  await bought(accountId)
  const begun = Date.now()
  const { id } = await database.ctx.db
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('public_id', '=', endpoint)
    .executeTakeFirstOrThrow()
  const after = (seconds: number): Ctx => ({
    ...database.ctx,
    now: () => new Date(begun + seconds * 1_000),
  })
  return { accountId, endpoint, id, after }
}
const failed = { isDelivered: false, answer: '500' }
const taken = { isDelivered: true, answer: '200' }

test('an attempt is nobody else’s for a minute; then it is made again, and what the former one comes to counts no more', async () => {
  const { endpoint, id, after } = await waiting()
  const first = await takeDelivery(after(0), id)
  expect(first).toMatchObject({ attempts: 1 })
  expect(await takeDelivery(after(59), id)).toBeNull()
  const second = await takeDelivery(after(61), id)
  expect(second).toMatchObject({ id: first?.id, attempts: 2 })
  if (!first || !second) return
  await recordAttempt(after(62), first, taken)
  expect(await statesOf(endpoint)).toEqual([['waiting', null]])
  await recordAttempt(after(63), second, taken)
  await recordAttempt(after(64), second, failed)
  expect(await statesOf(endpoint)).toEqual([['delivered', '200']])
})

test('what was not taken waits for its pause, and no longer', async () => {
  const { id, after } = await waiting()
  const first = await takeDelivery(after(0), id)
  if (first) await recordAttempt(after(1), first, failed)
  expect(await takeDelivery(after(10), id)).toBeNull()
  const second = await takeDelivery(after(11), id)
  expect(second).toMatchObject({ attempts: 2 })
  if (second) await recordAttempt(after(12), second, failed)
  expect(await takeDelivery(after(41), id)).toBeNull()
  expect(await takeDelivery(after(42), id)).toMatchObject({ attempts: 3 })
})

test('an account that is being closed is told nothing, and all that waited once it stays', async () => {
  const { accountId, endpoint, id, after } = await waiting()
  const asked = (isClosing: boolean) =>
    database.ctx.db
      .updateTable('account')
      .set(
        isClosing
          ? { status: 'cancelling', cancel_requested_at: new Date(), erase_at: new Date() }
          : { status: 'active', cancel_requested_at: null, erase_at: null },
      )
      .where('id', '=', accountId)
      .execute()
  const due = () => listDueEndpoints(database.ctx.db, after(0).now(), [], 1_000)
  await asked(true)
  expect(await due()).not.toContain(id)
  expect(await takeDelivery(after(0), id)).toBeNull()
  expect(await statesOf(endpoint)).toEqual([['waiting', null]])
  await asked(false)
  expect(await due()).toContain(id)
  expect(await takeDelivery(after(0), id)).toMatchObject({ attempts: 1 })
})

test('what waits for an endpoint is given up when it is disabled', async () => {
  const { endpoint, id, after } = await waiting()
  await disableEndpoint(asOperator(database.ctx), endpoint)
  expect(await statesOf(endpoint)).toEqual([['given_up', 'the endpoint was disabled']])
  // What an order wrote at that very moment.
  await database.ctx.db
    .updateTable('webhook_delivery')
    .set({ state: 'waiting', ended_at: null })
    .where('endpoint_id', '=', id)
    .execute()
  expect(await listDueEndpoints(database.ctx.db, after(0).now(), [], 1_000)).not.toContain(id)
  expect(await takeDelivery(after(0), id)).toBeNull()
  expect((await refused(replayDeliveries(asOperator(database.ctx), endpoint))).code).toBe(
    'not_found',
  )
})
