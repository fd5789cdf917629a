import { z } from 'zod'
import { readOwnLimits } from '#features/team/approval/queries.ts'
import { LIMITED_PERMISSIONS, TOTAL_LIMITS } from '#features/team/operator/rules.ts'
import { operatorCall } from '../call.ts'

const used = {
  /** In the last 24 hours, by all tokens together; for an order, by now. */
  used_minor: z.string(),
  /** Null for no limit. */
  limit_minor: z.string().nullable(),
}

const limits = operatorCall({
  path: 'console/limits',
  summary: 'What the caller may give, and how much of it is used up',
  description:
    'In minor units of the shop’s currency. `totals` count refunds, credit, other keys, deliveries by hand and money sent back together: `day` to everybody in the last 24 hours, `order` for the order most was given for. `permissions` are used by everybody together, and their limit is for one shopper.',
  body: z.object({}),
  data: z.object({
    currency: z.string(),
    totals: z.array(z.object({ total: z.enum(TOTAL_LIMITS), ...used })),
    permissions: z.array(z.object({ permission: z.enum(LIMITED_PERMISSIONS), ...used })),
  }),
  example: {},
  async answer({ ctx }) {
    const { currency, totals, permissions } = await readOwnLimits(ctx.db, ctx, ctx.now())
    const text = (minor: bigint | null) => minor?.toString() ?? null
    return {
      currency: currency.code,
      totals: totals.map(({ total, used: given, limit }) => ({
        total,
        used_minor: given.toString(),
        limit_minor: text(limit),
      })),
      permissions: permissions.map(({ permission, used: given, limit }) => ({
        permission,
        used_minor: given.toString(),
        limit_minor: text(limit),
      })),
    }
  },
})

export const LIMIT_CALLS = [limits] as const
