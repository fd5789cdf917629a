import { createHmac } from 'node:crypto'
import { openWire, type Asked, type Reply, type Wire } from '../wire.ts'
import { ACTS, newId, perform, type Act, type Payment } from './books.ts'
import { answerCall, refused, type Desk, type CallBody } from './calls.ts'
import { lied, type Lie } from './lies.ts'

export interface PaymentHookSandboxOptions {
  /** On 127.0.0.1; 0 for any. */
  readonly port: number
  readonly secret: string
  /** Where notices are sent to; null keeps them to be taken from `notices`. */
  readonly webhookUrl: string | null
  readonly deliveries?: number
  readonly isTwoStep?: boolean
  /** The contract may be tried to its end: a call pretends that somebody has paid. */
  readonly isTest?: boolean
  readonly lie?: Lie | null
  readonly now?: () => Date
}

export interface SentNotice {
  readonly payment: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export interface PaymentHookSandbox extends Wire {
  /** The one address of the contract. */
  readonly url: string
  readonly act: (payment: string, act: Act) => void
  /** What the payer sees: "19.99 EUR". */
  readonly asks: (payment: string) => string
  readonly notices: readonly SentNotice[]
  readonly payments: ReadonlyMap<string, Payment>
  /** From now on it breaks the contract so; null: it keeps it. */
  readonly tell: (lie: Lie | null) => void
  /** The same secret answers for another account. */
  readonly answerFor: (account: { readonly id: string; readonly name: string }) => void
}

const PATH = '/payment'
const WINDOW_SECONDS = 300
const HTML = { 'content-type': 'text/html; charset=utf-8' }
/** As much as an answer may have, and a good deal more. */
const MEGABYTES = 64

const signatureOf = (secret: string, timestamp: string, body: string) =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`

/** A payment service as an owner would write it, by the contract beside the shop's adapter, and a page where the payer decides. */
export async function openPaymentHookSandbox(
  options: PaymentHookSandboxOptions,
): Promise<PaymentHookSandbox> {
  const now = options.now ?? (() => new Date())
  const notices: SentNotice[] = []
  const ways: Ways = { secret: options.secret, lie: options.lie ?? null }
  const desk: Desk = {
    payments: new Map(),
    origin: () => wire.origin,
    now: () => now().getTime(),
    emit: (payment) => {
      const notice = noticeOf(payment, options.secret, desk.now())
      notices.push(notice)
      if (options.webhookUrl !== null)
        void deliver(options.webhookUrl, notice, options.deliveries ?? 1)
    },
    isTwoStep: options.isTwoStep ?? false,
    account: { id: 'own-payments', name: 'Own payments' },
    isTest: options.isTest ?? true,
  }
  const wire = await openWire({
    port: options.port,
    answer: (asked, fault) =>
      asked.path === PATH ? spoken(desk, ways, asked, fault) : payerPage(desk, asked),
  })
  return {
    ...wire,
    url: `${wire.origin}${PATH}`,
    act: (id, what) => act(desk, id, what),
    notices,
    payments: desk.payments,
    asks: (id) => {
      const sum = desk.payments.get(id)?.asked
      return sum ? `${sum.amount} ${sum.currency}` : ''
    },
    tell: (lie) => {
      ways.lie = lie
    },
    answerFor: (account) => Object.assign(desk, { account }),
  }
}

/** How it answers now. */
interface Ways {
  readonly secret: string
  lie: Lie | null
}

function act(desk: Desk, id: string, what: Act): void {
  const payment = desk.payments.get(id)
  if (!payment) throw new Error(`there is no payment ${id}`)
  if (!perform(payment, what, desk.isTwoStep)) return
  payment.changedAt = desk.now()
  desk.emit(payment)
}

function noticeOf(payment: Payment, secret: string, now: number): SentNotice {
  const body = JSON.stringify({ id: newId('evt'), kind: 'changed', payment: payment.id })
  const timestamp = String(Math.floor(now / 1_000))
  return {
    payment: payment.id,
    body,
    headers: {
      'content-type': 'application/json',
      'payment-timestamp': timestamp,
      'payment-signature': signatureOf(secret, timestamp, body),
    },
  }
}

function spoken(
  desk: Desk,
  { secret, lie }: Ways,
  { method, headers, body }: Asked,
  fault: 'fault' | 'too_many' | null,
): Reply | Promise<Reply> {
  if (fault !== null) return { status: fault === 'fault' ? 500 : 429, body: {} }
  const timestamp = String(headers['payment-timestamp'])
  const isFresh =
    lie === 'old' || Math.abs(desk.now() / 1_000 - Number(timestamp)) <= WINDOW_SECONDS
  const isSigned = headers['payment-signature'] === signatureOf(secret, timestamp, body)
  if (method !== 'POST' || !isFresh || (!isSigned && lie !== 'unsigned'))
    return { status: 401, body: refused('signature') }
  return answered(desk, lie, JSON.parse(body) as CallBody)
}

function answered(desk: Desk, lie: Lie | null, call: CallBody): Reply | Promise<Reply> {
  if (lie === 'hang') return new Promise<Reply>(() => {})
  if (lie === 'gigabyte') return { status: 200, body: `"${'x'.repeat(MEGABYTES * 1_024 * 1_024)}"` }
  if (lie === 'html') return { status: 200, headers: HTML, body: '<h1>Payment</h1>' }
  if (lie === 'twice' && call.action === 'begin') forget(desk, call.reference)
  const body =
    lie === 'refund_twice' && call.action === 'refund'
      ? { ...answerCall(desk, { ...call, reference: newId('again') }), reference: call.reference }
      : answerCall(desk, call)
  return { status: 200, body: lied(body, lie, call.action) }
}

function forget({ payments }: Desk, reference: unknown): void {
  for (const [id, known] of payments)
    if (known.reference === reference) payments.set(id, { ...known, reference: newId('old') })
}

function payerPage(desk: Desk, { method, path, body }: Asked): Reply {
  const payment = desk.payments.get(path.slice('/pay/'.length))
  if (!payment || !path.startsWith('/pay/'))
    return { status: 404, headers: HTML, body: 'There is nothing at this address.' }
  if (method === 'GET') return { status: 200, headers: HTML, body: page(payment) }
  const chosen = new URLSearchParams(body).get('act')
  const what = ACTS.find((known) => known === chosen)
  if (what) act(desk, payment.id, what)
  return { status: 303, headers: { location: payment.returnUrl }, body: '' }
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

function page({ asked, order, status }: Payment): string {
  const buttons = ACTS.map(
    (act) => `<button name="act" value="${act}">${act.replaceAll('_', ' ')}</button>`,
  ).join(' ')
  return (
    `<!doctype html><meta charset="utf-8"><title>Own payment (test)</title><h1>${asked.amount} ${asked.currency}</h1><p>Order ${order.replace(/\D/g, '')}, ${status}</p>` +
    `<form method="post">${buttons} <button name="act" value="">back to the shop</button></form>`
  )
}
