import { z } from 'zod'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { listStops } from '#features/goods/sale-stop/queries.ts'
import { methodName } from '#features/goods/pay-method/views.ts'
import { changeMethod, checkTerms, orderMethods } from '#features/office/payment-method/commands.ts'
import { listMethods } from '#features/office/payment-method/queries.ts'
import {
  examplesOf,
  isAnyLeft,
  methodTerms,
} from '#features/office/payment-method/engine/methods.ts'
import { hasAnotherApprover } from '#features/team/approval/queries.ts'
import { AppError } from '#kernel/error.ts'
import { operatorCall } from '../call.ts'
import { waits } from './money.ts'

const code = z.string().regex(/^[a-z0-9-]{1,40}$/)
const VERSION = 'Zt3qN0f5Qy2mB7sJ1kVx9A'
const version = z
  .string()
  .regex(/^[A-Za-z0-9_-]{22}$/)
  .meta({ examples: [VERSION] })
const TERMS = {
  enabled: true,
  fee: { minor: 30, currency: 'USD', basis_points: 290 },
  limits: { min_minor: 100, max_minor: 200_000, currency: 'USD' },
  currencies: null,
  countries: ['DE', 'AT'],
}
const termsShape = methodTerms.meta({ examples: [TERMS] })
const cents = z.string().nullable()

const moneyMethods = operatorCall({
  path: 'console/money/methods',
  summary: 'Every way to pay with its terms, in the shop’s order; those switched off as well',
  body: z.object({}),
  data: z.object({
    /** Of their order. */
    version,
    methods: z.array(
      z.object({
        code: z.string(),
        name: z.string(),
        provider: z.string(),
        group: z.string(),
        /** Its provider is set up. */
        is_set_up: z.boolean(),
        is_stopped: z.boolean(),
        terms: termsShape,
        version,
      }),
    ),
  }),
  example: {},
  async answer({ ctx, t, services }) {
    const [listed, stops] = await Promise.all([listMethods(ctx.db), listStops(ctx.db)])
    return {
      version: listed.version,
      methods: listed.methods.map(({ method, terms, version: of }) => ({
        code: method.code,
        name: methodName([method], method.code, t),
        provider: method.provider,
        group: method.group,
        is_set_up: services.payments.providers.has(method.provider),
        is_stopped: stops.some(
          ({ kind, code: stopped }) => kind === 'method' && stopped === method.code,
        ),
        terms,
        version: of,
      })),
    }
  },
})

const moneyMethodsPreview = operatorCall({
  path: 'console/money/methods/preview',
  summary: 'What other terms of a way to pay would mean for payers, before they hold',
  body: z.strictObject({ code, terms: termsShape }),
  data: z.object({
    before: termsShape,
    after: termsShape,
    version,
    /** In US cents; null where goods of that price cannot be paid by it. */
    examples: z.array(z.object({ goods_minor: z.string(), before: cents, after: cents })),
    /** Nothing could be paid for any more. */
    leaves_none: z.boolean(),
    needs_second_person: z.boolean(),
  }),
  example: { code: 'card', terms: TERMS },
  async answer({ ctx, services }, { code: of, terms }) {
    await checkTerms(ctx.db, terms)
    const { methods } = await listMethods(ctx.db)
    const known = methods.find(({ method }) => method.code === of)
    if (!known) throw new AppError('not_found')
    const currencies = new Map((await listCurrencies(ctx.db)).map((each) => [each.code, each]))
    const examples = examplesOf(known, terms, currencies)
    const isLast = !isAnyLeft(methods, of, services.payments.providers)
    return {
      before: known.terms,
      after: terms,
      version: known.version,
      examples: examples.map(({ goodsMinor, before, after }) => ({
        goods_minor: goodsMinor.toString(),
        before: before?.toString() ?? null,
        after: after?.toString() ?? null,
      })),
      leaves_none: !terms.enabled && isLast,
      needs_second_person: await hasAnotherApprover(
        ctx.db,
        ctx.now(),
        [ctx.operator.name],
        'payment.settings',
      ),
    }
  },
})

const HOLDS =
  'It waits wherever somebody else could approve it; once it holds, the cashier follows within five seconds.'

const moneyMethodsChange = operatorCall({
  path: 'console/money/methods/change',
  summary: 'Change what a way to pay costs and where it is offered, or switch it on or off',
  description: `${HOLDS} \`version\` is that of its terms as they were read.`,
  body: z.strictObject({ code, terms: termsShape, version }),
  data: waits,
  example: { code: 'card', terms: TERMS, version: VERSION },
  answer: async ({ ctx }, given) => ({ waits_for_approval: await changeMethod(ctx, given) }),
})

const moneyMethodsOrder = operatorCall({
  path: 'console/money/methods/order',
  summary: 'Put the ways to pay in another order, each group of the cashier by itself',
  description: `${HOLDS} Every method is named once.`,
  body: z.strictObject({ codes: z.array(code).min(1).max(100), version }),
  data: waits,
  example: { codes: ['card', 'wallet'], version: VERSION },
  answer: async ({ ctx }, given) => ({ waits_for_approval: await orderMethods(ctx, given) }),
})

export const MONEY_METHODS_CALLS = [
  moneyMethods,
  moneyMethodsPreview,
  moneyMethodsChange,
  moneyMethodsOrder,
] as const
