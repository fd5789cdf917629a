import { createHash } from 'node:crypto'
import { openWire, type Asked, type Reply, type Wire } from '../wire.ts'
import { ACTS, newId, perform, shownAmount, type Act, type Session } from './books.ts'
import { answerCall, refused, type Account, type Shop } from './calls.ts'
import { API_VERSION, eventObject, signatureOf } from './objects.ts'

export interface StripeSandboxOptions {
  /** On 127.0.0.1; 0 for any. */
  readonly port: number
  readonly secretKey: string
  readonly webhookSecret: string
  /** Where notices are sent to; null keeps them to be taken from `notices`. */
  readonly webhookUrl: string | null
  /** How often each notice is sent: more than once is normal with Stripe. */
  readonly deliveries?: number
  readonly now?: () => Date
}

export interface SentNotice {
  readonly type: string
  readonly session: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export interface StripeSandbox extends Wire {
  readonly act: (session: string, act: Act) => void
  /** What the payer sees: the amount in whole and decimals, and the currency. */
  readonly asks: (session: string) => string
  readonly notices: readonly SentNotice[]
  /** The same key answers for another account, or may not say whose it is. */
  readonly answerFor: (account: Account | null) => void
}

const ACCOUNT: Account = { id: 'acct_1SandboxOfTheShop', name: 'Sandbox shop' }

/** A server with the part of Stripe's API that hosted Checkout needs, as published, and a page where the payer decides. */
export async function openStripeSandbox(options: StripeSandboxOptions): Promise<StripeSandbox> {
  const now = options.now ?? (() => new Date())
  const sessions = new Map<string, Session>()
  const notices: SentNotice[] = []
  const shop = {
    origin: '',
    account: ACCOUNT as Account | null,
    sessions,
    now: () => Math.floor(now().getTime() / 1_000),
    emit,
  }
  const keys = new Map<string, { readonly request: string; readonly told: Reply }>()
  const wire = await openWire({
    port: options.port,
    answer: (asked, fault) =>
      asked.path.startsWith('/v1/')
        ? answer(shop, keys, options.secretKey, asked, fault)
        : payerPage(shop, act, asked),
  })
  shop.origin = wire.origin

  function emit(type: string, session: Session): void {
    const body = JSON.stringify({
      id: newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: shop.now(),
      livemode: false,
      type,
      data: { object: eventObject(type, session, shop.origin) },
    })
    const notice = {
      type,
      session: session.id,
      body,
      headers: {
        'content-type': 'application/json',
        'stripe-signature': signatureOf(body, options.webhookSecret, shop.now()),
      },
    }
    notices.push(notice)
    if (options.webhookUrl !== null)
      void deliver(options.webhookUrl, notice, options.deliveries ?? 1)
  }

  function act(id: string, what: Act): void {
    const session = sessions.get(id)
    if (!session) throw new Error(`there is no session ${id}`)
    for (const type of perform(session, what, Math.floor(now().getTime() / 1_000)))
      emit(type, session)
  }

  return {
    ...wire,
    act,
    notices,
    asks: (id) => asked(sessions.get(id)),
    answerFor: (account) => Object.assign(shop, { account }),
  }
}

function payerPage(
  { sessions }: Shop,
  act: (id: string, what: Act) => void,
  { method, path, body }: Asked,
): Reply {
  const session = sessions.get(path.slice('/c/pay/'.length))
  if (!session || !path.startsWith('/c/pay/'))
    return { status: 404, headers: HTML, body: 'There is nothing at this address.' }
  if (method === 'GET') return { status: 200, headers: HTML, body: page(session) }
  const chosen = new URLSearchParams(body).get('act')
  const what = ACTS.find((known) => known === chosen)
  if (what) act(session.id, what)
  return {
    status: 303,
    headers: {
      location:
        session.status === 'complete' ? session.successUrl : what ? path : session.cancelUrl,
    },
    body: '',
  }
}

const HTML = { 'content-type': 'text/html; charset=utf-8' }

function asked(session: Session | undefined): string {
  return session ? `${shownAmount(session)} ${session.currency.toUpperCase()}` : ''
}

/** Key and version, then what the idempotency key holds, then the call. A key kept with other parameters is an error. */
function answer(
  shop: Shop,
  keys: Map<string, { readonly request: string; readonly told: Reply }>,
  secretKey: string,
  call: Asked,
  fault: 'fault' | 'too_many' | null,
): Reply {
  if (call.headers.authorization !== `Bearer ${secretKey}`) return refused(401, 'api_key_invalid')
  if (call.headers['stripe-version'] !== API_VERSION) return refused(400, 'api_version_unknown')
  if (fault === 'too_many') return refused(429, 'rate_limit')
  const key = call.method === 'POST' ? String(call.headers['idempotency-key'] ?? '') : ''
  const request = createHash('sha256').update(`${call.path}\n${call.body}`).digest('hex')
  const kept = key === '' ? undefined : keys.get(key)
  if (kept && kept.request !== request)
    return refused(400, 'idempotency_key_in_use', 'idempotency_error')
  if (kept) return { ...kept.told, headers: { 'idempotent-replayed': 'true' } }
  const told = fault === 'fault' ? refused(500, 'api_error', 'api_error') : answerCall(shop, call)
  if (key !== '' && (told.status === 200 || told.status === 500)) keys.set(key, { request, told })
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

function page(session: Session): string {
  const buttons = ACTS.map(
    (act) => `<button name="act" value="${act}">${act.replaceAll('_', ' ')}</button>`,
  ).join(' ')
  const name = session.name.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return (
    `<!doctype html><meta charset="utf-8"><title>Card payment (test)</title><h1>${asked(session)}</h1><p>${name}, ${session.status}</p>` +
    `<form method="post">${buttons} <button name="act" value="">back to the shop</button></form>`
  )
}
