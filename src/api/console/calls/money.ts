import { z } from 'zod'
import { bookDifference, closeDifference } from '#features/buying/reconciliation/commands.ts'
import { listDifferences } from '#features/buying/reconciliation/queries.ts'
import { closeUnmatched } from '#features/buying/unmatched-payment/commands.ts'
import {
  matchConfirmed,
  previewConfirmed,
  returnUnmatched,
} from '#features/buying/unmatched-payment/flows.ts'
import { listUnmatched } from '#features/buying/unmatched-payment/queries.ts'
import { listProviders } from '#features/office/books/queries.ts'
import { compareProvider } from '#features/office/books/commands.ts'
import type { Money } from '#kernel/money.ts'
import { operatorCall } from '../call.ts'
import { moment, nothing, publicId } from './shapes.ts'

const LISTED = 500
const DAY_MS = 86_400_000
const note = z.string().trim().min(1).max(500)
const since = moment.nullable()
const money = { amount_minor: z.string(), currency: z.string() }
/** Public id of what waits for a second person; null where it is done. */
export const waits = z.object({ waits_for_approval: publicId.nullable() })
const providerCode = z.string().regex(/^[a-z0-9-]{1,100}$/)

const moneyProviders = operatorCall({
  path: 'console/money/providers',
  summary: 'How each payment provider stands: health, last notice, open and unmatched payments',
  body: z.object({}),
  data: z.array(
    z.object({
      provider: z.string(),
      is_set_up: z.boolean(),
      open: z.number(),
      last_notice: since,
      notices_waiting: z.number(),
      asked: since,
      failures: z.number(),
      failure: z.string().nullable(),
      compared_to: since,
      unmatched: z.number(),
      differences: z.number(),
      received_24h: z.array(z.object(money)),
      /** Payments begun within a day and seven days, and those of them that were paid; counted every five minutes. */
      success: z
        .object({
          begun_24h: z.number(),
          paid_24h: z.number(),
          begun_7d: z.number(),
          paid_7d: z.number(),
        })
        .nullable(),
      /** What lies there and can be paid out, as it told; null where it does not tell. */
      balance: z.object({ told: moment, available: z.array(z.object(money)) }).nullable(),
    }),
  ),
  example: {},
  async answer({ ctx, services }) {
    const codes = [...services.payments.providers.keys()]
    const states = await listProviders(ctx.db, codes, new Date(ctx.now().getTime() - DAY_MS))
    return states.map((state) => ({
      provider: state.provider,
      is_set_up: codes.includes(state.provider),
      open: state.open,
      last_notice: iso(state.lastNoticeAt),
      notices_waiting: state.noticesWaiting,
      asked: iso(state.askedAt),
      failures: state.failures,
      failure: state.failure,
      compared_to: iso(state.comparedTo),
      unmatched: state.unmatched,
      differences: state.differences,
      received_24h: state.received.map(amountOf),
      success: state.standing && {
        begun_24h: state.standing.begunDay,
        paid_24h: state.standing.paidDay,
        begun_7d: state.standing.begunWeek,
        paid_7d: state.standing.paidWeek,
      },
      balance: state.balance && {
        told: state.balance.toldAt.toISOString(),
        available: state.balance.available.map(amountOf),
      },
    }))
  },
})

const amountOf = ({ minor, currency }: Money) => ({ amount_minor: minor.toString(), currency })
const iso = (at: Date | null) => at?.toISOString() ?? null

const moneyUnmatched = operatorCall({
  path: 'console/money/unmatched',
  summary: 'Money at a provider that belongs to no order here, longest known first',
  body: z.object({}),
  data: z.array(
    z.object({
      id: publicId,
      provider: z.string(),
      reference: z.string(),
      ...money,
      found: moment,
    }),
  ),
  example: {},
  async answer({ ctx }) {
    const unmatched = await listUnmatched(ctx.db, LISTED)
    return unmatched.map(({ publicId: id, provider, reference, amount, foundAt }) => ({
      id,
      provider,
      reference,
      amount_minor: amount.minor.toString(),
      currency: amount.currency,
      found: foundAt.toISOString(),
    }))
  },
})

const moneyUnmatchedReturn = operatorCall({
  path: 'console/money/unmatched/return',
  summary: 'Give unmatched money back to where it was paid from',
  description: 'Asked for again after an answer was lost, it is given back once.',
  body: z.strictObject({ id: publicId }),
  data: waits,
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  answer: async ({ ctx, services }, { id }) => ({
    waits_for_approval: await returnUnmatched(ctx, [...services.payments.providers.values()], id),
  }),
})

const orderNumber = z
  .string()
  .regex(/^\d{13}$/)
  .meta({ examples: ['5518703429163'] })
const version = z
  .string()
  .regex(/^\d{1,19}$/)
  .meta({ examples: ['1204'] })

const moneyUnmatchedEffect = operatorCall({
  path: 'console/money/unmatched/effect',
  summary: 'What taking unmatched money for an order would do, as things are now',
  description:
    'The payment service is asked first, as before the match itself. `version` goes along with the match: where something has happened to the order since, nothing is done.',
  body: z.object({ id: publicId, order: orderNumber }),
  data: z.object({
    version,
    currency: z.string(),
    asked_minor: z.string(),
    amount_minor: z.string(),
    /** What it brings together with other payments of the order, where it is too little alone. */
    brought_minor: z.string(),
    /** What the order would still wait for; where it is nothing, it is paid and delivered. */
    missing_minor: z.string(),
    surplus_minor: z.string(),
    was: z.enum(['open', 'cancelled', 'expired']),
    lacking: z.array(z.string()),
    /** Disputes of it are followed. */
    is_ours: z.boolean(),
    needs_second_person: z.boolean(),
  }),
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A', order: '5518703429163' },
  async answer({ ctx, services }, given) {
    const outside = [...services.payments.providers.values()]
    const match = await previewConfirmed(ctx, outside, given.id, given.order)
    return {
      version: match.version,
      currency: match.currency,
      asked_minor: match.askedMinor.toString(),
      amount_minor: match.unmatched.amount.minor.toString(),
      brought_minor: match.broughtMinor.toString(),
      missing_minor: match.missingMinor.toString(),
      surplus_minor: match.surplusMinor.toString(),
      was: match.order.ended ?? ('open' as const),
      lacking: [...match.lacking],
      is_ours: match.isOurs,
      needs_second_person: match.weighed.needsAnother,
    }
  },
})

const moneyUnmatchedMatch = operatorCall({
  path: 'console/money/unmatched/match',
  summary:
    'Take unmatched money for an order of its currency: it is paid by it, or waits for the rest',
  description:
    'An order that was over is opened again where its goods can all be had, at the prices of then. What is too much goes `to`. Each payment once; above the limits it waits for a second person.',
  body: z.strictObject({
    id: publicId,
    order: orderNumber,
    version,
    to: z.enum(['original', 'store_credit']).default('original'),
  }),
  data: waits,
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A', order: '5518703429163', version: '1204' },
  answer: async ({ ctx, services }, { id, order, version: seen, to }) => ({
    waits_for_approval: await matchConfirmed(ctx, [...services.payments.providers.values()], {
      id,
      orderNumber: order,
      version: seen,
      surplusTo: to,
    }),
  }),
})

const moneyUnmatchedClose = operatorCall({
  path: 'console/money/unmatched/close',
  summary: 'Say what was done about unmatched money elsewhere',
  body: z.strictObject({ id: publicId, note }),
  data: waits,
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A', note: 'Given back in the dashboard.' },
  answer: async ({ ctx }, given) => ({
    waits_for_approval: await closeUnmatched(ctx, given.id, given.note),
  }),
})

const moneyDifferences = operatorCall({
  path: 'console/money/differences',
  summary: 'What providers and the books say differently of a payment, longest known first',
  body: z.object({}),
  data: z.array(
    z.object({
      id: publicId,
      kind: z.enum(['refunded_elsewhere', 'captured_less', 'not_comparable']),
      order: z.string(),
      provider: z.string(),
      reference: z.string().nullable(),
      currency: z.string(),
      told_minor: z.string(),
      known_minor: z.string(),
      found: moment,
    }),
  ),
  example: {},
  async answer({ ctx }) {
    const differences = await listDifferences(ctx.db, LISTED)
    return differences.map((each) => ({
      id: each.publicId,
      kind: each.kind,
      order: each.orderNumber,
      provider: each.provider,
      reference: each.reference,
      currency: each.currency,
      told_minor: each.toldMinor.toString(),
      known_minor: each.knownMinor.toString(),
      found: each.foundAt.toISOString(),
    }))
  },
})

const moneyDifferencesBook = operatorCall({
  path: 'console/money/differences/book',
  summary: 'Book what was given back at the provider as money taken back',
  description:
    '`told_minor` is what was shown: where the provider tells another sum by now, nothing is booked.',
  body: z.strictObject({ id: publicId, told_minor: z.string().regex(/^\d{1,30}$/) }),
  data: waits,
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A', told_minor: '1949' },
  answer: async ({ ctx }, { id, told_minor }) => ({
    waits_for_approval: await bookDifference(ctx, id, BigInt(told_minor)),
  }),
})

const moneyDifferencesClose = operatorCall({
  path: 'console/money/differences/close',
  summary: 'Say what was done about a difference',
  body: z.strictObject({ id: publicId, note }),
  data: waits,
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A', note: 'A fee of the card network.' },
  answer: async ({ ctx }, given) => ({
    waits_for_approval: await closeDifference(ctx, given.id, given.note),
  }),
})

const moneyCompare = operatorCall({
  path: 'console/money/compare',
  summary: 'Have the worker compare the books with a provider now',
  body: z.strictObject({ provider: providerCode }),
  data: nothing,
  example: { provider: 'stripe' },
  async answer({ ctx }, { provider }) {
    await compareProvider(ctx, provider)
    return {}
  },
})

export const MONEY_CALLS = [
  moneyProviders,
  moneyUnmatched,
  moneyUnmatchedReturn,
  moneyUnmatchedEffect,
  moneyUnmatchedMatch,
  moneyUnmatchedClose,
  moneyDifferences,
  moneyDifferencesBook,
  moneyDifferencesClose,
  moneyCompare,
] as const
