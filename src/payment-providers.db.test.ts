import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createWebhooks } from '#api/webhooks.ts'
import { startPaying, sweepPayments, type PaymentServices } from '#features/buying/payment/flows.ts'
import { followNotices, type NoticeFollower } from '#features/buying/payment/jobs.ts'
import { requestRefund } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { readConfig } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import { freePort } from '#platform/free-port.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { secret } from '#platform/secret.ts'
import { listRefunds } from '../test/support/books.ts'
import { addCurrencies, addItem, buy, stock, violations } from '../test/support/buying.ts'
import { useDatabase } from '../test/support/database.ts'
import { paymentProviders } from './payment-providers.ts'

/** A shop with its real webhook call and notice follower, and the demo's payment service as the process it is. */
const database = useDatabase()
const folder = mkdtempSync(join(tmpdir(), 'lukado-chain-'))
const SECRET = 'p'.repeat(40)
const answers: number[] = []
let origin = ''
let sandboxPort = 0
let sandbox: ChildProcess
let payments: PaymentServices
let follower: NoticeFollower

const shop = createServer(async (req, res) => {
  const { status, headers, body } = await createWebhooks(database.ctx, payments, new Map(), () => ({
    network: 'test',
  })).answer(req)
  answers.push(status)
  res.writeHead(status, [...headers]).end(body)
})

async function startSandbox(): Promise<void> {
  sandbox = spawn(process.execPath, [join(PROJECT_ROOT, 'src/sandbox/payment/main.ts')], {
    env: {
      PATH: process.env['PATH'],
      PORT: String(sandboxPort),
      PUBLIC_URL: 'http://shop.example',
      DATA_DIR: folder,
      SANDBOX_PAYMENT_SECRET: SECRET,
      SANDBOX_SHOP_URL: origin,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await vi.waitFor(() => fetch(`http://127.0.0.1:${sandboxPort}/sandbox/payment/faults`), {
    timeout: 600_000,
    interval: 50,
  })
}

async function killSandbox(): Promise<void> {
  const ended = new Promise((resolve) => {
    sandbox.once('exit', resolve)
  })
  sandbox.kill('SIGKILL')
  await ended
}

beforeAll(async () => {
  await addCurrencies(database.ctx)
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  sandboxPort = await freePort()
  const config = readConfig({ DEMO: '1' })
  const { providers } = await paymentProviders(
    {
      ...config,
      sandboxPorts: { payment: sandboxPort },
      payment: { ...config.payment, sandbox: { secret: secret(SECRET), shopUrl: origin } },
    },
    database.ctx,
  )
  payments = { providers, publicUrl: 'http://shop.example' }
  await startSandbox()
  follower = await followNotices(database.ctx, payments, {
    databaseUrl: database.url,
    onSettled: () => {},
  })
})
afterAll(async () => {
  await follower.stop()
  sandbox.kill('SIGKILL')
  shop.closeAllConnections()
  shop.close()
  rmSync(folder, { recursive: true })
})
afterEach(async () => {
  await faults({})
  expect(await violations(database.ctx)).toEqual([])
})

const later = (minutes: number): Ctx => ({
  ...database.ctx,
  now: () => new Date(Date.now() + minutes * 60_000),
})
const post = async (path: string, body: object) =>
  (
    await fetch(`http://127.0.0.1:${sandboxPort}/sandbox/payment${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
  ).status
const faults = (wanted: object) => post('/faults', wanted)
const orderOf = (id: string) =>
  database.ctx.db
    .selectFrom('shop_order')
    .select(['status', 'hold'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const becomes = (id: string, status: string) =>
  vi.waitFor(async () => expect((await orderOf(id)).status).toBe(status), {
    timeout: 600_000,
    interval: 20,
  })

async function begun() {
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'K', 3)
  const order = await buy(database.ctx, [{ item }])
  const { redirectUrl } = await startPaying(database.ctx, payments, {
    order: order.publicId,
    accountId: order.accountId,
    provider: 'sandbox',
    method: 'card',
    feeMinor: 30n,
  })
  const session = redirectUrl?.split('/').at(-1) ?? ''
  return {
    ...order,
    item,
    session,
    payer: (outcome: string) => post(`/sessions/${session}/decide`, { outcome }),
  }
}
const deliveredOf = async (item: { readonly id: string }) =>
  (
    await database.ctx.db
      .selectFrom('card_key')
      .select('id')
      .where('item', '=', item.id)
      .where('status', '=', 'delivered')
      .execute()
  ).length

test('the payer approves, the notice comes, the key is delivered', async () => {
  const order = await begun()
  expect(await order.payer('approve')).toBe(200)
  await becomes(order.id, 'completed')
  expect(await deliveredOf(order.item)).toBe(1)
})

test('notices that come twice, late and out of order deliver once', async () => {
  await faults({ duplication: 1, reordering: 0.5, seed: 3 })
  const orders = await Promise.all(Array.from({ length: 5 }, begun))
  await Promise.all(orders.map(({ payer }) => payer('approve')))
  await Promise.all(orders.map(({ id }) => becomes(id, 'completed')))
  for (const { item } of orders) expect(await deliveredOf(item)).toBe(1)
})

test('no notice ever comes: the sweep finds the money', async () => {
  await faults({ loss: 1 })
  const order = await begun()
  await order.payer('approve')
  expect((await orderOf(order.id)).status).toBe('waiting_for_payment')
  await sweepPayments(later(2), payments)
  expect((await orderOf(order.id)).status).toBe('completed')
})

test('forged notices are refused and pay for nothing', async () => {
  const paid = await begun()
  await paid.payer('approve')
  await becomes(paid.id, 'completed')
  answers.length = 0
  await faults({ forgery: 1, seed: 11 })
  const orders = await Promise.all(Array.from({ length: 6 }, begun))
  await Promise.all(orders.map(({ payer }) => payer('decline')))
  await Promise.all(orders.map(({ id }) => becomes(id, 'pending_payment')))
  await vi.waitFor(() => expect(answers.filter((status) => status === 400)).toHaveLength(6), {
    timeout: 60_000,
  })
  for (const { item } of orders) expect(await deliveredOf(item)).toBe(0)
})

test('too little waits for a decision, another currency too, too much goes back', async () => {
  const [under, wrong, over] = [await begun(), await begun(), await begun()]
  await under.payer('underpay')
  await wrong.payer('wrong_currency')
  await over.payer('overpay')
  await becomes(over.id, 'completed')
  await vi.waitFor(
    async () =>
      expect([await orderOf(under.id), await orderOf(wrong.id)]).toEqual([
        { status: 'processing', hold: 'underpaid' },
        { status: 'processing', hold: 'wrong_currency' },
      ]),
    { timeout: 60_000 },
  )
  await submitRefunds(database.ctx, payments.providers)
  expect(await listRefunds(database.ctx.db, over.id)).toMatchObject([
    { status: 'succeeded', amountMinor: 103n },
  ])
})

test('answers that are lost on the way, to the payment and to the refund, are made up for', async () => {
  await faults({ lost_answers: 1 })
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'K', 1)
  const order = await buy(database.ctx, [{ item }])
  const start = () =>
    startPaying(database.ctx, payments, {
      order: order.publicId,
      accountId: order.accountId,
      provider: 'sandbox',
      method: 'card',
      feeMinor: 0n,
    })
  await expect(start()).rejects.toThrow()
  await faults({})
  const { redirectUrl } = await start()
  await post(`/sessions/${redirectUrl?.split('/').at(-1) ?? ''}/decide`, { outcome: 'approve' })
  await becomes(order.id, 'completed')
  await requestRefund(database.ctx, {
    orderId: order.id,
    unitIds: null,
    destination: 'original',
    reason: 'wrong_item',
    requestedBy: 'a',
    approvedBy: 'b',
  })
  await faults({ lost_answers: 1 })
  await submitRefunds(database.ctx, payments.providers)
  expect(await listRefunds(database.ctx.db, order.id)).toMatchObject([{ status: 'unknown' }])
  await faults({})
  await submitRefunds(later(2), payments.providers)
  expect(await listRefunds(database.ctx.db, order.id)).toMatchObject([{ status: 'succeeded' }])
  expect((await orderOf(order.id)).status).toBe('refunded')
})

test('the service is killed and started again: what it has said it knows still', async () => {
  const order = await begun()
  await faults({ loss: 1 })
  await order.payer('approve')
  await killSandbox()
  // Nobody answers: nothing is lost by asking, and nothing given up.
  await sweepPayments(later(2), payments)
  expect((await orderOf(order.id)).status).toBe('waiting_for_payment')
  await startSandbox()
  await sweepPayments(later(10), payments)
  expect((await orderOf(order.id)).status).toBe('completed')
})

test('a notice about a payment of somebody else is closed, and changes nothing', async () => {
  const foreign = await payments.providers.get('sandbox')?.create({
    ourReference: randomUUID(),
    amount: { minor: 1_000n, currency: 'USD' },
    orderNumber: '1',
    startedAt: new Date(),
    returnUrl: 'http://shop.example/',
    language: 'en',
  })
  await post(`/sessions/${foreign?.reference ?? ''}/decide`, { outcome: 'approve' })
  await vi.waitFor(
    async () => {
      const row = await database.ctx.db
        .selectFrom('provider_event')
        .select('outcome')
        .where('provider_reference', '=', foreign?.reference ?? '')
        .executeTakeFirst()
      expect(row?.outcome).toBe('not_ours')
    },
    { timeout: 60_000 },
  )
})
