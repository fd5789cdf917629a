import { z } from 'zod'
import { claimUnit, handOverUnit, releaseUnit } from '#features/buying/fulfilment/commands.ts'
import { listHandUnits } from '#features/buying/fulfilment/queries.ts'
import { FAILURES, type HandUnit } from '#features/buying/fulfilment/rules.ts'
import { completeAtDesk, failAtDesk } from '#features/office/desk/commands.ts'
import { operatorCall } from '../call.ts'
import { actKey, answered, UNIT } from './order-acts.ts'
import { moment, nothing, operatorName, publicId } from './shapes.ts'

const PROOF_MAX = 200

const handUnit = z.object({
  unit: publicId,
  order: z.string(),
  status: z.enum(['queued', 'delivering', 'in_doubt', 'failed']),
  product: z.string(),
  item: z.string(),
  place: z.number(),
  quantity: z.number(),
  hold: z.string().nullable(),
  paid: moment,
  claimed_by: z.string().nullable(),
  claimed_until: moment.nullable(),
  is_mine: z.boolean(),
  /** Where it goes; told to whoever has taken it up, and to nobody else. */
  account: z
    .record(z.string(), z.string())
    .nullable()
    .meta({ examples: [null] }),
})

function shown(unit: HandUnit, me: string): z.input<typeof handUnit> {
  const isMine = unit.status === 'delivering' && unit.claimedBy === me
  return {
    unit: unit.unit,
    order: unit.orderNumber,
    status: unit.status,
    product: unit.product,
    item: unit.item,
    place: unit.place,
    quantity: unit.quantity,
    hold: unit.hold,
    paid: unit.paidAt.toISOString(),
    claimed_by: unit.claimedBy,
    claimed_until: unit.claimedUntil?.toISOString() ?? null,
    is_mine: isMine,
    account: isMine ? { ...unit.fields } : null,
  }
}

const byHandList = operatorCall({
  path: 'console/by_hand/list',
  summary: 'What waits to be delivered by hand, longest paid first',
  body: z.object({}),
  data: z.array(handUnit),
  example: {},
  answer: async ({ ctx }) =>
    (await listHandUnits(ctx.db)).map((unit) => shown(unit, ctx.operator.name)),
})

const byHandClaim = operatorCall({
  path: 'console/by_hand/claim',
  summary: 'Take a unit up, or the one that has waited longest, and see where it goes',
  description:
    'For half an hour it is the caller\u2019s alone. Taken again, it is given again. Null where nothing waits.',
  body: z.strictObject({ unit: publicId.nullable().default(null) }),
  data: handUnit.nullable(),
  example: { unit: UNIT },
  async answer({ ctx }, { unit }) {
    const claimed = await claimUnit(ctx, unit)
    return claimed && shown(claimed, ctx.operator.name)
  },
})

const byHandRelease = operatorCall({
  path: 'console/by_hand/release',
  summary: 'Put back a unit nothing was done about',
  body: z.strictObject({ unit: publicId }),
  data: nothing,
  example: { unit: UNIT },
  async answer({ ctx }, { unit }) {
    await releaseUnit(ctx, unit)
    return {}
  },
})

const byHandHandOver = operatorCall({
  path: 'console/by_hand/hand_over',
  summary: 'Hand a unit to a colleague',
  body: z.strictObject({ unit: publicId, to: operatorName }),
  data: nothing,
  example: { unit: UNIT, to: 'tomas' },
  async answer({ ctx }, { unit, to }) {
    await handOverUnit(ctx, unit, to)
    return {}
  },
})

const byHandDone = operatorCall({
  path: 'console/by_hand/done',
  summary: 'Note that a unit was delivered, with what shows it',
  description: 'Its buyer is told once the whole line is. It counts as what the unit costs.',
  body: z.strictObject({
    unit: publicId,
    proof: z.string().trim().min(1).max(PROOF_MAX),
    key: actKey,
  }),
  data: answered,
  example: { unit: UNIT, proof: 'R-20931', key: '0198c0de-5a1e-7000-8000-5d0c6a0f2b11' },
  answer: ({ ctx }, given) => completeAtDesk(ctx, given),
})

const byHandFail = operatorCall({
  path: 'console/by_hand/fail',
  summary: 'Note that a unit cannot be delivered: its price goes back',
  body: z.strictObject({ unit: publicId, reason: z.enum(FAILURES), key: actKey }),
  data: answered,
  example: { unit: UNIT, reason: 'wrong_account', key: '0198c0de-5a1e-7000-8000-5d0c6a0f2b11' },
  answer: ({ ctx }, { unit, reason, key }) => failAtDesk(ctx, { unit, failure: reason, key }),
})

export const BY_HAND_CALLS = [
  byHandList,
  byHandClaim,
  byHandRelease,
  byHandHandOver,
  byHandDone,
  byHandFail,
] as const
