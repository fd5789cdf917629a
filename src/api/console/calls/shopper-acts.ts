import { z } from 'zod'
import { cancelByOperator, exportByOperator } from '#features/leaving/closure/commands.ts'
import {
  addShopperNote,
  endShopperSessions,
  freezeShopper,
  giveCredit,
  previewCredit,
  releaseShopper,
  removeShopperNote,
  resendMail,
} from '#features/office/shopper/commands.ts'
import { REASON_MAX, SHOPPER_NOTE_MAX } from '#features/office/shopper/rules.ts'
import { changeLevel } from '#features/people/account/commands.ts'
import { operatorCall } from '../call.ts'
import { actKey, answered } from './order-acts.ts'
import { moment, nothing, publicId } from './shapes.ts'

const SHOPPER = 'Zt3qN0f5Qy2mB7sJ1kVx9A'
const line = z.string().trim().min(1)
const reason = line.max(REASON_MAX)
const level = z.int().min(0).max(32_767)
const amount = z.strictObject({
  minor: z.string().regex(/^[1-9]\d{0,14}$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
})
const moneyOf = ({ minor, currency }: z.output<typeof amount>) => ({
  minor: BigInt(minor),
  currency,
})

const shoppersNote = operatorCall({
  path: 'console/shoppers/note',
  summary: 'Note for colleagues what they are to know of a shopper',
  description: 'It is part of what a shopper is given who asks for everything about them.',
  body: z.strictObject({ shopper: publicId, text: line.max(SHOPPER_NOTE_MAX) }),
  data: z.object({ id: publicId }),
  example: { shopper: SHOPPER, text: 'Writes in German, prefers e-mail.' },
  answer: async ({ ctx }, given) => ({ id: await addShopperNote(ctx, given) }),
})

const shoppersRemoveNote = operatorCall({
  path: 'console/shoppers/remove_note',
  summary: 'Take a note away',
  body: z.strictObject({ id: publicId }),
  data: nothing,
  example: { id: SHOPPER },
  async answer({ ctx }, { id }) {
    await removeShopperNote(ctx, id)
    return {}
  },
})

const shoppersLevel = operatorCall({
  path: 'console/shoppers/level',
  summary: 'Put a shopper on another customer level',
  description: '`from` is the level that was seen: where it is another by now, nothing is done.',
  body: z.strictObject({ shopper: publicId, from: level, to: level }),
  data: nothing,
  example: { shopper: SHOPPER, from: 0, to: 2 },
  async answer({ ctx }, given) {
    await changeLevel(ctx, given)
    return {}
  },
})

const shoppersCreditPreview = operatorCall({
  path: 'console/shoppers/credit_preview',
  summary: 'What giving store credit would do, before it is done',
  body: z.strictObject({ shopper: publicId, amount }),
  data: z.object({
    before_minor: z.string(),
    after_minor: z.string(),
    /** Of what is given: what pays back what they owe. */
    pays_back_minor: z.string(),
    /** What limits are amounts of: the shop's. */
    limit_currency: z.string(),
    role_limit_minor: z.string().nullable(),
    shop_limit_minor: z.string(),
    needs_second_person: z.boolean(),
  }),
  example: { shopper: SHOPPER, amount: { minor: '1500', currency: 'EUR' } },
  async answer({ ctx }, given) {
    const effect = await previewCredit(ctx, {
      shopper: given.shopper,
      money: moneyOf(given.amount),
    })
    const { weighed } = effect
    return {
      before_minor: effect.beforeMinor.toString(),
      after_minor: effect.afterMinor.toString(),
      pays_back_minor: effect.owedMinor.toString(),
      limit_currency: weighed.currency,
      role_limit_minor: weighed.roleLimit?.toString() ?? null,
      shop_limit_minor: weighed.shopLimit.toString(),
      needs_second_person: weighed.needsAnother,
    }
  },
})

const shoppersCredit = operatorCall({
  path: 'console/shoppers/credit',
  summary: 'Give a shopper store credit',
  description:
    'One act a `key`: sent again, it is told what came of it. `waits` names what waits for a second person.',
  body: z.strictObject({ shopper: publicId, amount, reason, key: actKey }),
  data: answered,
  example: {
    shopper: SHOPPER,
    amount: { minor: '1500', currency: 'EUR' },
    reason: 'Waited a day for Diamonds.',
    key: '0198c0de-5a1e-7000-8000-5d0c6a0f2b11',
  },
  answer: async ({ ctx }, { amount: given, ...rest }) => ({
    waits: await giveCredit(ctx, { ...rest, money: moneyOf(given) }),
  }),
})

const shoppersEndSessions = operatorCall({
  path: 'console/shoppers/end_sessions',
  summary: 'Sign a shopper out: of one browser, or everywhere',
  body: z.strictObject({ shopper: publicId, session: publicId.optional() }),
  data: z.object({ ended: z.number() }),
  example: { shopper: SHOPPER },
  answer: async ({ ctx }, { shopper, session = null }) => ({
    ended: await endShopperSessions(ctx, { shopper, session }),
  }),
})

const shoppersFreeze = operatorCall({
  path: 'console/shoppers/freeze',
  summary: 'Shut an account until it is released',
  description:
    'Signed out everywhere; nobody signs in, and its keys open nothing. What was paid is delivered all the same. The reason becomes a note.',
  body: z.strictObject({ shopper: publicId, reason }),
  data: nothing,
  example: { shopper: SHOPPER, reason: 'Their bank disputes two payments.' },
  async answer({ ctx }, given) {
    await freezeShopper(ctx, given)
    return {}
  },
})

const shoppersRelease = operatorCall({
  path: 'console/shoppers/release',
  summary: 'Open a frozen account again',
  body: z.strictObject({ shopper: publicId, reason }),
  data: nothing,
  example: { shopper: SHOPPER, reason: 'The bank took both back.' },
  async answer({ ctx }, given) {
    await releaseShopper(ctx, given)
    return {}
  },
})

const shoppersSendMail = operatorCall({
  path: 'console/shoppers/send_mail',
  summary: 'Send a mail once more, to the address a shopper has by now',
  description: 'Mails with codes and links are asked for anew by their owner.',
  body: z.strictObject({ shopper: publicId, mail: z.uuid() }),
  data: nothing,
  example: { shopper: SHOPPER, mail: '0198c0de-5a1e-7000-8000-5d0c6a0f2b11' },
  async answer({ ctx }, given) {
    await resendMail(ctx, given)
    return {}
  },
})

const shoppersErase = operatorCall({
  path: 'console/shoppers/erase',
  summary: 'Begin to erase a shopper who asked the shop for it',
  description:
    'As if they had cancelled the account themselves: a mail tells them how to take it back within 30 days. Refused while an order is open.',
  body: z.strictObject({ shopper: publicId, give_up_credit: z.boolean().default(false) }),
  data: z.object({ erased_from: moment }),
  example: { shopper: SHOPPER },
  async answer({ ctx }, { shopper, give_up_credit: givesUpCredit }) {
    const { eraseAt } = await cancelByOperator(ctx, { shopper, givesUpCredit })
    return { erased_from: eraseAt.toISOString() }
  },
})

const shoppersExport = operatorCall({
  path: 'console/shoppers/export',
  summary: 'Everything the shop keeps of a shopper, for one who asked for it',
  description: 'As their own page gives it. Written to the audit trail.',
  body: z.strictObject({ shopper: publicId }),
  data: z.object({
    exported_at: z.string(),
    sections: z
      .record(z.string(), z.array(z.record(z.string(), z.unknown())))
      .meta({ examples: [{}] }),
  }),
  example: { shopper: SHOPPER },
  async answer({ ctx }, { shopper }) {
    const { exported_at, sections } = await exportByOperator(ctx, shopper)
    return {
      exported_at,
      sections: Object.fromEntries(
        Object.entries(sections).map(([name, rows]) => [name, rows.map((row) => ({ ...row }))]),
      ),
    }
  },
})

export const SHOPPER_ACTS_CALLS = [
  shoppersNote,
  shoppersRemoveNote,
  shoppersLevel,
  shoppersCreditPreview,
  shoppersCredit,
  shoppersEndSessions,
  shoppersFreeze,
  shoppersRelease,
  shoppersSendMail,
  shoppersErase,
  shoppersExport,
] as const
