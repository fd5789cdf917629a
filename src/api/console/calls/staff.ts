import { z } from 'zod'
import {
  askFactorReset,
  deleteRole,
  reportLostFactor,
  saveRole,
  stopFactorReset,
} from '#features/office/staff/commands.ts'
import { listResets } from '#features/team/operator/queries.ts'
import {
  LIMITED_PERMISSIONS,
  PERMISSIONS,
  TOTAL_LIMITS,
  USUAL_PRICE_LIMIT,
  type LimitedPermission,
} from '#features/team/operator/rules.ts'
import { fieldError } from '#kernel/error.ts'
import { openCall, operatorCall } from '../call.ts'
import { moment, nothing, operatorName, permission, publicId, ticket } from './shapes.ts'

/** Public id of the approval that it waits for; null where it is done. */
export const waiting = z.object({ waits: publicId.nullable() })

const roleCode = z.string().max(40)
/** Minor units of the shop's currency; null for no limit. */
const minor = z
  .string()
  .regex(/^\d{1,15}$/)
  .nullable()
const limit = z
  .object({
    /** For one shopper within a day. */
    permission: z.enum(LIMITED_PERMISSIONS),
    minor,
  })
  .meta({ examples: [{ permission: 'order.refund', minor: '5000' }] })
/** By whatever means: within a day, or for one order. */
const total = z
  .object({ total: z.enum(TOTAL_LIMITS), minor })
  .meta({ examples: [{ total: 'day', minor: '50000' }] })

const signInLost = openCall({
  path: 'console/sign_in_lost',
  summary: 'Say that every second factor is lost',
  description:
    'With the ticket that the password earned. Whoever manages the team is told; somebody else asks for the reset.',
  body: z.strictObject({ ticket }),
  data: nothing,
  example: { ticket: 'x'.repeat(43) },
  async answer({ ctx }, { ticket: given }) {
    await reportLostFactor(ctx, given)
    return {}
  },
})

const teamRoleSave = operatorCall({
  path: 'console/team/roles/save',
  summary: 'Make a role of the shop’s own, or change one',
  description:
    'Owners only; it waits wherever somebody else could approve it. A limited permission without a limit allows nothing; a total that is left out follows from those. `currency` is the shop’s, as it was read. `version` is that of the role as it was read, 0 for a new one.',
  body: z.strictObject({
    code: roleCode.nullable(),
    name: z
      .string()
      .trim()
      .min(1)
      .max(60)
      .regex(/^[^\p{Cc}\p{Cs}]*$/u),
    permissions: z.array(permission).min(1).max(PERMISSIONS.length),
    limits: z.array(limit).max(LIMITED_PERMISSIONS.length),
    totals: z.array(total).max(TOTAL_LIMITS.length).default([]),
    /** Hundredths of a percent by which one person may lower or raise a price within a week; null for no limit, left out for the usual one. */
    price_limit: z.int().min(0).max(100_000).nullable().default(USUAL_PRICE_LIMIT),
    currency: z.string().length(3),
    version: z.int().min(0),
  }),
  data: z.object({ code: z.string(), waits: publicId.nullable() }),
  example: {
    code: null,
    name: 'Night shift',
    permissions: ['order.read', 'order.refund'],
    limits: [{ permission: 'order.refund', minor: '5000' }],
    totals: [{ total: 'day', minor: '50000' }],
    price_limit: 1_000,
    currency: 'EUR',
    version: 0,
  },
  async answer({ ctx }, given) {
    if ((given.code === null) !== (given.version === 0)) throw fieldError('version', 'not_allowed')
    const limits: Partial<Record<LimitedPermission, bigint | null>> = {}
    for (const one of given.limits) {
      if (!given.permissions.includes(one.permission)) throw fieldError('limits', 'not_allowed')
      limits[one.permission] = one.minor === null ? null : BigInt(one.minor)
    }
    const totals = Object.fromEntries(
      given.totals.map((one) => [one.total, one.minor === null ? null : BigInt(one.minor)]),
    )
    const permissions = PERMISSIONS.filter((one) => given.permissions.includes(one))
    const { code, name, version, currency, price_limit: priceLimit } = given
    return saveRole(ctx, {
      code,
      name,
      version,
      permissions,
      limits,
      totals,
      priceLimit,
      currency,
    })
  },
})

const teamRoleDelete = operatorCall({
  path: 'console/team/roles/delete',
  summary: 'Take away a role that nobody has',
  body: z.strictObject({ code: roleCode, version: z.int().min(1) }),
  data: nothing,
  example: { code: 'own-1f2e3d4c5b6a', version: 1 },
  async answer({ ctx }, given) {
    await deleteRole(ctx, given)
    return {}
  },
})

const teamResets = operatorCall({
  path: 'console/team/resets',
  summary: 'Whose factors are lost, and what becomes of it',
  body: z.object({}),
  data: z.array(
    z.object({
      operator: operatorName,
      /** `reported`: said at the sign-in. `asked`: waits for a third person. `delayed`: done when it is `due`. */
      state: z.enum(['reported', 'asked', 'delayed']),
      began: moment,
      asked_by: z.string().nullable(),
      due: moment.nullable(),
    }),
  ),
  example: {},
  async answer({ ctx }) {
    const listed = await listResets(ctx.db)
    return listed.map(({ operator, state, createdAt, askedBy, dueAt }) => ({
      operator,
      state,
      began: createdAt.toISOString(),
      asked_by: askedBy,
      due: dueAt?.toISOString() ?? null,
    }))
  },
})

const teamReset = operatorCall({
  path: 'console/team/resets/ask',
  summary: 'Ask that somebody’s lost factors be taken away',
  description:
    'A third person approves it. Where there is none it is done after 24 hours; everybody is told, and any owner may stop it. Then their sessions have ended, and their next sign-in makes another factor.',
  body: z.strictObject({ name: operatorName }),
  data: waiting,
  example: { name: 'tomas' },
  answer: async ({ ctx }, { name }) => ({ waits: await askFactorReset(ctx, name) }),
})

const teamResetStop = operatorCall({
  path: 'console/team/resets/stop',
  summary: 'Stop a reset that is under way: yours, or with staff.manage anybody’s',
  body: z.strictObject({ name: operatorName }),
  data: nothing,
  example: { name: 'tomas' },
  async answer({ ctx }, { name }) {
    await stopFactorReset(ctx, name)
    return {}
  },
})

export const STAFF_CALLS = [
  signInLost,
  teamRoleSave,
  teamRoleDelete,
  teamResets,
  teamReset,
  teamResetStop,
] as const
