import { createHmac } from 'node:crypto'
import { openWire, type Asked, type Reply, type Wire } from '../wire.ts'
import { ACTS, newId, perform, type Act, type Payment } from './books.ts'
import { answerCall, refused, type Desk, type Told } from './calls.ts'
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
  let lie: Lie | null = options.lie ?? null
  const desk: Desk = {
    payments: new Map(),
    origin: () => wire.origin,
    now: () => now().getTime(),
    emit,
    isTwoStep: options.isTwoStep ?? false,
    account: { id: 'own-payments', name: 'Own payments' },
    isTest: options.isTest ?? true,
  }
  const wire = await openWire({
    port: options.port,
    answer: (asked, fault) =>
      asked.path === PATH ? spoken(asked, fault) : payerPage(desk, act, asked),
  })

  function emit(payment: Payment): void {
    const body = JSON.stringify({ id: newId('evt'), kind: 'changed', payment: payment.id })
    const timestamp = String(Math.floor(desk.now() / 1_000))
    const notice = {
      payment: payment.id,
      body,
      headers: {
        'content-type': 'application/json',
        'payment-timestamp': timestamp,
        'payment-signature': signatureOf(options.secret, timestamp, body),
      },
    }
    notices.push(notice)
    if (options.webhookUrl !== null)
      void deliver(options.webhookUrl, notice, options.deliveries ?? 1)
  }

  function act(id: string, what: Act): void {
    const payment = desk.payments.get(id)
    if (!payment) throw new Error(`there is no payment ${id}`)
    if (!perform(payment, what, desk.isTwoStep)) return
    payment.changedAt = desk.now()
    emit(payment)
  }

  async function spoken(asked: Asked, fault: 'fault' | 'too_many' | null): Promise<Reply> {
    if (fault !== null) return { status: fault === 'fault' ? 500 : 429, body: {} }
    const timestamp = String(asked.headers['payment-timestamp'])
    const isFresh =
      lie === 'old' || Math.abs(desk.now() / 1_000 - Number(timestamp)) <= WINDOW_SECONDS
    const isSigned =
      asked.headers['payment-signature'] === signatureOf(options.secret, timestamp, asked.body)
    if (asked.method !== 'POST' || !isFresh || (!isSigned && lie !== 'unsigned'))
      return { status: 401, body: refused('signature') }
    return answered(JSON.parse(asked.body) as Told)
  }

  async function answered(told: Told): Promise<Reply> {
    if (lie === 'hang') return new Promise<Reply>(() => {})
    if (lie === 'gigabyte')
      return { status: 200, body: `"${'x'.repeat(MEGABYTES * 1_024 * 1_024)}"` }
    if (lie === 'html') return { status: 200, headers: HTML, body: '<h1>Payment</h1>' }
    if (lie === 'twice' && told.action === 'begin') forget(told.reference)
    const body =
      lie === 'refund_twice' && told.action === 'refund'
        ? { ...answerCall(desk, { ...told, reference: newId('again') }), reference: told.reference }
        : answerCall(desk, told)
    return { status: 200, body: lied(body, lie, told.action) }
  }

  function forget(reference: unknown): void {
    for (const [id, known] of desk.payments)
      if (known.reference === reference)
        desk.payments.set(id, { ...known, reference: newId('old') })
  }

  return {
    ...wire,
    url: `${wire.origin}${PATH}`,
    act,
    notices,
    payments: desk.payments,
    asks: (id) => {
      const sum = desk.payments.get(id)?.asked
      return sum ? `${sum.amount} ${sum.currency}` : ''
    },
    tell: (next) => {
      lie = next
    },
    answerFor: (account) => Object.assign(desk, { account }),
  }
}

function payerPage(
  { payments }: Desk,
  act: (id: string, what: Act) => void,
  { method, path, body }: Asked,
): Reply {
  const payment = payments.get(path.slice('/pay/'.length))
  if (!payment || !path.startsWith('/pay/'))
    return { status: 404, headers: HTML, body: 'There is nothing at this address.' }
  if (method === 'GET') return { status: 200, headers: HTML, body: page(payment) }
  const chosen = new URLSearchParams(body).get('act')
  const what = ACTS.find((known) => known === chosen)
  if (what) act(payment.id, what)
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
