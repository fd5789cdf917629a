import { z } from 'zod'
import { createToken, revokeToken } from '#features/team/operator/commands.ts'
import { listTokens } from '#features/team/operator/queries.ts'
import { mayDo, scopesOf, TOKEN_DAYS } from '#features/team/operator/rules.ts'
import { fieldError } from '#kernel/error.ts'
import { operatorCall } from '../call.ts'
import { moment, nothing, operatorName, permission, publicId } from './shapes.ts'

const LABEL_MAX = 100

const tokensList = operatorCall({
  path: 'console/tokens/list',
  summary: 'Tokens in force: yours, and with `staff.manage` everybody’s',
  body: z.object({}),
  data: z.array(
    z.object({
      id: publicId,
      operator: operatorName,
      label: z.string(),
      /** Null for all that its operator may do, as those of the command. */
      permissions: z.array(permission).nullable(),
      made: moment,
      ends: moment,
      used: moment.nullable(),
    }),
  ),
  example: {},
  async answer({ ctx }) {
    const whose = mayDo(ctx.operator, 'staff.manage') ? null : ctx.operator.id
    return (await listTokens(ctx.db, ctx.now(), whose)).map((token) => ({
      id: token.id,
      operator: token.operator,
      label: token.label,
      permissions: token.permissions && [...token.permissions],
      made: token.createdAt.toISOString(),
      ends: token.expiresAt.toISOString(),
      used: token.lastUsedAt?.toISOString() ?? null,
    }))
  },
})

const tokensCreate = operatorCall({
  path: 'console/tokens/create',
  summary: 'Make a token for a program of yours; it is told this once',
  description:
    'It may do what its scopes say and you may do, whichever is less, for as long. What moves money, goods or the team is no scope of one; it never approves, nor passes what asks for a fresh proof.',
  body: z.strictObject({
    label: z.string().trim().min(1).max(LABEL_MAX),
    days: z.int().min(1).max(TOKEN_DAYS.most),
    permissions: z.array(permission).min(1),
  }),
  data: z.object({ token: z.string(), ends: moment }),
  example: { label: 'Stock report', days: 90, permissions: ['product.read', 'key.read'] },
  async answer({ ctx }, { label, days, permissions }) {
    const allowed = scopesOf(ctx.operator)
    if (!permissions.every((one) => allowed.includes(one)))
      throw fieldError('permissions', 'not_allowed')
    const made = await createToken(ctx, { label, days, permissions: [...new Set(permissions)] })
    return { token: made.token, ends: made.expiresAt.toISOString() }
  },
})

const tokensRevoke = operatorCall({
  path: 'console/tokens/revoke',
  summary: 'End a token: one of yours, or with `staff.manage` anybody’s',
  body: z.strictObject({ id: publicId }),
  data: nothing,
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  async answer({ ctx }, { id }) {
    await revokeToken(ctx, id)
    return {}
  },
})

export const TOKENS_CALLS = [tokensList, tokensCreate, tokensRevoke] as const
