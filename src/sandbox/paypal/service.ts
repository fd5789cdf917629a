import { randomUUID } from 'node:crypto'
import { openWire, type Asked, type Reply, type Wire } from '../wire.ts'
import { ACTS, newId, perform, type Act, type Order } from './books.ts'
import { answerCall, refused, type Account, type Shop } from './calls.ts'
import { CERTIFICATE } from './certificate.ts'
import { resourceOf, signatureOf } from './objects.ts'

export interface PaypalSandboxOptions {
  /** On 127.0.0.1; 0 for any. */
  readonly port: number
  readonly clientId: string
  readonly clientSecret: string
  readonly webhookId: string
  /** Where notices are sent to; null keeps them to be taken from `notices`. */
  readonly webhookUrl: string | null
  /** How often each notice is sent. */
  readonly deliveries?: number
  readonly now?: () => Date
}

export interface SentNotice {
  readonly type: string
  readonly order: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export interface PaypalSandbox extends Wire {
  readonly act: (order: string, act: Act) => void
  /** What the payer sees: the amount in whole and decimals, and the currency. */
  readonly asks: (order: string) => string
  readonly notices: readonly SentNotice[]
  /** How many tokens were given. */
  readonly tokensGiven: () => number
  /** How often a certificate was asked for. */
  readonly certificatesGiven: () => number
  /** No token is good any more. */
  readonly forgetTokens: () => void
  /** The same app answers for another account, or may not say for which. */
  readonly answerFor: (account: Account | null) => void
}

const ACCOUNT: Account = { id: 'SANDB0XSH0P23', name: 'Sandbox shop' }

const TOKEN_SECONDS = 9 * 3_600
const CERTIFICATES = /^\/v1\/notifications\/certs\//
const CERTIFICATE_NAME = 'CERT-360caa42-fca2a594-ab66f33d'
const HTML = { 'content-type': 'text/html; charset=utf-8' }

/** A server with the part of PayPal's API that Orders v2 needs, as published, and a page where the payer decides. */
export async function openPaypalSandbox(options: PaypalSandboxOptions): Promise<PaypalSandbox> {
  const now = options.now ?? (() => new Date())
  const access = new Access(options, now)
  const kept = new Map<string, { readonly request: string; readonly told: Reply }>()
  const notices: SentNotice[] = []
  const shop = {
    origin: '',
    account: ACCOUNT as Account | null,
    orders: new Map<string, Order>(),
    now,
    emit,
  }
  const wire = await openWire({
    port: options.port,
    answer: (asked, fault) =>
      /^\/v[12]\//.test(asked.path) ? answerApi(asked, fault) : payerPage(shop, act, asked),
  })
  shop.origin = wire.origin

  function emit(type: string, order: Order): void {
    const notice = noticeOf(type, order, {
      origin: shop.origin,
      at: now(),
      webhookId: options.webhookId,
    })
    notices.push(notice)
    if (options.webhookUrl !== null)
      void deliver(options.webhookUrl, notice, options.deliveries ?? 1)
  }

  function act(id: string, what: Act): void {
    const order = shop.orders.get(id)
    if (!order) throw new Error(`there is no order ${id}`)
    for (const type of perform(order, what, now())) emit(type, order)
  }

  function answerApi(call: Asked, fault: 'fault' | 'too_many' | null): Reply {
    if (fault !== null)
      return fault === 'fault'
        ? refused(500, 'INTERNAL_SERVICE_ERROR', 'INTERNAL_SERVER_ERROR')
        : refused(429, 'RATE_LIMIT_REACHED', 'RATE_LIMIT_REACHED')
    if (call.path === '/v1/oauth2/token') return access.giveToken(call)
    if (CERTIFICATES.test(call.path)) return access.giveCertificate(call)
    if (!access.isGiven(call))
      return {
        status: 401,
        body: { error: 'invalid_token', error_description: 'Token signature verification failed' },
      }
    return onceById(shop, kept, call)
  }

  return {
    ...wire,
    act,
    notices,
    asks: (id) => asked(shop.orders.get(id)),
    tokensGiven: () => access.tokensGiven,
    certificatesGiven: () => access.certificatesGiven,
    forgetTokens: () => access.forget(),
    answerFor: (account) => Object.assign(shop, { account }),
  }
}

function payerPage(
  { orders }: Shop,
  act: (id: string, what: Act) => void,
  { method, path, query, body }: Asked,
): Reply {
  const order = orders.get(query.get('token') ?? '')
  if (!order || path !== '/checkoutnow')
    return { status: 404, headers: HTML, body: 'There is nothing at this address.' }
  if (method === 'GET') return { status: 200, headers: HTML, body: page(order) }
  const chosen = new URLSearchParams(body).get('act')
  const what = ACTS.find((known) => known === chosen)
  if (what) act(order.id, what)
  const back = new URL(what ? order.returnUrl : order.cancelUrl)
  back.searchParams.set('token', order.id)
  return { status: 303, headers: { location: back.href }, body: '' }
}

/** Tokens for the shop, and the certificate that notices are signed with. */
class Access {
  readonly #options: PaypalSandboxOptions
  readonly #now: () => Date
  /** When each token ends, in milliseconds. */
  readonly #tokens = new Map<string, number>()
  tokensGiven = 0
  certificatesGiven = 0

  constructor(options: PaypalSandboxOptions, now: () => Date) {
    this.#options = options
    this.#now = now
  }

  giveToken({ headers, body }: Asked): Reply {
    const { clientId, clientSecret } = this.#options
    const expected = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    if (
      headers.authorization !== expected ||
      new URLSearchParams(body).get('grant_type') !== 'client_credentials'
    )
      return { status: 401, body: { error: 'invalid_client' } }
    const token = `A21${randomUUID()}`
    this.#tokens.set(token, this.#now().getTime() + TOKEN_SECONDS * 1_000)
    this.tokensGiven += 1
    return {
      status: 200,
      body: { access_token: token, token_type: 'Bearer', expires_in: TOKEN_SECONDS },
    }
  }

  isGiven({ headers }: Asked): boolean {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
    return (this.#tokens.get(token) ?? 0) > this.#now().getTime()
  }

  giveCertificate({ path }: Asked): Reply {
    this.certificatesGiven += 1
    if (!path.endsWith(`/${CERTIFICATE_NAME}`)) return refused(404, 'RESOURCE_NOT_FOUND')
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: CERTIFICATE }
  }

  forget(): void {
    this.#tokens.clear()
  }
}

interface NoticeParts {
  readonly origin: string
  readonly at: Date
  readonly webhookId: string
}

function noticeOf(type: string, order: Order, { origin, at, webhookId }: NoticeParts): SentNotice {
  const time = at.toISOString()
  const body = JSON.stringify({
    id: `WH-${newId()}`,
    event_version: '1.0',
    create_time: time,
    event_type: type,
    resource: resourceOf(type, order, origin),
  })
  const transmission = randomUUID()
  const headers = {
    'content-type': 'application/json',
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-cert-url': `https://api.sandbox.paypal.com/v1/notifications/certs/${CERTIFICATE_NAME}`,
    'paypal-transmission-id': transmission,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': signatureOf(transmission, time, webhookId, body),
  }
  return { type, order: order.id, body, headers }
}

function asked(order: Order | undefined): string {
  return order ? `${order.amount.value} ${order.amount.currency_code}` : ''
}

/** A call that comes again under its request id gives what it gave; another call under the same id is an error. */
function onceById(
  shop: Shop,
  kept: Map<string, { readonly request: string; readonly told: Reply }>,
  call: Asked,
): Reply {
  const id = call.method === 'POST' ? String(call.headers['paypal-request-id'] ?? '') : ''
  const request = `${call.path}\n${call.body}`
  const known = id === '' ? undefined : kept.get(id)
  if (known) return known.request === request ? known.told : refused(422, 'DUPLICATE_REQUEST_ID')
  const told = answerCall(shop, call)
  if (id !== '' && told.status !== 401 && told.status !== 429 && told.status < 500)
    kept.set(id, { request, told })
  return told
}

async function deliver(url: string, { body, headers }: SentNotice, times: number): Promise<void> {
  for (let sent = 0; sent < times; sent += 1) {
    await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) }).catch(
      (error: unknown) => {
        process.stderr.write(
          `payment sandbox: a notice was not taken: ${error instanceof Error ? error.message : String(error)}\n`,
        )
      },
    )
  }
}

function page(order: Order): string {
  const buttons = ACTS.map(
    (act) => `<button name="act" value="${act}">${act.replaceAll('_', ' ')}</button>`,
  ).join(' ')
  const description = order.description.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return (
    `<!doctype html><meta charset="utf-8"><title>Wallet payment (test)</title><h1>${asked(order)}</h1><p>${description}, ${order.status}</p>` +
    `<form method="post">${buttons} <button name="act" value="">back to the shop</button></form>`
  )
}
