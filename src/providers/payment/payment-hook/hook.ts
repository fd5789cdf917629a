import { decimalOf } from '../../supply/wire/amounts.ts'
import { readJson } from '../../supply/wire/json.ts'
import { fingerprintOf } from '../../supply/wire/signed.ts'
import { cleanText } from '../../supply/wire/text.ts'
import type { Money } from '#kernel/money.ts'
import { findLanguage } from '#kernel/language.ts'
import {
  ProviderRefusal,
  readListed,
  type ListSpan,
  type Notice,
  type PaymentProvider,
  type PaymentRequest,
  type ProviderPayment,
  type RefundRequest,
} from '../provider.ts'
import {
  expectedBy,
  hookBalances,
  hookNotice,
  hookPage,
  hookPayment,
  hookRefund,
  namesOf,
  type Expected,
  type HookPayment,
} from './answers.ts'
import {
  HookContradiction,
  isPaymentNotice,
  openHookPaymentApi,
  type HookApiOptions,
  type HookPaymentApi,
} from './api.ts'
import { openOffer, type KnownOffer } from './offer.ts'

export interface HookPaymentOptions extends HookApiOptions {
  /** Origins that payers may be sent to. */
  readonly pages: readonly string[]
}

/** As long the shop waits for what it takes before it opens without: the service may be away. */
const OPENING_MS = 2_000
/** Nobody makes so many payments a day: a list without an end is none. */
const PAGES_MOST = 1_000

/** What a call of one service needs. */
interface Desk {
  readonly api: HookPaymentApi
  readonly pages: readonly string[]
  readonly offer: KnownOffer
}

/** The owner's own service in a process of theirs: the shop says what is spoken. README.md beside this file is the contract. */
export async function openHookPayments(options: HookPaymentOptions): Promise<PaymentProvider> {
  const api = openHookPaymentApi(options)
  const desk: Desk = { api, pages: options.pages, offer: openOffer(api, options.now) }
  await withinTime(desk.offer.read(), OPENING_MS)
  return {
    code: 'payment-hook',
    limits: desk.offer.limits,
    create: (request) => begin(desk, request),
    fetch: (reference) => state(desk, reference),
    cancel: async (reference) => plain(await asked(desk, 'cancel', expectedBy(reference))),
    refund: (request) => refund(desk, request),
    findRefund: async (request) =>
      hookRefund(await api({ action: 'find_refund', ...refundBody(request) }), request),
    readNotice: async (body, headers, now) => readNotice(options, body, headers, now),
    balance: async () => hookBalances(await api({ action: 'balances' })),
    list: (span) => list(desk, 'made', span),
    listChanged: (span) => list(desk, 'changed', span),
  }
}

async function withinTime(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const ended = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work.catch(() => {}), ended])
  clearTimeout(timer)
}

const amountBody = (amount: Money) => ({ amount: decimalOf(amount), currency: amount.currency })

/** Limits that have changed meanwhile are the service's to refuse by. */
async function begin(desk: Desk, request: PaymentRequest): Promise<ProviderPayment> {
  const { ourReference, amount, orderNumber, startedAt, returnUrl, language } = request
  const limits = (await desk.offer.read()).limits.get(amount.currency)
  if (
    !limits ||
    amount.minor < limits.min ||
    amount.minor > limits.max ||
    amount.minor % limits.step !== 0n
  )
    throw new ProviderRefusal(`this amount of ${amount.currency} is not taken`)
  const answer = await desk.api({
    action: 'begin',
    reference: ourReference,
    amount: amountBody(amount),
    order: orderNumber,
    started_at: startedAt.toISOString(),
    return_url: returnUrl,
    language: findLanguage(language)?.tag ?? language,
  })
  return plain(hookPayment(answer, { id: null, reference: ourReference, amount }, desk.pages))
}

/** What the payer has approved is taken, whoever asks: no browser has to come back for it. */
async function state(desk: Desk, reference: string): Promise<ProviderPayment> {
  const expected = expectedBy(reference)
  const told = await asked(desk, 'state', expected)
  if (!told.isApproved) return plain(told)
  const same = { ...expected, reference: told.ourReference, amount: told.amount }
  return plain(await asked(desk, 'capture', same, { amount: amountBody(told.amount) }))
}

async function asked(
  { api, pages }: Desk,
  action: string,
  expected: Expected & { readonly id: string },
  more: Readonly<Record<string, unknown>> = {},
): Promise<HookPayment> {
  const answer = await api({ action, id: expected.id, ...more })
  if (answer.outcome === 'not_found') throw new ProviderRefusal('the payment is not known there')
  return hookPayment(answer, expected, pages)
}

/** As every provider tells it. */
function plain(told: HookPayment): ProviderPayment {
  const { id: _id, amount: _amount, isApproved: _isApproved, ...payment } = told
  return payment
}

const refundBody = ({ ourReference, paymentReference, amount }: RefundRequest) => ({
  reference: ourReference,
  id: expectedBy(paymentReference).id,
  amount: amountBody(amount),
})

async function refund({ api }: Desk, request: RefundRequest) {
  const answer = await api({ action: 'refund', ...refundBody(request) })
  const told = hookRefund(answer, request)
  if (!told) throw new ProviderRefusal('the payment is not known there')
  return told
}

async function* list(
  { api, pages }: Desk,
  of: 'made' | 'changed',
  { since, until, unread }: ListSpan,
): AsyncGenerator<ProviderPayment> {
  let cursor: string | null = null
  for (let count = 0; count < PAGES_MOST; count += 1) {
    const { payments, next } = hookPage(
      await api({
        action: 'list',
        of,
        from: since.toISOString(),
        to: until.toISOString(),
        cursor,
      }),
    )
    for (const json of payments) {
      const { id, reference } = namesOf(json)
      const told = await readListed(
        unread ? { unread } : {},
        { reference: id, ourReference: reference },
        async () => plain(hookPayment(json, { id: null, reference: null, amount: null }, pages)),
      )
      if (told) yield told
    }
    if (next === null) return
    if (next === cursor) break
    cursor = next
  }
  throw new HookContradiction('the list has no end')
}

function readNotice(
  { secret }: Pick<HookPaymentOptions, 'secret'>,
  body: Uint8Array,
  headers: Headers,
  now: Date,
): Notice {
  if (!isPaymentNotice(body, headers, now, secret))
    throw new ProviderRefusal('not signed, or too old')
  const told = hookNotice(readJson(Buffer.from(body).toString('utf8')))
  if (!told) throw new ProviderRefusal('a signed notice in an unknown form')
  return {
    eventId: fingerprintOf(told.id),
    kind: cleanText(told.kind, 80) || 'changed',
    paymentReference: told.payment,
  }
}
