import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import { isCountry, isProduct, listTaxClasses, listTaxRates, taxVersion } from './queries.ts'
import { BASIS_MAX, rateOf, taxTable, type TaxClass, type TaxedClass } from './rules.ts'

export interface TaxClassWish {
  /** Null for all of them. */
  readonly product: string | null
  readonly country: string | null
  /** Null takes back what was said of them. */
  readonly taxClass: TaxClass | null
}

export interface TaxRateWish {
  readonly country: string
  readonly taxClass: TaxedClass
  readonly basisPoints: number
  /** Null for from now on. */
  readonly from: Date | null
}

/**
 * Says how a product is taxed in a country, from the next order on; what was ordered stays as it was. Throws 'check_fields' at `product`
 * and `country` for what the shop has not, and 'changed_meanwhile' where taxes are others than they were at `version`.
 */
export async function setTaxClass(
  ctx: OperatorCtx,
  { product, country, taxClass }: TaxClassWish,
  version: string | null,
): Promise<void> {
  requirePermission(ctx, 'payment.settings')
  await transaction(ctx, async (tx, now) => {
    await lockTaxes(tx, version)
    if (product !== null && !(await isProduct(tx, product)))
      throw fieldError('product', 'not_allowed')
    if (country !== null && !(await isCountry(tx, country)))
      throw fieldError('country', 'country_unknown')
    const before =
      (await listTaxClasses(tx, null)).find(
        (row) => row.product === product && row.country === country,
      )?.taxClass ?? null
    if (before === taxClass) return
    await sql`insert into tax_class (id, product, country, class, set_by, set_at)
      values (uuidv7(), ${product}, ${country}, ${taxClass}, ${ctx.actor}, ${now})`.execute(tx)
    await recordAudit(tx, ctx, now, [
      {
        action: 'update',
        subject: 'tax_class',
        subjectCode: `${product ?? '*'} ${country ?? '*'}`,
        before: { class: before },
        after: { class: taxClass },
      },
    ])
  })
}

/**
 * Says what a class is taxed at in a country, from a moment on; the rates before it stay known. Throws 'check_fields' at `country`, `rate` and
 * `from`, a moment that is over, and 'changed_meanwhile' as `setTaxClass` does.
 */
export async function setTaxRate(
  ctx: OperatorCtx,
  { country, taxClass, basisPoints, from }: TaxRateWish,
  version: string | null,
): Promise<void> {
  requirePermission(ctx, 'payment.settings')
  if (!Number.isInteger(basisPoints) || basisPoints < 0 || basisPoints > BASIS_MAX)
    throw fieldError('rate', 'not_allowed')
  await transaction(ctx, async (tx, now) => {
    await lockTaxes(tx, version)
    if (!(await isCountry(tx, country))) throw fieldError('country', 'country_unknown')
    // What was sold is taxed already: a rate of a time that is over would tell of it otherwise than it was.
    if (from !== null && from < now) throw fieldError('from', 'not_allowed')
    const validFrom = from ?? now
    const before = rateOf(taxTable([], await listTaxRates(tx)), country, taxClass, validFrom)
    await sql`insert into tax_rate (id, country, class, basis_points, valid_from, set_by, set_at)
      values (uuidv7(), ${country}, ${taxClass}, ${basisPoints}, ${validFrom}, ${ctx.actor}, ${now})`.execute(
      tx,
    )
    await recordAudit(tx, ctx, now, [
      {
        action: 'update',
        subject: 'tax_rate',
        subjectCode: `${country} ${taxClass}`,
        before: { basis_points: before },
        after: { basis_points: basisPoints, valid_from: validFrom.toISOString() },
      },
    ])
  })
}

/** One change at a time: each is made of what it has seen. */
async function lockTaxes(tx: Tx, version: string | null): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('tax', 0))`.execute(tx)
  if (version !== null && (await taxVersion(tx)) !== version)
    throw new AppError('changed_meanwhile')
}
