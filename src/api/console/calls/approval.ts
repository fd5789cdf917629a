import { z } from 'zod'
import { approveAct, refuseAct } from '#features/office/approval/commands.ts'
import { confirmMatch } from '#features/buying/unmatched-payment/flows.ts'
import { askWhose } from '#features/office/payment-service/flows.ts'
import { listWaiting } from '#features/team/approval/queries.ts'
import { ACT_KINDS, hasNoAmount, MEASURES } from '#features/team/approval/rules.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { operatorCall } from '../call.ts'
import { followApproval } from '../follow-approval.ts'
import { moment, nothing, permission, publicId } from './shapes.ts'

const LISTED = 200
const REASON_MAX = 500

const approvalsList = operatorCall({
  path: 'console/approvals/list',
  summary: 'What waits for a second person, longest first',
  body: z.object({}),
  data: z.array(
    z.object({
      id: publicId,
      kind: z.enum(ACT_KINDS),
      permission,
      subject: z.string(),
      order: z.string().nullable(),
      /** Null where nothing is moved by it. */
      amount_minor: z.string().nullable(),
      currency: z.string().nullable(),
      details: z.record(z.string(), z.unknown()).meta({ examples: [{}] }),
      asked_by: z.string(),
      asked: moment,
      ends: moment.nullable(),
      is_mine: z.boolean(),
      /** Whether the caller's role allows it at all; the limit and who may be the same person show when it is approved. */
      may_approve: z.boolean(),
    }),
  ),
  example: {},
  async answer({ ctx }) {
    const waiting = await listWaiting(ctx.db, ctx.now(), LISTED)
    return waiting.map((act) => ({
      id: act.publicId,
      kind: act.kind,
      permission: MEASURES[act.kind].permission,
      subject: act.subject,
      order: act.orderNumber,
      amount_minor: hasNoAmount(act.kind) ? null : act.money.minor.toString(),
      currency: hasNoAmount(act.kind) ? null : act.money.currency,
      details: { ...act.details },
      asked_by: act.askedBy,
      asked: act.askedAt.toISOString(),
      ends: act.endsAt?.toISOString() ?? null,
      is_mine: act.askedBy === ctx.actor,
      may_approve: act.askedBy !== ctx.actor && mayDo(ctx.operator, MEASURES[act.kind].permission),
    }))
  },
})

const approvalsApprove = operatorCall({
  path: 'console/approvals/approve',
  summary: 'Approve what somebody else asked for: it is done with it, once',
  body: z.strictObject({ id: publicId }),
  data: nothing,
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  async answer({ ctx, services }, { id }) {
    const confirmed =
      (await askWhose(ctx, services.paymentEnvironment, id)) ??
      (await confirmMatch(ctx, async () => [...services.payments.providers.values()], id))
    await followApproval(ctx, services.payments, await approveAct(ctx, id, confirmed))
    return {}
  },
})

const approvalsRefuse = operatorCall({
  path: 'console/approvals/refuse',
  summary: 'Say no to it, or take your own back',
  body: z.strictObject({ id: publicId, reason: z.string().trim().min(1).max(REASON_MAX) }),
  data: nothing,
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A', reason: 'The key was opened.' },
  async answer({ ctx }, { id, reason }) {
    await refuseAct(ctx, id, reason)
    return {}
  },
})

export const APPROVAL_CALLS = [approvalsList, approvalsApprove, approvalsRefuse] as const
