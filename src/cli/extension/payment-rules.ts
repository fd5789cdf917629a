import { randomUUID } from 'node:crypto'
import type { Money } from '#kernel/money.ts'
import { ProviderRefusal, type ProviderRefund } from '#providers/payment/provider.ts'
import {
  hookBalances,
  hookOffer,
  hookPage,
  hookPayment,
  hookRefund,
  isSameMoney,
  type HookOffer,
  type HookPayment,
} from '#providers/payment/payment-hook/answers.ts'
import { readPaymentAnswer, type HookAnswer } from '#providers/payment/payment-hook/api.ts'
import { decimalOf } from '#providers/supply/wire/amounts.ts'
import { must, needed, NotTried, signatureRules, type Extension, type Rule } from './rules.ts'

/** What rules have made so far, for those that come after. */
interface Trial {
  readonly extension: Extension
  /** Origins that payers may be sent to. */
  readonly pages: readonly string[]
  offer: HookOffer | null
  amount: Money | null
  begun: HookPayment | null
  paid: HookPayment | null
  part: ProviderRefund | null
}

const RETURN_URL = 'https://shop.example/order/pay?order=trial'
const money = (sum: Money) => ({ amount: decimalOf(sum), currency: sum.currency })

/** The contract of a payment service, as `docs/operating/extending.md` has it. Nothing is paid but by `pretend`, which a service in test mode alone knows. */
export function paymentRules(extension: Extension, pages: readonly string[]): readonly Rule[] {
  const trial: Trial = {
    extension,
    pages,
    offer: null,
    amount: null,
    begun: null,
    paid: null,
    part: null,
  }
  return [
    ...offerRules(trial),
    ...signatureRules(extension, { action: 'offer' }),
    ...beginRules(trial),
    ...unpaidRules(trial),
    ...paidRules(trial),
    ...refundRules(trial),
    ...bookRules(trial),
  ]
}

/** As the shop reads an answer, which throws for what it does not take. */
async function told(
  { extension }: Pick<Trial, 'extension'>,
  action: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<HookAnswer> {
  return readPaymentAnswer(action, await extension.ask({ action, ...more }))
}

/** Throws unless the answer is a no for good. */
async function refuses(asked: Promise<HookAnswer>): Promise<void> {
  const answer = await asked.catch((error: unknown) => {
    if (error instanceof ProviderRefusal) return null
    throw error
  })
  must(answer === null, `it was answered with ${answer?.outcome}, not with refused`)
}

function offerRules(trial: Trial): readonly Rule[] {
  return [
    {
      says: '`offer` is answered within 10 seconds, in JSON of at most a megabyte: whose account it is, whether money is real, and what it takes.',
      async holds() {
        const offer = hookOffer(await told(trial, 'offer'))
        must(offer.limits.size > 0, 'it takes no currency')
        trial.offer = offer
        const [first] = offer.limits
        const [currency, { min, max, step }] = needed(first, 'currency')
        const wanted = (min / step + 3n) * step
        trial.amount = { currency, minor: wanted >= min && wanted <= max ? wanted : max }
      },
    },
    {
      says: 'What no action of the contract is called is refused, or answered with another status than 200.',
      async holds() {
        needed(trial.offer, 'offer')
        const exchange = await trial.extension.ask({ action: 'no_such_action', id: 'none' })
        if (exchange.kind !== 'answer') throw new Error(exchange.why)
        const outcome = (exchange.json as { outcome?: unknown } | null | undefined)?.outcome
        must(
          exchange.status !== 200 || outcome === 'refused' || outcome === 'not_found',
          `it was answered with ${String(outcome)}`,
        )
      },
    },
  ]
}

const beginBody = (reference: string, amount: Money) => ({
  reference,
  amount: money(amount),
  order: '100000000000',
  started_at: new Date().toISOString(),
  return_url: RETURN_URL,
  language: 'en',
})

async function begin(trial: Trial, reference: string, amount: Money): Promise<HookPayment> {
  const answer = await told(trial, 'begin', beginBody(reference, amount))
  return hookPayment(answer, { id: null, reference, amount }, trial.pages)
}

function beginRules(trial: Trial): readonly Rule[] {
  const begun = () => needed(trial.begun, 'payment')
  const amount = () => needed(trial.amount, 'amount')
  return [
    {
      says: '`begin` makes a payment of the amount that was asked for, under the shop’s reference, with a redirect to a place that the shop knows.',
      async holds() {
        const made = await begin(trial, randomUUID(), amount())
        must(made.status === 'requires_action', `it is ${made.status}, not requires_action`)
        trial.begun = made
      },
    },
    {
      says: 'The same `begin` sent again gives the same payment.',
      async holds() {
        const { id, ourReference } = begun()
        const again = await begin(trial, ourReference, amount())
        must(again.id === id, `it made another one: ${again.id} beside ${id}`)
      },
    },
    {
      says: 'The same `begin` sent three times at once makes one payment.',
      async holds() {
        begun()
        const reference = randomUUID()
        const made = await Promise.all([1, 2, 3].map(() => begin(trial, reference, amount())))
        must(new Set(made.map(({ id }) => id)).size === 1, 'it made more than one')
        await told(trial, 'cancel', { id: made[0]?.id })
      },
    },
    {
      says: 'A reference that comes with another amount is refused.',
      async holds() {
        const { ourReference } = begun()
        const sum = amount()
        const { step } = needed(trial.offer?.limits.get(sum.currency), 'limit')
        const other = { ...sum, minor: sum.minor > step ? sum.minor - step : sum.minor + step }
        await refuses(told(trial, 'begin', beginBody(ourReference, other)))
      },
    },
  ]
}

async function ask(
  trial: Trial,
  action: string,
  of: HookPayment,
  more: Readonly<Record<string, unknown>> = {},
): Promise<HookPayment> {
  const answer = await told(trial, action, { id: of.id, ...more })
  const expected = { id: of.id, reference: of.ourReference, amount: of.amount }
  return hookPayment(answer, expected, trial.pages)
}

function unpaidRules(trial: Trial): readonly Rule[] {
  const begun = () => needed(trial.begun, 'payment')
  return [
    {
      says: '`state` tells of the same payment.',
      async holds() {
        const { status } = await ask(trial, 'state', begun())
        must(status === 'requires_action', `it is ${status}, though nobody has paid`)
      },
    },
    {
      says: 'An id that is not known is answered with `not_found`.',
      async holds() {
        begun()
        const { outcome } = await told(trial, 'state', { id: `none-${randomUUID()}` })
        must(outcome === 'not_found', `it was answered with ${outcome}`)
      },
    },
    {
      says: 'What nobody has paid cannot be captured or refunded.',
      async holds() {
        const { id, amount } = begun()
        await refuses(told(trial, 'capture', { id, amount: money(amount) }))
        const reference = randomUUID()
        await refuses(told(trial, 'refund', { id, reference, amount: money(amount) }))
      },
    },
    {
      says: '`cancel` ends a payment that nobody has paid, and says the same when it comes again.',
      async holds() {
        const ended = [await ask(trial, 'cancel', begun()), await ask(trial, 'cancel', begun())]
        for (const { status } of [...ended, await ask(trial, 'state', begun())])
          must(status === 'voided' || status === 'expired', `it is ${status}`)
      },
    },
  ]
}

function paidRules(trial: Trial): readonly Rule[] {
  const paid = () => needed(trial.paid, 'paid payment')
  return [
    {
      says: 'A payment that was paid is `approved` or `captured`, with what was asked for.',
      async holds() {
        if (needed(trial.offer, 'offer').mode === 'live')
          throw new NotTried('it says that money is real')
        const made = await begin(trial, randomUUID(), needed(trial.amount, 'amount'))
        const answer = await told(trial, 'pretend', { id: made.id, what: 'pay' }).catch(
          (error: unknown) => {
            if (!(error instanceof ProviderRefusal)) throw error
            throw new NotTried('it does not know `pretend`')
          },
        )
        if (answer.outcome === 'not_found') throw new NotTried('it does not know `pretend`')
        const now = await ask(trial, 'state', made)
        must(now.isApproved || now.status === 'captured', `it is ${now.status}`)
        trial.paid = now
      },
    },
    {
      says: '`capture` takes the whole amount, once, however often it comes.',
      async holds() {
        const { amount } = paid()
        for (let count = 0; count < 2; count += 1) {
          if (!paid().isApproved && count === 0) break
          const now = await ask(trial, 'capture', paid(), { amount: money(amount) })
          must(now.captured && isSameMoney(now.captured, amount), 'it took another amount')
        }
        const now = await ask(trial, 'state', paid())
        must(now.captured && isSameMoney(now.captured, amount), 'it tells of another amount')
      },
    },
    {
      says: '`cancel` of a paid payment gives nothing back: it tells how the payment stands.',
      async holds() {
        const { status } = await ask(trial, 'cancel', paid())
        must(status === 'captured', `it is ${status}`)
      },
    },
  ]
}

async function refund(
  trial: Trial,
  of: HookPayment,
  ourReference: string,
  amount: Money,
  action: 'refund' | 'find_refund' = 'refund',
): Promise<ProviderRefund | null> {
  const asked = { reference: ourReference, id: of.id, amount: money(amount) }
  return hookRefund(await told(trial, action, asked), {
    ourReference,
    paymentReference: of.id,
    amount,
  })
}

function refundRules(trial: Trial): readonly Rule[] {
  const paid = () => needed(trial.paid, 'paid payment')
  const reference = randomUUID()
  const step = ({ currency }: Money) => trial.offer?.limits.get(currency)?.step ?? 1n
  return [
    {
      says: '`find_refund` of what nobody has asked for is `not_found`.',
      async holds() {
        const found = await refund(trial, paid(), randomUUID(), paid().amount, 'find_refund')
        must(found === null, 'it found one')
      },
    },
    {
      says: 'A refund is made once, also where it comes three times at once, and is found by the shop’s reference.',
      async holds() {
        const sum = { ...paid().amount, minor: step(paid().amount) }
        const made = await Promise.all([1, 2, 3].map(() => refund(trial, paid(), reference, sum)))
        const found = await refund(trial, paid(), reference, sum, 'find_refund')
        const ids = new Set([...made, found].map((each) => each?.reference))
        must(found !== null && ids.size === 1, 'it made more than one, or does not find it')
        must(found.status !== 'failed', `it failed: ${found.failure}`)
        const { refundedMinor } = await ask(trial, 'state', paid())
        must(refundedMinor === sum.minor, 'state tells of another sum that was refunded')
        trial.part = found
      },
    },
    {
      says: 'A refund’s reference that comes with another amount is refused.',
      async holds() {
        needed(trial.part, 'refund')
        const sum = { ...paid().amount, minor: step(paid().amount) * 2n }
        await refuses(told(trial, 'refund', { id: paid().id, reference, amount: money(sum) }))
      },
    },
    {
      says: 'More than is left, and another currency, is refused.',
      async holds() {
        needed(trial.part, 'refund')
        const { id, amount } = paid()
        const currency = amount.currency === 'EUR' ? 'USD' : 'EUR'
        for (const sum of [amount, { minor: 100n, currency }])
          await refuses(told(trial, 'refund', { id, reference: randomUUID(), amount: money(sum) }))
      },
    },
    {
      says: 'The rest can be refunded, and then nothing more.',
      async holds() {
        needed(trial.part, 'refund')
        const { id, amount } = paid()
        const one = { ...amount, minor: step(amount) }
        const rest = { ...amount, minor: amount.minor - one.minor }
        const made = await refund(trial, paid(), randomUUID(), rest)
        must(made && made.status !== 'failed', `it failed: ${made?.failure ?? 'not found'}`)
        await refuses(told(trial, 'refund', { id, reference: randomUUID(), amount: money(one) }))
      },
    },
  ]
}

const HOUR_MS = 3_600_000
const PAGES_MOST = 50

function bookRules(trial: Trial): readonly Rule[] {
  return [
    {
      says: '`list` has the payments that were made in a span of time, and comes to an end.',
      async holds() {
        const { id } = needed(trial.begun, 'payment')
        const now = Date.now()
        const span = {
          of: 'made',
          from: new Date(now - HOUR_MS).toISOString(),
          to: new Date(now + HOUR_MS).toISOString(),
        }
        let cursor: string | null = null
        let isThere = false
        for (let count = 0; count < PAGES_MOST; count += 1) {
          const page = hookPage(await told(trial, 'list', { ...span, cursor }))
          for (const each of page.payments) {
            const payment = hookPayment(
              each,
              { id: null, reference: null, amount: null },
              trial.pages,
            )
            isThere ||= payment.id === id
          }
          if (page.next === null) return must(isThere, 'the payment of before is not in it')
          must(page.next !== cursor, 'a page leads to itself')
          cursor = page.next
        }
        throw new Error(`there is no end after ${PAGES_MOST} pages`)
      },
    },
    {
      says: '`balances` tells what lies there.',
      async holds() {
        needed(trial.offer, 'offer')
        hookBalances(await told(trial, 'balances'))
      },
    },
  ]
}
