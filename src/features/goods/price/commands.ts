import type { Db } from '#platform/db.ts'
import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import { withLock } from './write/terms.ts'

export {
  countPrices,
  countWaiting,
  holdPrices,
  isFurther,
} from './write/counted.ts'
export { setCurrencyTermsIn, setLevelPriceIn } from './write/terms.ts'

export interface NewRule {
  readonly brand: string | null
  readonly supplier: string | null
  readonly region: string | null
  readonly currency: string | null
  readonly basisPoints: number
  /** Null: from now on. */
  readonly validFrom: Date | null
}

/**
 * Says what is added to costs. Prices of what has a cost and fits are made of it from then on. Throws 'check_fields' at what the shop does not have,
 * and at a moment that has passed.
 * @returns the rule's id
 */
export async function addRule(ctx: OperatorCtx, rule: NewRule): Promise<string> {
  requirePermission(ctx, 'price.change')
  return transaction(ctx, (tx, now) => addRuleIn(tx, ctx, now, rule))
}

/** The same in a transaction that has counted it against its operator's limit. */
export async function addRuleIn(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  rule: NewRule,
): Promise<string> {
  if (rule.validFrom !== null && rule.validFrom < now) throw fieldError('from', 'not_allowed')
  await assertKnown(tx, rule)
  const id = ctx.newId()
  const row = {
    brand: rule.brand,
    supplier: rule.supplier,
    region: rule.region,
    currency: rule.currency,
    basis_points: rule.basisPoints,
    valid_from: rule.validFrom ?? now,
  }
  await tx
    .insertInto('margin_rule')
    .values({ id, ...row, created_at: now, created_by: ctx.actor })
    .execute()
  await recordAudit(tx, ctx, now, [
    {
      action: 'create',
      subject: 'margin_rule',
      subjectCode: id,
      before: null,
      after: { ...row, valid_from: row.valid_from.toISOString() },
    },
  ])
  return id
}

/** Throws 'check_fields' at what the shop does not have. */
export async function assertKnown(
  tx: Tx | Db,
  rule: Pick<NewRule, 'brand' | 'supplier' | 'region' | 'currency'>,
): Promise<void> {
  const tables = [
    ['brand', rule.brand],
    ['supplier', rule.supplier],
    ['region', rule.region],
    ['currency', rule.currency],
  ] as const
  for (const [table, code] of tables) {
    if (code === null) continue
    const found = await tx
      .selectFrom(table)
      .select('code')
      .where('code', '=', code)
      .executeTakeFirst()
    if (!found) throw fieldError(table, 'not_allowed')
  }
}

/** Ends a rule now, or before it begins. Throws 'not_found' for one that is over, or none. */
export async function endRule(ctx: OperatorCtx, id: string): Promise<void> {
  requirePermission(ctx, 'price.change')
  await transaction(ctx, (tx, now) => endRuleIn(tx, ctx, now, id, now))
}

/** The same in a transaction that has counted it. @param at when it ends, unless it begins later */
export async function endRuleIn(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  id: string,
  at: Date,
): Promise<void> {
  const rule = await tx
    .selectFrom('margin_rule')
    .select('valid_from')
    .where('id', '=', id)
    .where('valid_until', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!rule) throw new AppError('not_found')
  const until = rule.valid_from > at ? rule.valid_from : at
  await tx
    .updateTable('margin_rule')
    .set({ valid_until: until, ended_by: ctx.actor })
    .where('id', '=', id)
    .execute()
  await recordAudit(tx, ctx, now, [
    {
      action: 'end',
      subject: 'margin_rule',
      subjectCode: id,
      before: { valid_until: null },
      after: { valid_until: until.toISOString() },
    },
  ])
}

/**
 * Sets what an item costs in a currency, whatever its rate and cost, or with null takes that back. Imports leave it as it is from then on.
 * Throws 'check_fields' at `item` and `currency`.
 */
export async function setOwnPrice(
  ctx: OperatorCtx,
  code: string,
  currency: string,
  minor: bigint | null,
): Promise<void> {
  requirePermission(ctx, 'price.change')
  await transaction(ctx, (tx, now) => setOwnPriceIn(tx, ctx, now, { code, currency, minor }))
}

/** An item's own price in a currency; null for none. */
export interface OwnPrice {
  readonly code: string
  readonly currency: string
  readonly minor: bigint | null
}

/** The same in a transaction that has counted it. */
export async function setOwnPriceIn(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  { code, currency, minor }: OwnPrice,
): Promise<void> {
  const item = await tx
    .selectFrom('item')
    .select(['id', 'own_prices'])
    .where('code', '=', code)
    .forUpdate()
    .executeTakeFirst()
  if (!item) throw fieldError('item', 'not_sold')
  const before = item.own_prices as Readonly<Record<string, string>>
  const { [currency]: old = null, ...others } = before
  const own = minor === null ? others : { ...others, [currency]: minor.toString() }
  await tx
    .updateTable('item')
    .set({
      own_prices: JSON.stringify(own),
      locked_fields: withLock('own_prices'),
      updated_at: now,
    })
    .where('id', '=', item.id)
    .execute()
  await recordAudit(tx, ctx, now, [
    {
      action: 'update',
      subject: 'item',
      subjectCode: code,
      before: { own_price: old, currency },
      after: { own_price: minor?.toString() ?? null, currency },
    },
  ])
}
