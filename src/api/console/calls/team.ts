import { z } from 'zod'
import { readShopCurrency } from '#features/base/shop/queries.ts'
import { grantRole } from '#features/office/staff/commands.ts'
import { suspendOperator } from '#features/office/suspension/commands.ts'
import { setOperatorStatus } from '#features/team/operator/commands.ts'
import { listOperators, listRoles } from '#features/team/operator/queries.ts'
import {
  limitOf,
  LIMITED_PERMISSIONS,
  mayDo,
  PERMISSIONS,
  priceLimitOf,
  TOTAL_LIMITS,
  totalLimitOf,
} from '#features/team/operator/rules.ts'
import { operatorCall } from '../call.ts'
import { moment, nothing, operatorName, permission, way } from './shapes.ts'
import { waiting } from './staff.ts'
import { sessionShape, sessionsOf } from './self.ts'

const role = z.string().max(40)

const teamList = operatorCall({
  path: 'console/team/list',
  summary: 'Everybody who runs the shop',
  body: z.object({}),
  data: z.array(
    z.object({
      name: operatorName,
      display_name: z.string(),
      email: z.string().nullable(),
      role: z.string(),
      status: z.enum(['active', 'disabled']),
      factors: z.array(way),
      sessions: z.number(),
      tokens: z.number(),
      since: moment,
      seen: moment.nullable(),
      is_me: z.boolean(),
    }),
  ),
  example: {},
  async answer({ ctx }) {
    const operators = await listOperators(ctx.db, ctx.now())
    return operators.map(({ id, createdAt, seenAt, displayName, ...one }) => ({
      name: one.name,
      display_name: displayName,
      email: one.email,
      role: one.role,
      status: one.status,
      factors: [...one.factors],
      sessions: one.sessions,
      tokens: one.tokens,
      since: createdAt.toISOString(),
      seen: seenAt?.toISOString() ?? null,
      is_me: id === ctx.operator.id,
    }))
  },
})

const teamRoles = operatorCall({
  path: 'console/team/roles',
  summary: 'The roles: what each may do, and how much',
  description:
    'Limits are minor units of the shop’s currency: by permission for one shopper within a day, and by whatever means in total, within a day and for one order; null for no limit.',
  body: z.object({}),
  data: z.array(
    z.object({
      role: z.string(),
      /** As people read it; null for a role of the program, which has a name in every language. */
      name: z.string().nullable(),
      is_own: z.boolean(),
      /** Of a role of the shop's own: to be given back when it is changed. */
      version: z.number(),
      /** How many have it. */
      people: z.number(),
      permissions: z.array(permission),
      currency: z.string(),
      limits: z.array(z.object({ permission, minor: z.string().nullable() })),
      totals: z.array(z.object({ total: z.enum(TOTAL_LIMITS), minor: z.string().nullable() })),
      /** Hundredths of a percent by which one person may lower or raise a price within a week; null for no limit. */
      price_limit: z.number().nullable(),
    }),
  ),
  example: {},
  async answer({ ctx }) {
    const [roles, { code: currency }] = await Promise.all([
      listRoles(ctx.db),
      readShopCurrency(ctx.db),
    ])
    return roles.map((one) => ({
      role: one.role,
      name: one.own?.name ?? null,
      is_own: one.own !== null,
      version: one.version,
      people: one.people,
      permissions: PERMISSIONS.filter((each) => mayDo(one, each)),
      currency,
      limits: LIMITED_PERMISSIONS.filter((each) => mayDo(one, each)).map((each) => ({
        permission: each,
        minor: limitOf(one, each)?.toString() ?? null,
      })),
      totals: TOTAL_LIMITS.map((total) => ({
        total,
        minor: totalLimitOf(one, total)?.toString() ?? null,
      })),
      price_limit: priceLimitOf(one),
    }))
  },
})

const teamSessions = operatorCall({
  path: 'console/team/sessions',
  summary: 'Where everybody is signed in',
  body: z.object({}),
  data: z.array(sessionShape),
  example: {},
  answer: (caller) => sessionsOf(caller, null),
})

const teamRole = operatorCall({
  path: 'console/team/role',
  summary: 'Give somebody another role',
  description:
    'A shop keeps at least one active owner. `waits`: the role moves money, goods or the team, and somebody else approves it first.',
  body: z.strictObject({ name: operatorName, role }),
  data: waiting,
  example: { name: 'tomas', role: 'orders' },
  answer: async ({ ctx }, given) => ({ waits: await grantRole(ctx, given.name, given.role) }),
})

const teamSuspend = operatorCall({
  path: 'console/team/suspend',
  summary: 'Shut somebody out at once: sessions and tokens end, what they asked for ends',
  body: z.strictObject({ name: operatorName }),
  data: nothing,
  example: { name: 'tomas' },
  async answer({ ctx }, { name }) {
    await suspendOperator(ctx, name)
    return {}
  },
})

const teamResume = operatorCall({
  path: 'console/team/resume',
  summary: 'Let somebody in again',
  body: z.strictObject({ name: operatorName }),
  data: nothing,
  example: { name: 'tomas' },
  async answer({ ctx }, { name }) {
    await setOperatorStatus(ctx, name, 'active')
    return {}
  },
})

export const TEAM_CALLS = [
  teamList,
  teamRoles,
  teamSessions,
  teamRole,
  teamSuspend,
  teamResume,
] as const
