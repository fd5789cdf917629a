import { recordAudit } from '#features/base/audit/commands.ts'
import { readShopCurrency } from '#features/base/shop/queries.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { findRole, keyOfTotal } from '../read/role.ts'
import { TOTAL_LIMITS, USUAL_PRICE_LIMIT, type Operator, type OwnRole } from '../rules.ts'
import type { OperatorCtx } from './acting.ts'

const CODE_BYTES = 6

/** A role of the shop's own as its owners write it; `code` is null for a new one. */
export interface WrittenRole extends OwnRole {
  readonly code: string | null
  /** Of the role as it was read; 0 for a new one. */
  readonly version: number
  /** What its limits are amounts of: the shop's currency as whoever wrote it was shown. */
  readonly currency: string
}

/** Roles are owners' to make. Throws 'forbidden'. */
export function requireOwner({ operator }: { readonly operator: Operator }): void {
  if (operator.role !== 'owner')
    throw new AppError('forbidden', { permission: 'staff.manage', role: operator.role })
}

export const newRoleCode = (ctx: Pick<Ctx, 'random'>): string =>
  `own-${Buffer.from(ctx.random(CODE_BYTES)).toString('hex')}`

/**
 * Throws what keeps a role from being written as it is: 'not_found' for one that is gone or the program's, 'changed_meanwhile' for one that
 * was changed since it was read, `check_fields` for a name that is taken, 'forbidden' for who is no owner.
 */
export async function checkRole(
  tx: Tx,
  ctx: OperatorCtx,
  { code, name, version }: Pick<WrittenRole, 'code' | 'name' | 'version'>,
): Promise<void> {
  requireOwner(ctx)
  if (code !== null) {
    const before = await findRole(tx, code)
    if (!before?.own) throw new AppError('not_found')
    if (before.version !== version) throw new AppError('changed_meanwhile')
  }
  const same = await tx
    .selectFrom('operator_role')
    .select('code')
    .where(({ fn, eb }) => eb(fn<string>('lower', ['name']), '=', name.toLowerCase()))
    .executeTakeFirst()
  if (same && same.code !== code) throw fieldError('name', 'role_name_taken')
}

/** Limits as they are stored: texts, and null for no limit. */
export function limitsText({
  limits,
  totals = {},
}: Pick<OwnRole, 'limits' | 'totals'>): Readonly<Record<string, string | null>> {
  const all = [
    ...Object.entries(limits),
    ...TOTAL_LIMITS.map((one) => [keyOfTotal(one), totals[one]] as const),
  ]
  return Object.fromEntries(
    all.flatMap(([one, limit]) => (limit === undefined ? [] : [[one, limit?.toString() ?? null]])),
  )
}

/**
 * Makes a role or changes it: whoever has it may do so from their next call on. Throws as `checkRole` does, and 'changed_meanwhile' where the
 * shop has another currency by now. @param code of a new one
 */
export async function writeRole(
  tx: Tx,
  ctx: OperatorCtx,
  written: WrittenRole & { readonly code: string },
): Promise<void> {
  const { code, name, permissions, version } = written
  const isNew = version === 0
  await checkRole(tx, ctx, { code: isNew ? null : code, name, version })
  const { code: currency } = await readShopCurrency(tx)
  if (written.currency !== currency) throw new AppError('changed_meanwhile')
  const limits = JSON.stringify(limitsText(written))
  const values = {
    name,
    permissions: [...permissions],
    limits,
    limit_currency: currency,
    price_limit: priceLimitIn(written),
  }
  const before = await findRole(tx, code)
  const kept = isNew
    ? await tx
        .insertInto('operator_role')
        .values({ code, is_own: true, ...values })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
        .then(({ numInsertedOrUpdatedRows }) => numInsertedOrUpdatedRows)
    : await tx
        .updateTable('operator_role')
        .set({ ...values, version: version + 1 })
        .where('code', '=', code)
        .where('version', '=', version)
        .executeTakeFirst()
        .then(({ numUpdatedRows }) => numUpdatedRows)
  if (kept !== 1n) throw new AppError('changed_meanwhile')
  await recordAudit(tx, ctx, ctx.now(), [
    {
      action: isNew ? 'create' : 'update',
      subject: 'operator_role',
      subjectCode: code,
      before: before?.own ? told(before.own, currency) : null,
      after: told(written, currency),
    },
  ])
}

/** Takes away a role that nobody has. Throws as `checkRole` does, and `check_fields` for one that somebody has or is invited to. */
export async function removeRole(
  tx: Tx,
  ctx: OperatorCtx,
  { code, version }: { readonly code: string; readonly version: number },
): Promise<void> {
  requireOwner(ctx)
  const before = await tx
    .selectFrom('operator_role')
    .select('version')
    .where('code', '=', code)
    .where('is_own', '=', true)
    .forUpdate()
    .executeTakeFirst()
  if (!before) throw new AppError('not_found')
  if (before.version !== version) throw new AppError('changed_meanwhile')
  const holder = await tx
    .selectFrom('operator')
    .select('id')
    .where('role', '=', code)
    .limit(1)
    .executeTakeFirst()
  const invited = await tx
    .selectFrom('operator_invitation')
    .select('id')
    .where('role', '=', code)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (holder || invited) throw fieldError('code', 'role_in_use')
  // What is over no longer needs it.
  await tx.deleteFrom('operator_invitation').where('role', '=', code).execute()
  await tx.deleteFrom('operator_role').where('code', '=', code).execute()
  await recordAudit(tx, ctx, ctx.now(), [
    { action: 'delete', subject: 'operator_role', subjectCode: code, before: {}, after: null },
  ])
}

const priceLimitIn = ({ priceLimit }: Pick<OwnRole, 'priceLimit'>) =>
  priceLimit === undefined ? USUAL_PRICE_LIMIT : priceLimit

function told(role: OwnRole, currency: string) {
  return {
    name: role.name,
    permissions: [...role.permissions],
    limits: limitsText(role),
    price_limit: priceLimitIn(role),
    currency,
  }
}
