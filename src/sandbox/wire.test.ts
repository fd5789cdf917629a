import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { secret } from '#platform/secret.ts'
import { openHookPayments } from '#providers/payment/payment-hook/hook.ts'
import { createPaypalProvider } from '#providers/payment/paypal/paypal.ts'
import type { PaymentRequest } from '#providers/payment/provider.ts'
import { createStripeProvider } from '#providers/payment/stripe/stripe.ts'
import { openHookClient } from '#providers/supply/hook/client.ts'

const STRIPE = {
  STRIPE_SECRET_KEY: 'sk_test_0123456789',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789',
}
const PAYPAL = {
  PAYPAL_CLIENT_ID: 'client',
  PAYPAL_CLIENT_SECRET: 'the secret',
  PAYPAL_WEBHOOK_ID: 'WEBHOOK1',
}
const request: PaymentRequest = {
  ourReference: '0198a000-0000-7000-8000-000000000001',
  amount: { minor: 500n, currency: 'JPY' },
  orderNumber: '123456789012',
  startedAt: new Date(),
  returnUrl: 'https://shop.example/order/pay?order=abc',
  language: 'ja',
}

/** A shop's address for notices, which takes them all. */
async function listen() {
  const taken: { readonly body: Buffer; readonly headers: Headers }[] = []
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    taken.push({
      body: Buffer.concat(chunks),
      headers: new Headers(
        Object.entries(req.headers).map(([key, value]): [string, string] => [key, String(value)]),
      ),
    })
    res.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { taken, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

/** @returns the origin, once it answers */
async function start(name: string, environment: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, name, 'main.ts')], {
    env: { PATH: process.env.PATH, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  for await (const line of createInterface(child.stdout)) return line
  throw new Error('it said no address')
}

const decide = (page: string | null, act: string) =>
  fetch(page ?? '', { method: 'POST', body: new URLSearchParams({ act }), redirect: 'manual' })

test('the Stripe sandbox as a process: the payer pays on its page, comes back, and every notice is sent twice', async () => {
  const { taken, url } = await listen()
  const baseUrl = await start('stripe', { ...STRIPE, WEBHOOK_URL: url, DELIVERIES: '2' })
  const provider = createStripeProvider({
    secretKey: secret(STRIPE.STRIPE_SECRET_KEY),
    webhookSecrets: [secret(STRIPE.STRIPE_WEBHOOK_SECRET)],
    baseUrl,
  })
  const { redirectUrl, reference } = await provider.create(request)
  expect(await (await fetch(redirectUrl ?? '')).text()).toContain('500 JPY')
  const back = await decide(redirectUrl, 'pay')
  expect([back.status, back.headers.get('location')]).toEqual([303, request.returnUrl])
  await expect.poll(() => taken.length).toBe(6)
  const notices = await Promise.all(
    taken.map(({ body, headers }) => provider.readNotice(body, headers, new Date())),
  )
  expect(new Set(notices.map(({ eventId }) => eventId)).size).toBe(3)
  expect(notices.some(({ paymentReference }) => paymentReference === reference)).toBe(true)
})

test('the PayPal sandbox as a process: the payer approves on its page, comes back with a token, and is captured', async () => {
  const { taken, url } = await listen()
  const baseUrl = await start('paypal', { ...PAYPAL, WEBHOOK_URL: url })
  const provider = createPaypalProvider({
    clientId: PAYPAL.PAYPAL_CLIENT_ID,
    clientSecret: secret(PAYPAL.PAYPAL_CLIENT_SECRET),
    webhookId: PAYPAL.PAYPAL_WEBHOOK_ID,
    environment: 'sandbox',
    now: () => new Date(),
    baseUrl,
  })
  const { redirectUrl, reference } = await provider.create(request)
  expect(await (await fetch(redirectUrl ?? '')).text()).toContain('500 JPY')
  const back = await decide(redirectUrl, 'approve')
  expect([back.status, back.headers.get('location')]).toEqual([
    303,
    `${request.returnUrl}&token=${reference}`,
  ])
  expect((await provider.fetch(reference)).captured).toEqual(request.amount)
  await expect.poll(() => taken.length).toBe(2)
  for (const { body, headers } of taken)
    expect((await provider.readNotice(body, headers, new Date())).paymentReference).toBe(reference)
})

test("the sandbox of an owner's own payment service as a process: the payer pays, what they approved is taken, every notice is sent twice", async () => {
  const key = 'of the owner and their shop alone, for payments'
  const { taken, url } = await listen()
  const address = await start('payment-hook', {
    PAYMENT_HOOK_SECRET: key,
    WEBHOOK_URL: url,
    DELIVERIES: '2',
    TWO_STEP: '1',
  })
  const provider = await openHookPayments({
    url: address,
    secret: secret(key),
    pages: [new URL(address).origin],
    client: openHookClient(5_000, true),
    now: () => new Date(),
  })
  const { redirectUrl, reference } = await provider.create(request)
  expect(await (await fetch(redirectUrl ?? '')).text()).toContain('500 JPY')
  const back = await decide(redirectUrl, 'pay')
  expect([back.status, back.headers.get('location')]).toEqual([303, request.returnUrl])
  expect((await provider.fetch(reference)).captured).toEqual(request.amount)
  await expect.poll(() => taken.length).toBe(4)
  const notices = await Promise.all(
    taken.map(({ body, headers }) => provider.readNotice(body, headers, new Date())),
  )
  expect(new Set(notices.map(({ eventId }) => eventId)).size).toBe(2)
  for (const { paymentReference } of notices)
    expect((await provider.fetch(paymentReference ?? '')).reference).toBe(reference)
})
