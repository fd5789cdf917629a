import { z } from 'zod'
import type { Money } from '#kernel/money.ts'
import { exactMoney } from '../../supply/wire/amounts.ts'
import { cleanText } from '../../supply/wire/text.ts'
import type { AmountLimits, ProviderPayment, ProviderRefund, RefundRequest } from '../provider.ts'
import { serviceAccount, type ServiceAccount } from '../service.ts'
import { HookContradiction, type HookAnswer } from './api.ts'

/** No sign that parts a reference from its amount. */
const id = z.string().regex(/^[A-Za-z0-9_.:-]{1,100}$/)
const sum = z.strictObject({ amount: z.string(), currency: z.string() })
const CURRENCIES_MOST = 400

/** Strict: an answer with more or other members contradicts the contract, and says nothing. */
const payment = z.strictObject({
  outcome: z.literal('payment'),
  id,
  reference: z.string().max(100),
  status: z.enum([
    'requires_action',
    'seen',
    'approved',
    'captured',
    'failed',
    'cancelled',
    'expired',
  ]),
  amount: sum,
  captured: sum.optional(),
  refunded: sum.optional(),
  reversed: sum.optional(),
  disputed: z.boolean().optional(),
  redirect: z.string().max(2_000).optional(),
  failure: z.string().max(4_096).optional(),
})
const refund = z.strictObject({
  outcome: z.literal('refund'),
  id,
  reference: z.string().max(100),
  payment: id,
  amount: sum,
  status: z.enum(['pending', 'succeeded', 'failed']),
  failure: z.string().max(4_096).optional(),
})
const offer = z.strictObject({
  outcome: z.literal('offer'),
  account: z.strictObject({ id, name: z.string().max(200).optional() }),
  mode: z.enum(['live', 'test']),
  currencies: z
    .array(
      z.strictObject({
        currency: z.string(),
        min: z.string(),
        max: z.string(),
        step: z.string().optional(),
      }),
    )
    .max(CURRENCIES_MOST),
})
const page = z.strictObject({
  outcome: z.literal('payments'),
  payments: z.array(z.unknown()).max(1_000),
  next: z.string().max(500).nullish(),
})
const balances = z.strictObject({
  outcome: z.literal('balances'),
  balances: z.array(sum).max(CURRENCIES_MOST),
})
const notice = z.strictObject({
  id: z.string().min(1).max(200),
  kind: z.string().max(100).optional(),
  payment: id,
})

/** What a payment's answer has to be about. Null: not known here. */
export interface Expected {
  readonly id: string | null
  readonly reference: string | null
  readonly amount: Money | null
}

/** A payment, and what it still needs: one that is approved is taken by a call of the shop's. */
export interface HookPayment extends ProviderPayment {
  readonly id: string
  readonly amount: Money
  readonly isApproved: boolean
}

function shaped<T>(shape: z.ZodType<T>, answer: unknown, what: string): T {
  const read = shape.safeParse(answer)
  if (read.success) return read.data
  const at = read.error.issues[0]?.path.map(String).join('.') || 'outcome'
  throw new HookContradiction(`${what} is not of the contract's form, at ${at}`)
}

function money(told: z.infer<typeof sum>, what: string): Money {
  const read = exactMoney(told.amount, told.currency)
  if (!read) throw new HookContradiction(`${what} is no amount`)
  return read
}

/** A part of a payment's money, in its currency and no more than there was. */
function part(
  told: z.infer<typeof sum> | undefined,
  most: Money | null,
  what: string,
): Money | null {
  if (!told) return null
  const read = money(told, what)
  if (read.minor === 0n) return null
  if (!most || read.currency !== most.currency || read.minor > most.minor)
    throw new HookContradiction(`${what} is more than there was, or in another currency`)
  return read
}

const STATUSES = {
  requires_action: 'requires_action',
  seen: 'seen',
  approved: 'authorised',
  captured: 'captured',
  failed: 'failed',
  cancelled: 'voided',
  expired: 'expired',
} as const

/**
 * A payment as the service tells it. The name by which the shop keeps it says what was asked for, so that a service that tells another
 * amount later is found out.
 */
export function hookPayment(
  answer: unknown,
  expected: Expected,
  pages: readonly string[],
): HookPayment {
  const told = shaped(payment, answer, 'the payment')
  const amount = money(told.amount, 'amount')
  if (amount.minor === 0n) throw new HookContradiction('amount is nothing')
  if (expected.id !== null && told.id !== expected.id)
    throw new HookContradiction('it tells of another payment')
  if (expected.reference !== null && told.reference !== expected.reference)
    throw new HookContradiction('it tells of another reference')
  if (expected.amount && !isSameMoney(amount, expected.amount))
    throw new HookContradiction('it tells of another amount than was asked for')
  const captured = part(told.captured, amount, 'captured')
  if ((told.status === 'captured') !== (captured !== null))
    throw new HookContradiction('captured does not go with the status')
  const refunded = part(told.refunded, captured, 'refunded')
  const reversed = part(told.reversed, captured, 'reversed')
  if (told.disputed === true && !captured) throw new HookContradiction('nothing can be disputed')
  return {
    id: told.id,
    amount,
    isApproved: told.status === 'approved',
    reference: referenceOf(told.id, amount),
    ourReference: told.reference,
    status: STATUSES[told.status],
    captured,
    isDisputed: told.disputed === true,
    reversed,
    ...(captured ? { refundedMinor: refunded?.minor ?? 0n } : {}),
    redirectUrl: told.status === 'requires_action' ? onward(told.redirect, pages) : null,
    failure: told.failure === undefined ? null : cleanText(told.failure),
  }
}

/** Where a payer is sent: to places that the environment names, and to no other. */
function onward(redirect: string | undefined, pages: readonly string[]): string {
  const url = redirect === undefined ? null : URL.parse(redirect)
  if (!url || url.username !== '' || url.password !== '' || !pages.includes(url.origin))
    throw new HookContradiction('redirect leads to no place that PAYMENT_HOOK_URL or _PAGES names')
  return url.href
}

export const isSameMoney = (one: Money, other: Money): boolean =>
  one.minor === other.minor && one.currency === other.currency

const referenceOf = (own: string, { minor, currency }: Money) => `${own}~${minor}${currency}`

/** What the shop knows of a payment by the name it keeps for it; a notice gives the service's own name alone. */
export function expectedBy(reference: string): Expected & { readonly id: string } {
  const parts = /^([^~]+)~(\d{1,18})([A-Z]{3})$/.exec(reference)
  const [, own, minor, currency] = parts ?? []
  return own !== undefined && minor !== undefined && currency !== undefined
    ? { id: own, reference: null, amount: { minor: BigInt(minor), currency } }
    : { id: reference, reference: null, amount: null }
}

/** Null where the service has never heard of it. */
export function hookRefund(answer: HookAnswer, asked: RefundRequest): ProviderRefund | null {
  if (answer.outcome === 'not_found') return null
  const told = shaped(refund, answer, 'the refund')
  if (told.reference !== asked.ourReference)
    throw new HookContradiction('it tells of another refund')
  if (told.payment !== expectedBy(asked.paymentReference).id)
    throw new HookContradiction("it tells of another payment's refund")
  if (!isSameMoney(money(told.amount, 'amount'), asked.amount))
    throw new HookContradiction('it refunds another amount than was asked for')
  const failure = told.failure === undefined ? null : cleanText(told.failure)
  return {
    reference: told.id,
    status: told.status,
    failure: told.status === 'failed' ? (failure ?? 'failed') : failure,
  }
}

/** What a service takes, and whose it is. */
export interface HookOffer {
  readonly account: ServiceAccount | null
  readonly mode: 'live' | 'test'
  readonly limits: ReadonlyMap<string, AmountLimits>
}

export function hookOffer(answer: HookAnswer): HookOffer {
  const told = shaped(offer, answer, 'the offer')
  const limits = told.currencies.map(({ currency, min, max, step }) => {
    const [least, most, each] = [min, max, step].map((text) =>
      text === undefined ? null : exactMoney(text, currency),
    )
    const stepMinor = step === undefined ? 1n : (each?.minor ?? 0n)
    if (!least || !most || least.minor < 1n || most.minor < least.minor || stepMinor < 1n)
      throw new HookContradiction('the limits of a currency make no sense')
    return [currency, { min: least.minor, max: most.minor, step: stepMinor }] as const
  })
  if (new Set(limits.map(([currency]) => currency)).size !== limits.length)
    throw new HookContradiction('a currency stands twice in the offer')
  return {
    account: serviceAccount(told.account.id, [told.account.name]),
    mode: told.mode,
    limits: new Map(limits),
  }
}

export function hookPage(answer: HookAnswer): {
  readonly payments: readonly unknown[]
  readonly next: string | null
} {
  const { payments, next } = shaped(page, answer, 'the list')
  return { payments, next: next ?? null }
}

/** What lies there; below zero where the shop owes. */
export function hookBalances(answer: HookAnswer): readonly Money[] {
  return shaped(balances, answer, 'the balance').balances.map(({ amount, currency }) => {
    const isOwed = amount.startsWith('-')
    const { minor } = money({ amount: isOwed ? amount.slice(1) : amount, currency }, 'balance')
    return { minor: isOwed ? -minor : minor, currency }
  })
}

export const hookNotice = (json: unknown) => notice.safeParse(json).data ?? null

/** Names of a payment that could not be read, as far as they can. */
export function namesOf(json: unknown): { readonly id: string; readonly reference: string | null } {
  const read = z
    .object({ id: id.catch('?'), reference: z.string().max(100).nullable().catch(null) })
    .safeParse(json)
  return read.data ?? { id: '?', reference: null }
}
