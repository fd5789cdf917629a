import { z } from 'zod'
import { cancelUnpaid } from '#features/buying/payment/flows.ts'
import { NOTE_MAX } from '#features/buying/order/commands.ts'
import {
  acceptMoneyAtDesk,
  decideDoubtAtDesk,
  leadUnitAtDesk,
  noteAtDesk,
  readEffect,
  refundAtDesk,
  refuseAtDesk,
  releaseAtDesk,
  repeatRefundAtDesk,
  replaceAtDesk,
  requeueAtDesk,
  returnMoneyAtDesk,
  sendMailAtDesk,
} from '#features/office/desk/commands.ts'
import { cancelAtDesk } from '#features/office/desk/flows.ts'
import { ORDER_ACTS } from '#features/office/desk/rules.ts'
import { MAIL_KINDS } from '#features/people/mail/rules.ts'
import type { Weighed } from '#features/team/approval/commands.ts'
import type { Money } from '#kernel/money.ts'
import { operatorCall } from '../call.ts'
import { moneyTexts } from '../money-texts.ts'
import { permission, publicId } from './shapes.ts'

const REASON_MAX = 500
const PROOF_MAX = 200

const orderNumber = z
  .string()
  .regex(/^\d{13}$/)
  .meta({ examples: ['4821730951266'] })
const version = z
  .string()
  .regex(/^\d{1,19}$/)
  .meta({ examples: ['1204'] })
/** A name that the caller gives an act: sent again with it, nothing is done twice. */
export const actKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,100}$/)
  .meta({ examples: ['0198c0de-5a1e-7000-8000-5d0c6a0f2b11'] })
const reasonWord = z
  .string()
  .max(60)
  .regex(/^[a-z]+(?:_[a-z]+)*$/)
  .meta({ examples: ['goodwill'] })
const destination = z.enum(['original', 'store_credit'])
const ofOrder = { order: orderNumber, version, key: actKey }
const line = z.string().trim().min(1)
const text = (max: number) => line.max(max)
const units = z.array(publicId).min(1).max(1_000)
const waits = z
  .string()
  .nullable()
  .meta({ examples: [null] })
export const answered = z.object({ waits })

const ACT = {
  order: '4821730951266',
  version: '1204',
  key: '0198c0de-5a1e-7000-8000-5d0c6a0f2b11',
}
const SAME =
  'One act a `key`: sent again, it is told what came of it. `version` is what the order was read at; where something has happened to it since, nothing is done and 2418 is answered. `waits` names what waits for a second person.'
export const UNIT = 'Zt3qN0f5Qy2mB7sJ1kVx9A'

/** What an act is to the limits, in the shop's currency, as numbers and as the operator's language writes them. */
function limitsOf(
  { currency, counted, roleLimit, shopLimit, totals }: Weighed,
  money: (money: Money) => string,
) {
  const text = (minor: bigint) => money({ minor, currency })
  const limit = (minor: bigint | null) => (minor === null ? null : text(minor))
  return {
    currency,
    to_same_minor: counted.toSame.toString(),
    to_all_minor: counted.toAll.toString(),
    role_limit_minor: roleLimit?.toString() ?? null,
    shop_limit_minor: shopLimit.toString(),
    given_minor: counted.given.toString(),
    given_limit_minor: totals.day?.toString() ?? null,
    for_order_minor: counted.forOrder.toString(),
    for_order_limit_minor: totals.order?.toString() ?? null,
    to_same_text: text(counted.toSame),
    role_limit_text: limit(roleLimit),
    shop_limit_text: text(shopLimit),
    given_text: text(counted.given),
    given_limit_text: limit(totals.day),
    for_order_text: text(counted.forOrder),
    for_order_limit_text: limit(totals.order),
  }
}

const ordersPreview = operatorCall({
  path: 'console/orders/preview',
  summary: 'What an act on an order would do, before it is done',
  description:
    'Nothing is changed. `units` are public ids with commas between them; left out, all that are left.',
  body: z.object({
    order: orderNumber,
    act: z.enum(ORDER_ACTS),
    units: z.string().max(23_000).optional(),
    to: destination.default('original'),
  }),
  data: z.object({
    version,
    amount_minor: z.string().nullable(),
    currency: z.string().nullable(),
    /** In the operator's language. */
    amount_text: z.string().nullable(),
    fee_text: z.string().nullable(),
    fee_minor: z.string(),
    to: z.enum(['original', 'store_credit', 'nowhere', 'supplier']),
    provider: z.string().nullable(),
    units: z.array(publicId),
    codes: z.object({ delivered: z.number(), seen: z.number() }),
    /** In the shop's currency: what this operator has given, and what the role and the shop allow; null for no limit. */
    limits: z
      .object({
        permission,
        currency: z.string(),
        to_same_minor: z.string(),
        to_all_minor: z.string(),
        role_limit_minor: z.string().nullable(),
        shop_limit_minor: z.string(),
        /** By whatever means: to everybody within a day, and for this order. */
        given_minor: z.string(),
        given_limit_minor: z.string().nullable(),
        for_order_minor: z.string(),
        for_order_limit_minor: z.string().nullable(),
        to_same_text: z.string(),
        role_limit_text: z.string().nullable(),
        shop_limit_text: z.string(),
        given_text: z.string(),
        given_limit_text: z.string().nullable(),
        for_order_text: z.string(),
        for_order_limit_text: z.string().nullable(),
      })
      .nullable(),
    needs_second_person: z.boolean(),
    /** Of accepting money: what came, what is asked, what the shop bears itself, and what goes back. */
    accepted: z
      .object({
        kept_minor: z.string(),
        needed_minor: z.string(),
        shortfall_minor: z.string(),
        surplus_minor: z.string(),
        kept_text: z.string(),
        /** The payments that would pay for it: one, or several that are too little alone. */
        parts: z.array(z.object({ provider: z.string(), amount_text: z.string() })),
        needed_text: z.string(),
        shortfall_text: z.string().nullable(),
        surplus_text: z.string().nullable(),
        was: z.enum(['open', 'cancelled', 'expired']),
        lacking: z.array(z.string()),
      })
      .nullable(),
  }),
  example: { order: ACT.order, act: 'refund' },
  async answer({ ctx, language }, given) {
    const named = given.units?.split(',').filter((id) => id !== '') ?? null
    const effect = await readEffect(ctx, {
      order: given.order,
      act: given.act,
      units: named,
      destination: given.to,
    })
    const money = await moneyTexts(ctx.db, language)
    return {
      version: effect.version,
      amount_minor: effect.money?.minor.toString() ?? null,
      currency: effect.money?.currency ?? null,
      amount_text: effect.money && money(effect.money),
      fee_text:
        effect.money && effect.feeMinor > 0n
          ? money({ ...effect.money, minor: effect.feeMinor })
          : null,
      fee_minor: effect.feeMinor.toString(),
      to: effect.to,
      provider: effect.provider,
      units: [...effect.units],
      codes: effect.codes,
      limits: effect.limits && {
        permission: effect.limits.permission,
        ...limitsOf(effect.limits.counted, money),
      },
      needs_second_person: effect.needsAnother,
      accepted: effect.accepted && acceptedTexts(effect.accepted, money),
    }
  },
})

type AcceptedMoney = NonNullable<Awaited<ReturnType<typeof readEffect>>['accepted']>

function acceptedTexts(accepted: AcceptedMoney, money: (amount: Money) => string) {
  const { currency, keptMinor, neededMinor, shortfallMinor, surplusMinor } = accepted
  const text = (minor: bigint) => money({ minor, currency })
  return {
    kept_minor: keptMinor.toString(),
    needed_minor: neededMinor.toString(),
    shortfall_minor: shortfallMinor.toString(),
    surplus_minor: surplusMinor.toString(),
    kept_text: text(keptMinor),
    parts: accepted.parts.map(({ provider, minor }) => ({ provider, amount_text: text(minor) })),
    needed_text: text(neededMinor),
    shortfall_text: shortfallMinor > 0n ? text(shortfallMinor) : null,
    surplus_text: surplusMinor > 0n ? text(surplusMinor) : null,
    was: accepted.was,
    lacking: [...accepted.lacking],
  }
}

const ordersRefund = operatorCall({
  path: 'console/orders/refund',
  summary: 'Give an order, or units of it, back',
  description: SAME,
  body: z.strictObject({
    ...ofOrder,
    units: units.nullable().default(null),
    to: destination,
    reason: reasonWord,
  }),
  data: z.object({ refund: publicId, waits }),
  example: { ...ACT, units: [UNIT], to: 'original', reason: 'goodwill' },
  answer: ({ ctx }, { to, ...given }) => refundAtDesk(ctx, { ...given, destination: to }),
})

const ordersRepeatRefund = operatorCall({
  path: 'console/orders/repeat_refund',
  summary: 'Hand a refund out anew that its payment service has refused',
  description: SAME,
  body: z.strictObject({ ...ofOrder, refund: publicId, to: destination }),
  data: z.object({ refund: publicId, waits }),
  example: { ...ACT, refund: UNIT, to: 'store_credit' },
  answer: ({ ctx }, { to, ...given }) => repeatRefundAtDesk(ctx, { ...given, destination: to }),
})

const ordersReturnMoney = operatorCall({
  path: 'console/orders/return_money',
  summary: 'Send back money that did not pay for its order, or give it as store credit',
  description: SAME,
  body: z.strictObject({ ...ofOrder, to: destination.default('original') }),
  data: answered,
  example: ACT,
  answer: ({ ctx }, { to, ...given }) => returnMoneyAtDesk(ctx, { ...given, destination: to }),
})

const ordersAcceptMoney = operatorCall({
  path: 'console/orders/accept_money',
  summary: 'Take what came too late, or too little, as the payment of its order',
  description: `${SAME} Goods are reserved at the prices of then, all or none. What lacks is the shop’s own cost and counts as given; what is too much goes \`to\`.`,
  body: z.strictObject({ ...ofOrder, to: destination.default('original') }),
  data: answered,
  example: { ...ACT, to: 'original' },
  answer: ({ ctx }, { to, ...given }) => acceptMoneyAtDesk(ctx, { ...given, surplusTo: to }),
})

const ordersCancel = operatorCall({
  path: 'console/orders/cancel',
  summary: 'Cancel an order that is not paid',
  description: `${SAME} An open payment is ended at its service first; what came of its price goes back, and counts.`,
  body: z.strictObject(ofOrder),
  data: answered,
  example: ACT,
  answer: ({ ctx, services }, given) =>
    cancelAtDesk(ctx, given, (account, order) =>
      cancelUnpaid(ctx, services.payments, account, order, 'left'),
    ),
})

const ordersRelease = operatorCall({
  path: 'console/orders/release',
  summary: 'Let an order go on that was held for a closer look',
  description: SAME,
  body: z.strictObject({ ...ofOrder, note: z.string().trim().max(REASON_MAX).default('') }),
  data: answered,
  example: { ...ACT, note: 'Spoke to them on the phone.' },
  answer: ({ ctx }, given) => releaseAtDesk(ctx, given),
})

const ordersRefuse = operatorCall({
  path: 'console/orders/refuse',
  summary: 'Refuse a held order: what of it is not delivered goes back',
  description: SAME,
  body: z.strictObject({ ...ofOrder, note: text(REASON_MAX) }),
  data: answered,
  example: { ...ACT, note: 'The card is not theirs.' },
  answer: ({ ctx }, given) => refuseAtDesk(ctx, given),
})

const ordersReplaceKey = operatorCall({
  path: 'console/orders/replace_key',
  summary: 'Give another code for a faulty one',
  description: `${SAME} The faulty one is void from then on. It counts as what the unit costs.`,
  body: z.strictObject({ ...ofOrder, unit: publicId, reason: text(REASON_MAX) }),
  data: answered,
  example: { ...ACT, unit: UNIT, reason: 'Already redeemed, as the publisher says.' },
  answer: ({ ctx }, given) => replaceAtDesk(ctx, given),
})

const ordersRequeue = operatorCall({
  path: 'console/orders/requeue',
  summary: 'Have what waits for a supplier or for stock tried now',
  description: SAME,
  body: z.strictObject(ofOrder),
  data: z.object({ units: z.number() }),
  example: ACT,
  answer: ({ ctx }, given) => requeueAtDesk(ctx, given),
})

const ordersLeadUnit = operatorCall({
  path: 'console/orders/lead_unit',
  summary: 'Have a unit that waits for a supplier delivered by hand, or bought at its price there',
  description: `${SAME} To a supplier it takes \`seen_cost\`, as the preview of \`supplier\` tells it: where more is asked by now, nothing is done and 2418 is answered, and nothing that costs more is bought.`,
  body: z.strictObject({
    ...ofOrder,
    unit: publicId,
    to: z.enum(['hand', 'supplier']),
    seen_cost: z
      .strictObject({
        minor: z.string().regex(/^\d{1,15}$/),
        currency: z.string().regex(/^[A-Z]{3}$/),
      })
      .nullable()
      .default(null),
  }),
  data: answered,
  example: { ...ACT, unit: UNIT, to: 'supplier', seen_cost: { minor: '1200', currency: 'USD' } },
  answer: ({ ctx }, { seen_cost: seen, ...given }) =>
    leadUnitAtDesk(ctx, { ...given, seenCost: seen && { ...seen, minor: BigInt(seen.minor) } }),
})

const ordersDecideDoubt = operatorCall({
  path: 'console/orders/decide_doubt',
  summary: 'Say what became of a unit in doubt',
  description: `${SAME} Where it was not delivered, another way is tried, and its price goes back in the end.`,
  body: z.strictObject({
    ...ofOrder,
    unit: publicId,
    outcome: z.enum(['delivered', 'failed']),
    proof: text(PROOF_MAX),
  }),
  data: answered,
  example: { ...ACT, unit: UNIT, outcome: 'failed', proof: 'Their report of today lacks it.' },
  answer: ({ ctx }, given) => decideDoubtAtDesk(ctx, given),
})

const ordersSendMail = operatorCall({
  path: 'console/orders/send_mail',
  summary: 'Send a mail about an order once more',
  description: 'The newest of its kind, to the address its shopper has by now.',
  body: z.strictObject({ order: orderNumber, key: actKey, kind: z.enum(MAIL_KINDS) }),
  data: answered,
  example: { order: ACT.order, key: ACT.key, kind: 'order_delivered' },
  answer: ({ ctx }, given) => sendMailAtDesk(ctx, given),
})

const ordersNote = operatorCall({
  path: 'console/orders/note',
  summary: 'Note something about an order for colleagues',
  body: z.strictObject({ order: orderNumber, key: actKey, text: text(NOTE_MAX) }),
  data: z.object({ note: publicId }),
  example: { order: ACT.order, key: ACT.key, text: 'Asked the publisher on Monday.' },
  answer: ({ ctx }, given) => noteAtDesk(ctx, given),
})

export const ORDER_ACTS_CALLS = [
  ordersPreview,
  ordersRefund,
  ordersRepeatRefund,
  ordersReturnMoney,
  ordersAcceptMoney,
  ordersCancel,
  ordersRelease,
  ordersRefuse,
  ordersReplaceKey,
  ordersRequeue,
  ordersLeadUnit,
  ordersDecideDoubt,
  ordersSendMail,
  ordersNote,
] as const
