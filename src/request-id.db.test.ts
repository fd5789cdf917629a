import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startPaying, settleNotices } from '#features/buying/payment/flows.ts'
import { recordNotice } from '#features/buying/payment/commands.ts'
import { requestRefund } from '#features/buying/refund/commands.ts'
import { submitRefunds } from '#features/buying/refund/flows.ts'
import { openClock } from '#platform/clock.ts'
import { ofThisRequest } from '#platform/ctx.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { currentRequest, inRequest, requestHeaders } from '#platform/request-scope.ts'
import { secret } from '#platform/secret.ts'
import { createSmtpSender } from '#providers/mail/smtp/smtp-sender.ts'
import type { PaymentProvider } from '#providers/payment/provider.ts'
import { addCurrencies, addItem, buy, stock } from '../test/support/buying.ts'
import { importSmallCatalogue } from '../test/support/catalogue-folder.ts'
import { useDatabase } from '../test/support/database.ts'
import { createFakePayments } from '../test/support/fake-payment.ts'
import { startMailServer, type MailServer } from '../test/support/mail-server.ts'
import { startShop, type RunningShop } from '../test/support/running-shop.ts'
import { startBackground, type Background } from './background.ts'

/** One id from a request through what it leaves in the database and the job that takes it up to the outside call. */
const database = useDatabase()
const fake = createFakePayments()
const asked: { readonly what: string; readonly headers: Readonly<Record<string, string>> }[] = []
const noting =
  <Input, Answer>(what: string, work: (input: Input) => Promise<Answer>) =>
  (input: Input): Promise<Answer> => {
    asked.push({ what, headers: requestHeaders() })
    return work(input)
  }
const provider: PaymentProvider = {
  ...fake.provider,
  create: noting('create', fake.provider.create),
  fetch: noting('fetch', fake.provider.fetch),
  refund: noting('refund', fake.provider.refund),
}
const payments = { providers: new Map([['fake', provider]]), publicUrl: 'https://shop.example' }
const said: string[] = []
let shop: RunningShop
let server: MailServer
let background: Background
let closeMail: () => void
let stopClock: () => void

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  shop = await startShop(database.url)
  server = await startMailServer()
  const log = createLogger({ level: 'info', write: (line) => said.push(line) })
  const clock = await openClock(database.ctx.db, log)
  const mail = createSmtpSender({ url: secret(server.url), from: 'shop@shop.example' })
  background = await startBackground({
    suppliers: new Map(),
    databaseUrl: database.url,
    context: { clock, keys: createKeys(Buffer.alloc(32, 9)), log },
    id: database.ctx.newId(),
    payments: { providers: new Map(), publicUrl: 'https://shop.example' },
    rates: [],
    screening: null,
    mail,
    sms: null,
    timeZone: 'UTC',
    vault: null,
    demoVault: null,
    disk: { dataDirectory: tmpdir(), backupDirectory: undefined },
  })
  closeMail = mail.close
  stopClock = clock.stop
})
afterAll(async () => {
  await background.stop()
  closeMail()
  stopClock()
  await Promise.all([shop.stop(), server.stop()])
})

test('a request, the job it leaves and the mail that the job hands over have one id', async () => {
  const answer = await fetch(`${shop.origin}/api/user/send_code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': 'made-up' },
    body: JSON.stringify({ type: 'register', account: 'rizky@shopper.example' }),
  })
  const id = answer.headers.get('x-request-id')
  expect([answer.status, id]).toEqual([200, expect.stringMatching(/^[0-9a-f-]{36}$/)])
  await vi.waitFor(() => expect(said.join('')).toContain('a mail was handed over'), {
    timeout: 120_000,
    interval: 20,
  })
  expect(
    said.map((line) => JSON.parse(line) as Record<string, unknown>).find((line) => line['kind']),
  ).toMatchObject({ message: 'a mail was handed over', request: id, kind: 'register_code' })
})

test('a notice, what its provider is asked in the background, and a refund go on under the id they began with', async () => {
  await addCurrencies(database.ctx).catch(() => {})
  const item = await addItem(database.ctx)
  await stock(database.ctx, item, 'K', 2)
  const order = await buy(database.ctx, [{ item }])
  await inRequest({ id: 'paying' }, () =>
    startPaying(database.ctx, payments, {
      order: order.publicId,
      accountId: order.accountId,
      provider: 'fake',
      method: 'card',
      feeMinor: 0n,
    }),
  )
  const attempt = await database.ctx.db
    .selectFrom('payment_attempt')
    .select(['id', 'provider_reference'])
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  fake.pay(attempt.id, { minor: 1_000n, currency: 'USD' })
  await inRequest({ id: 'told' }, () =>
    recordNotice(
      database.ctx,
      'fake',
      { eventId: 'e1', kind: 'paid', paymentReference: attempt.provider_reference },
      Buffer.from('{}'),
    ),
  )
  expect(currentRequest()).toBeUndefined()
  await settleNotices(database.ctx, payments)
  await inRequest({ id: 'asking-back' }, () =>
    requestRefund(ofThisRequest(database.ctx), {
      orderId: order.id,
      unitIds: null,
      destination: 'original',
      reason: 'wrong_item',
      requestedBy: 'a',
      approvedBy: 'b',
    }),
  )
  await submitRefunds(database.ctx, payments.providers)
  expect(asked).toEqual([
    { what: 'create', headers: { 'x-request-id': 'paying' } },
    { what: 'fetch', headers: { 'x-request-id': 'told' } },
    { what: 'refund', headers: { 'x-request-id': 'asking-back' } },
  ])
})
