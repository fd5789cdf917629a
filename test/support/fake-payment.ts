import type { Money } from '#kernel/money.ts'
import {
  ProviderRefusal,
  type PaymentProvider,
  type PaymentRequest,
  type ProviderPayment,
  type ProviderRefund,
  type RefundRequest,
} from '#providers/payment/provider.ts'

/** A payment provider in this process, whose payers and whose faults a test decides on. */
export interface FakePayments {
  readonly provider: PaymentProvider
  /** The payment of an attempt. */
  readonly of: (ourReference: string) => ProviderPayment
  /** The payer pays; more than once adds up. */
  readonly pay: (ourReference: string, amount: Money) => void
  readonly set: (ourReference: string, change: Partial<ProviderPayment>) => void
  /** What to do at the next calls: do it and lose the answer, do nothing, or say no. */
  readonly faults: ('lost_answer' | 'lost_request' | 'refuse')[]
  /** All that was taken less all that was given back or taken back, by currency. */
  readonly kept: (currency: string) => bigint
  readonly refunds: () => readonly Money[]
  /** The payer's bank sends every refund of a payment back. */
  readonly failRefunds: (ourReference: string) => void
}

export function createFakePayments(code = 'fake'): FakePayments {
  const payments = new Map<string, ProviderPayment>()
  const refunds = new Map<string, { readonly money: Money; readonly answer: ProviderRefund }>()
  const faults: FakePayments['faults'] = []
  const byReference = (reference: string) =>
    found(
      [...payments.values()].find((payment) => payment.reference === reference),
      reference,
    )
  const of = (ourReference: string) => found(payments.get(ourReference), ourReference)
  const set = (ourReference: string, change: Partial<ProviderPayment>) =>
    void payments.set(ourReference, { ...of(ourReference), ...change })
  const faulty = async <T>(work: () => T): Promise<T> => {
    const fault = faults.shift()
    if (fault === 'refuse') throw new ProviderRefusal('declined')
    if (fault === 'lost_request') throw new Error('connection reset')
    const answer = work()
    if (fault === 'lost_answer') throw new Error('connection reset')
    return answer
  }
  const create = ({ ourReference }: PaymentRequest) =>
    faulty(() => {
      if (!payments.has(ourReference))
        payments.set(ourReference, {
          reference: `${code}_${ourReference}`,
          ourReference,
          status: 'requires_action',
          captured: null,
          isDisputed: false,
          reversed: null,
          redirectUrl: `https://pay.example/${ourReference}`,
          failure: null,
        })
      return of(ourReference)
    })
  const refund = ({ ourReference, paymentReference, amount }: RefundRequest) =>
    faulty(() => {
      const known = refunds.get(ourReference)
      if (known) return known.answer
      const taken = byReference(paymentReference).captured
      const back = [...refunds.values()]
        .filter(
          ({ answer }) =>
            answer.status === 'succeeded' && answer.reference.startsWith(`${paymentReference}:`),
        )
        .reduce((sum, { money }) => sum + money.minor, 0n)
      if (!taken || taken.currency !== amount.currency || back + amount.minor > taken.minor)
        throw new ProviderRefusal('more than was captured')
      const answer: ProviderRefund = {
        reference: `${paymentReference}:${ourReference}`,
        status: 'succeeded',
        failure: null,
      }
      refunds.set(ourReference, { money: amount, answer })
      return answer
    })
  return {
    of,
    set,
    faults,
    pay: (ourReference, { minor, currency }) =>
      set(ourReference, {
        status: 'captured',
        captured: { currency, minor: (of(ourReference).captured?.minor ?? 0n) + minor },
      }),
    kept: (currency) => {
      const taken = [...payments.values()]
        .filter(({ captured }) => captured?.currency === currency)
        .reduce(
          (sum, { captured, reversed }) => sum + (captured?.minor ?? 0n) - (reversed?.minor ?? 0n),
          0n,
        )
      return (
        taken -
        [...refunds.values()]
          .filter(
            ({ money, answer }) => answer.status === 'succeeded' && money.currency === currency,
          )
          .reduce((sum, { money }) => sum + money.minor, 0n)
      )
    },
    refunds: () => [...refunds.values()].map(({ money }) => money),
    failRefunds: (ourReference) => {
      const prefix = `${of(ourReference).reference}:`
      for (const [name, { money, answer }] of refunds) {
        if (answer.reference.startsWith(prefix))
          refunds.set(name, {
            money,
            answer: { ...answer, status: 'failed', failure: 'account_closed' },
          })
      }
    },
    provider: {
      code,
      create,
      refund,
      checksPerSecond: 10_000,
      limits: () => ({ min: 1n, max: 10n ** 12n, step: 1n }),
      fetch: (reference) => faulty(() => byReference(reference)),
      cancel: (reference) =>
        faulty(() => {
          const payment = byReference(reference)
          if (payment.status === 'requires_action') set(payment.ourReference, { status: 'voided' })
          return of(payment.ourReference)
        }),
      findRefund: ({ ourReference }) => faulty(() => refunds.get(ourReference)?.answer ?? null),
      readNotice: async () => {
        throw new ProviderRefusal('it sends no notices')
      },
      list: async function* () {
        yield* payments.values()
      },
    },
  }
}

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new ProviderRefusal(`there is no ${name}`)
  return value
}
