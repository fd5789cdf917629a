import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import type { Money, RoundingMode } from '#kernel/money.ts'
import type { Tx } from '#platform/ctx.ts'

/** Keeps fields of a row from the next import. */
export const withLock = (...fields: readonly string[]) =>
  sql<string[]>`(select array(select distinct unnest(locked_fields || ${[...fields]}::text[])))`

/** What an operator says of a currency's prices. */
interface CurrencyTerms {
  readonly marginBasisPoints: number
  readonly roundingIncrement: bigint
  readonly roundingMode: Extract<RoundingMode, 'half_up' | 'up'>
  /** Whether customers may choose it; undefined leaves that as it is. */
  readonly isOffered: boolean | undefined
}

/** Sets how prices of a currency are rounded, what is added to them, and whether it is offered. Throws 'not_found'. */
export async function setCurrencyTermsIn(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  { code, terms }: { readonly code: string; readonly terms: CurrencyTerms },
): Promise<void> {
  const before = await tx
    .selectFrom('currency')
    .select(['margin_basis_points', 'rounding_increment', 'rounding_mode', 'is_checkout'])
    .where('code', '=', code)
    .forUpdate()
    .executeTakeFirst()
  if (!before) throw new AppError('not_found')
  const after = {
    margin_basis_points: terms.marginBasisPoints,
    rounding_increment: terms.roundingIncrement.toString(),
    rounding_mode: terms.roundingMode,
    is_checkout: terms.isOffered ?? before.is_checkout,
  }
  const isSwitched = after.is_checkout !== before.is_checkout
  await tx
    .updateTable('currency')
    .set({
      margin_basis_points: terms.marginBasisPoints,
      rounding_increment: terms.roundingIncrement,
      rounding_mode: terms.roundingMode,
      is_checkout: after.is_checkout,
      locked_fields: withLock(
        'margin_basis_points',
        'rounding_increment',
        'rounding_mode',
        ...(isSwitched ? ['is_checkout'] : []),
      ),
    })
    .where('code', '=', code)
    .execute()
  await recordAudit(tx, ctx, now, [
    { action: 'update', subject: 'currency', subjectCode: code, before: { ...before }, after },
  ])
}

/** Sets what an item costs a customer level, or with null takes that back. Imports leave it as it is from then on. Throws 'check_fields' at `item`. */
export async function setLevelPriceIn(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  given: { readonly code: string; readonly level: number; readonly price: Money | null },
): Promise<void> {
  const { code, level, price } = given
  const item = await tx
    .selectFrom('item')
    .select('id')
    .where('code', '=', code)
    .forUpdate()
    .executeTakeFirst()
  if (!item) throw fieldError('item', 'not_sold')
  const before = await tx
    .selectFrom('item_level_price')
    .select(['price_minor', 'price_currency'])
    .where('item', '=', item.id)
    .where('level', '=', level)
    .executeTakeFirst()
  const row = price && { price_minor: price.minor, price_currency: price.currency }
  if (row)
    await tx
      .insertInto('item_level_price')
      .values({ item: item.id, level, ...row })
      .onConflict((conflict) => conflict.columns(['item', 'level']).doUpdateSet(row))
      .execute()
  else
    await tx
      .deleteFrom('item_level_price')
      .where('item', '=', item.id)
      .where('level', '=', level)
      .execute()
  await tx
    .updateTable('item')
    .set({ locked_fields: withLock('levels'), updated_at: now })
    .where('id', '=', item.id)
    .execute()
  await recordAudit(tx, ctx, now, [
    {
      action: 'update',
      subject: 'item',
      subjectCode: code,
      before: { level_price: before?.price_minor ?? null, currency: before?.price_currency, level },
      after: { level_price: price?.minor.toString() ?? null, currency: price?.currency, level },
    },
  ])
}
