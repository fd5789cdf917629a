import { createHmac, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { secret } from '#platform/secret.ts'
import type { ContractFault } from '../../../../test/support/payment-bench.ts'
import { paymentContract } from '../../../../test/support/payment-contract.ts'
import { startService, type PaymentService } from '../../../sandbox/payment/service.ts'
import { ProviderRefusal, type PaymentProvider, type PaymentRequest } from '../provider.ts'
import { sandboxPayments } from './sandbox.ts'

const SECRET = secret('s'.repeat(40))
const folder = mkdtempSync(join(tmpdir(), 'lukado-payments-'))
const notices: { readonly body: Buffer; readonly headers: Headers }[] = []
let answers: number[] = []
const shop = createServer(async (req: IncomingMessage, res) => {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  notices.push({
    body: Buffer.concat(chunks),
    headers: new Headers(req.headers as Record<string, string>),
  })
  res.writeHead(answers.shift() ?? 204).end()
})
let service: PaymentService
let port = 0
let provider: PaymentProvider

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port
const start = async () => {
  service = await startService({
    port,
    publicUrl: 'http://shop.example',
    shopUrl: `http://127.0.0.1:${portOf(shop)}`,
    folder,
    secret: SECRET.reveal(),
  })
  port = portOf(service.server)
}
beforeAll(async () => {
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  await start()
  provider = sandboxPayments({ origin: `http://127.0.0.1:${port}`, secret: SECRET })
})
afterAll(async () => {
  await service.stop()
  shop.close()
  shop.closeAllConnections()
  rmSync(folder, { recursive: true })
})
beforeEach(async () => {
  await faults({})
  notices.length = 0
  answers = []
})

const post = (path: string, body: object) =>
  fetch(`http://127.0.0.1:${port}/sandbox/payment${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
const decide = (id: string, outcome: string) =>
  post(`/sessions/${id}/decide`, { outcome }).then(({ status }) => status)
const faults = (wanted: object) => post('/faults', wanted).then(({ status }) => status)
const wish = (more: Partial<PaymentRequest> = {}): PaymentRequest => ({
  ourReference: randomUUID(),
  amount: { minor: 1_030n, currency: 'USD' },
  orderNumber: '0000000000123',
  startedAt: new Date(),
  returnUrl: 'http://shop.example/order/pay?order=x',
  language: 'en',
  ...more,
})
const usd = (minor: bigint) => ({ minor, currency: 'USD' })
const told = async (count: number) => {
  await vi.waitFor(() => expect(notices.length).toBeGreaterThanOrEqual(count), { timeout: 60_000 })
  return Promise.all(
    notices.map(({ body, headers }) => provider.readNotice(body, headers, new Date())),
  )
}

test('a payment is made once for a reference, however often and at once it is asked for', async () => {
  const request = wish()
  const made = await Promise.all(Array.from({ length: 32 }, () => provider.create(request)))
  expect(new Set(made.map(({ reference }) => reference)).size).toBe(1)
  expect(made[0]).toMatchObject({
    ourReference: request.ourReference,
    status: 'requires_action',
    captured: null,
    redirectUrl: `http://shop.example/sandbox/payment/${made[0]?.reference}`,
  })
  await expect(provider.create({ ...request, amount: usd(1n) })).rejects.toThrow(ProviderRefusal)
})

test.each([
  ['zh-tw', 'zh-TW'],
  ['ar', 'ar'],
  ['tl', 'fil'],
  ['xx', 'en'],
])('the payer of an order in %s reads the page in %s', async (language, tag) => {
  const { reference } = await provider.create(wish({ language }))
  const page = await (await fetch(`http://127.0.0.1:${port}/sandbox/payment/${reference}`)).text()
  expect(page).toContain(`<html lang="${tag}" dir="${tag === 'ar' ? 'rtl' : 'ltr'}">`)
})

test.each([
  ['approve', 'captured', usd(1_030n)],
  ['underpay', 'captured', usd(927n)],
  ['overpay', 'captured', usd(1_133n)],
  ['wrong_currency', 'captured', { minor: 1_030n, currency: 'EUR' }],
  ['decline', 'failed', null],
  ['expire', 'expired', null],
  ['pending', 'seen', null],
  ['abandon', 'requires_action', null],
])('%s: the payment is %s', async (outcome, status, captured) => {
  const { reference } = await provider.create(wish())
  expect(await decide(reference, outcome)).toBe(200)
  expect(await provider.fetch(reference)).toMatchObject({ status, captured })
})

test('money may come late, after the payment was ended', async () => {
  const { reference } = await provider.create(wish())
  expect(await provider.cancel(reference)).toMatchObject({ status: 'voided' })
  expect(await decide(reference, 'decline')).toBe(409)
  expect(await decide(reference, 'approve')).toBe(200)
  expect(await provider.cancel(reference)).toMatchObject({
    status: 'captured',
    captured: usd(1_030n),
  })
})

test('a dispute is told, and what the bank took back', async () => {
  const { reference } = await provider.create(wish())
  expect(await decide(reference, 'dispute')).toBe(409)
  await decide(reference, 'approve')
  await decide(reference, 'dispute')
  expect(await provider.fetch(reference)).toMatchObject({ isDisputed: true, reversed: null })
  await decide(reference, 'reverse')
  expect(await provider.fetch(reference)).toMatchObject({
    isDisputed: false,
    reversed: usd(1_030n),
  })
})

test('no more is given back than was taken, whoever asks at once, and a refund counts once', async () => {
  const { reference } = await provider.create(wish())
  await decide(reference, 'approve')
  const refunds = Array.from({ length: 4 }, () => ({
    ourReference: randomUUID(),
    paymentReference: reference,
    amount: usd(500n),
  }))
  const done = await Promise.allSettled(
    [...refunds, ...refunds].map((refund) => provider.refund(refund)),
  )
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  expect(
    done.every((one) => one.status === 'fulfilled' || one.reason instanceof ProviderRefusal),
  ).toBe(true)
  const found = await Promise.all(refunds.map((refund) => provider.findRefund(refund)))
  expect(found.map((refund) => refund?.status ?? null)).toEqual([
    'succeeded',
    'succeeded',
    null,
    null,
  ])
})

test('what is not known is refused, and what does not answer is no refusal', async () => {
  await expect(provider.fetch('sps_none')).rejects.toThrow(ProviderRefusal)
  const nobody = sandboxPayments({ origin: 'http://127.0.0.1:9', secret: SECRET })
  await expect(nobody.fetch('sps_none')).rejects.not.toThrow(ProviderRefusal)
  const stranger = sandboxPayments({
    origin: `http://127.0.0.1:${port}`,
    secret: secret('x'.repeat(40)),
  })
  await expect(stranger.create(wish())).rejects.toThrow('401')
})

test('a notice is believed only when signed, as it was signed, and soon', async () => {
  const { reference } = await provider.create(wish())
  await decide(reference, 'approve')
  expect(await told(1)).toEqual([
    {
      eventId: expect.stringMatching(/^evt_/) as string,
      kind: 'session.captured',
      paymentReference: reference,
    },
  ])
  const [{ body, headers } = { body: Buffer.alloc(0), headers: new Headers() }] = notices
  const read = (text: Uint8Array, signature: string | null, at = Date.now()) =>
    provider.readNotice(
      text,
      new Headers(signature === null ? {} : { 'sandbox-signature': signature }),
      new Date(at),
    )
  const signature = headers.get('sandbox-signature') ?? ''
  await expect(read(Buffer.from(body.toString().replace('1030', '1')), signature)).rejects.toThrow(
    ProviderRefusal,
  )
  await expect(
    read(
      body,
      signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ),
  ).rejects.toThrow(ProviderRefusal)
  await expect(read(body, null)).rejects.toThrow(ProviderRefusal)
  await expect(read(body, signature, Date.now() + 400_000)).rejects.toThrow(ProviderRefusal)
  const other = Buffer.from('{"hello":1}')
  await expect(
    read(
      other,
      `t=${Math.floor(Date.now() / 1_000)},v1=${createHmac('sha256', SECRET.reveal())
        .update(`${Math.floor(Date.now() / 1_000)}.`)
        .update(other)
        .digest('hex')}`,
    ),
  ).rejects.toThrow(ProviderRefusal)
})

test('a notice the shop does not take is sent again', async () => {
  answers = [503]
  const { reference } = await provider.create(wish())
  await decide(reference, 'approve')
  expect(new Set((await told(2)).map(({ eventId }) => eventId)).size).toBe(1)
})

test('notices are lost, doubled and forged as asked; forged ones are refused', async () => {
  await faults({ loss: 1 })
  const lost = await provider.create(wish())
  await decide(lost.reference, 'approve')
  await faults({ duplication: 1, forgery: 1, seed: 7 })
  const doubled = await provider.create(wish())
  await decide(doubled.reference, 'approve')
  await vi.waitFor(() => expect(notices.length).toBe(3), { timeout: 60_000 })
  const read = await Promise.allSettled(
    notices.map(({ body, headers }) => provider.readNotice(body, headers, new Date())),
  )
  expect(read.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(
    read.flatMap((one) => (one.status === 'fulfilled' ? [one.value.paymentReference] : [])),
  ).toEqual([doubled.reference, doubled.reference])
  expect(await faults({ loss: 2 })).toBe(422)
})

test('an answer that is lost leaves open what was done; asked again it is the same payment', async () => {
  const request = wish()
  await faults({ lost_answers: 1 })
  await expect(provider.create(request)).rejects.not.toThrow(ProviderRefusal)
  await faults({})
  await provider.create(request)
  const found: string[] = []
  for await (const { ourReference } of provider.list({
    since: new Date(0),
    until: new Date(Date.now() + 1_000),
  }))
    found.push(ourReference)
  expect(found.filter((ourReference) => ourReference === request.ourReference)).toHaveLength(1)
})

test('a restart forgets nothing, not even notices nobody has taken', async () => {
  const before = await provider.create(wish())
  answers = [500, 500, 500, 500]
  await decide(before.reference, 'approve')
  await vi.waitFor(() => expect(notices.length).toBe(1), { timeout: 60_000 })
  const refund = {
    ourReference: randomUUID(),
    paymentReference: before.reference,
    amount: usd(30n),
  }
  await provider.refund(refund)
  await service.stop()
  answers = []
  notices.length = 0
  await start()
  expect(await provider.fetch(before.reference)).toMatchObject({
    status: 'captured',
    captured: usd(1_030n),
  })
  expect(await provider.findRefund(refund)).toMatchObject({ status: 'succeeded' })
  await expect(
    provider.refund({ ...refund, ourReference: randomUUID(), amount: usd(1_001n) }),
  ).rejects.toThrow(ProviderRefusal)
  expect((await told(1)).map(({ paymentReference }) => paymentReference)).toContain(
    before.reference,
  )
})

test('the page works without script: a code is asked for, then the payer goes back', async () => {
  const { reference } = await provider.create(wish())
  const page = `http://127.0.0.1:${port}/sandbox/payment/${reference}`
  const submit = (form: Record<string, string>) =>
    fetch(page, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
  expect(await (await fetch(page)).text()).toMatch(/nothing is charged[\s\S]*\$10\.30/)
  const asked = await submit({ outcome: 'challenge' })
  expect([asked.status, asked.headers.get('location')]).toEqual([
    303,
    `/sandbox/payment/${reference}`,
  ])
  const code = /class="code">(\d{6})</.exec(await (await fetch(page)).text())?.[1] ?? ''
  expect((await submit({ outcome: 'approve' })).status).toBe(422)
  expect((await submit({ code: '1' })).status).toBe(422)
  const done = await submit({ code })
  expect([done.status, done.headers.get('location')]).toEqual([
    303,
    'http://shop.example/order/pay?order=x',
  ])
  expect(await provider.fetch(reference)).toMatchObject({ status: 'captured' })
  expect(await (await fetch(page)).text()).toContain('This payment is complete')
})

type Failing = { readonly call: RegExp; readonly fault: ContractFault }

/** Stands before the service and lets the next such call fail on its way. */
function faultyWay(service: number, failing: () => Failing | null): Server {
  return createServer((req, res) => {
    const next = failing()
    const fault = next?.call.test(`${req.method} ${req.url}`) ? next.fault : null
    if (fault === 'fault' || fault === 'too_many')
      return void res.writeHead(fault === 'fault' ? 500 : 429, { connection: 'close' }).end('{}')
    if (fault === 'lost_request') return void req.socket.destroy()
    const onward = request(
      {
        host: '127.0.0.1',
        port: service,
        method: req.method,
        path: req.url,
        headers: req.headers,
        agent: false,
      },
      (answer) => {
        if (fault === 'silent') return void answer.resume()
        if (fault === 'lost_answer') return void req.socket.destroy()
        res.writeHead(answer.statusCode ?? 0, { ...answer.headers, connection: 'close' })
        answer.pipe(res)
      },
    )
    req.pipe(onward)
  })
}

const CALLS = {
  create: /^POST \S+\/sessions$/,
  fetch: /^GET \S+\/sessions\//,
  refund: /^POST \S+\/refunds$/,
}

paymentContract('The demo service', {
  open: async () => {
    const own = mkdtempSync(join(tmpdir(), 'lukado-contract-'))
    const sent: typeof notices = []
    const receiver = createServer(async (req, res) => {
      const chunks: Buffer[] = []
      for await (const chunk of req) chunks.push(chunk as Buffer)
      sent.push({
        body: Buffer.concat(chunks),
        headers: new Headers(req.headers as Record<string, string>),
      })
      res.writeHead(204).end()
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const running = await startService({
      port: 0,
      publicUrl: 'http://shop.example',
      shopUrl: `http://127.0.0.1:${portOf(receiver)}`,
      folder: own,
      secret: SECRET.reveal(),
    })
    let failing: Failing | null = null
    const way = faultyWay(portOf(running.server), () => {
      const now = failing
      failing = null
      return now
    })
    await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve))
    const act = (id: string, outcome: string) =>
      fetch(`http://127.0.0.1:${portOf(running.server)}/sandbox/payment/sessions/${id}/decide`, {
        method: 'POST',
        body: JSON.stringify({ outcome }),
      })
    const noticeOf = (id: string) => sent.findLast(({ body }) => body.includes(id))
    return {
      provider: sandboxPayments({
        origin: `http://127.0.0.1:${portOf(way)}`,
        secret: SECRET,
        timeoutMs: 500,
      }),
      now: () => new Date(),
      pay: async ({ reference }) => {
        await act(reference, 'approve')
        await vi.waitFor(() => expect(noticeOf(reference)).toBeDefined(), { timeout: 60_000 })
      },
      notice: ({ reference }) =>
        noticeOf(reference) ?? { body: Buffer.alloc(0), headers: new Headers() },
      fail: (call, fault) => {
        failing = { call: CALLS[call], fault }
      },
      dispute: ({ reference }, what) =>
        act(
          reference,
          (
            {
              open: 'dispute',
              won: 'dispute_won',
              lost: 'reverse',
              given_back: 'give_back',
            } as const
          )[what],
        ),
      failRefund: ({ reference }) => act(reference, 'refund_fails'),
      close: async () => {
        await running.stop()
        for (const server of [way, receiver]) {
          server.closeAllConnections()
          server.close()
        }
        rmSync(own, { recursive: true })
      },
    }
  },
  amounts: [
    { minor: 1_999n, currency: 'EUR', shown: '' },
    { minor: 500n, currency: 'JPY', shown: '' },
    { minor: 1_250n, currency: 'KWD', shown: '' },
  ],
  untaken: null,
  cannot: ['asks'],
})
