import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { countPrices } from '#features/goods/price/commands.ts'
import { switchOffers } from '#features/supply/routing/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { isBelievable, planSync, type ReadCatalogue } from './engine/plan.ts'
import { readGround, sourceOf } from './queries.ts'
import type { SyncField, SyncMode, SyncReport } from './rules.ts'
import { applyPlan } from './write/apply.ts'
import { audit, codesOf, lockListing, textOf, update, type Named } from './write/listing.ts'
import { endRunDone, lockRun } from './write/run.ts'

export { doWaitingWithdrawal, WITHDRAWAL_PATH, withdrawOffer } from './write/withdraw.ts'
export { forgetRuns, scheduleSync, wishSync } from './write/run.ts'
export { acceptCost, acceptCosts, confirmMatches, refuseCosts } from './write/decide.ts'

export interface SyncOptions {
  /** Nothing is written. */
  readonly isDry: boolean
  /** Costs that jump are taken as they are, and a list that is suddenly short is believed. */
  readonly appliesJumps: boolean
}

/** One number for "a catalogue is being synchronised", so that two take turns. */
const LOCK = 7_126_035

/** What a sync would change. */
export async function planned(
  ctx: Ctx,
  supplier: string,
  told: ReadCatalogue,
  { appliesJumps }: Pick<SyncOptions, 'appliesJumps'>,
): Promise<SyncReport> {
  const ground = await readGround(ctx.db, supplier)
  return planSync(ground, told, { appliesJumps, now: ctx.now() }).report
}

/** What a sync would change, kept with the run that read the list. */
export async function recordDryRun(
  ctx: Ctx,
  { supplier, run }: { readonly supplier: string; readonly run: string },
  told: ReadCatalogue,
  options: Pick<SyncOptions, 'appliesJumps'>,
): Promise<SyncReport> {
  const report = await planned(ctx, supplier, told, options)
  await transaction(ctx, async (tx, now) => {
    await lockRun(tx, run)
    await endRunDone(tx, now, { run, supplier, report, isDry: true })
  })
  return report
}

/** Brings the shop to what a supplier has told, and ends the run that read it; the report says what was changed. */
export async function recordSync(
  ctx: Ctx,
  { supplier, run }: { readonly supplier: string; readonly run: string },
  told: ReadCatalogue,
  { appliesJumps }: Pick<SyncOptions, 'appliesJumps'>,
): Promise<SyncReport> {
  return transaction(ctx, async (tx, now) => {
    // Thousands of rows take longer than a statement of a request may.
    await sql`set local statement_timeout = '5min'`.execute(tx)
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
    await lockRun(tx, run)
    const ground = await readGround(tx, supplier)
    const plan = planSync(ground, told, { appliesJumps, now })
    if (!appliesJumps && !isBelievable(plan, ground)) throw new AppError('conflict')
    await applyPlan(tx, ctx, now, ground, plan)
    const { lines: _, ...counts } = plan.report
    await recordAudit(tx, ctx, now, [
      {
        action: 'sync',
        subject: 'supplier',
        subjectCode: supplier,
        before: null,
        after: counts,
      },
    ])
    await endRunDone(tx, now, { run, supplier, report: plan.report })
    return plan.report
  })
}

/** Says which item a supplier's product is. Throws 'check_fields' at `item`, 'conflict' where the item is another product of the supplier's. */
export async function mapListing(ctx: OperatorCtx, named: Named, code: string): Promise<void> {
  requirePermission(ctx, 'product.change')
  await transaction(ctx, async (tx, now) => {
    await lockListing(tx, named)
    const item = await tx
      .selectFrom('item')
      .select('id')
      .where('code', '=', code)
      .executeTakeFirst()
    if (!item) throw fieldError('item', 'not_sold')
    const other = await tx
      .selectFrom('supplier_product')
      .select('product')
      .where('supplier', '=', named.supplier)
      .where('item', '=', item.id)
      .where('status', 'in', ['mapped', 'draft'])
      .where((row) =>
        row.not(row.and([row('product', '=', named.product), row('face', '=', named.face)])),
      )
      .executeTakeFirst()
    if (other) throw new AppError('conflict')
    await update(tx, named, { item: item.id, matched_by: 'hand', score: null, status: 'mapped' })
    await audit(tx, ctx, now, 'map', textOf(named), { item: code })
  })
}

/**
 * Keeps a supplier's product out of the shop, whatever the supplier lists, or lets it in again at the next sync. Throws 'forbidden' where that moves a
 * price further than its operator may: it is made of the next supplier's cost then.
 */
export async function excludeListing(
  ctx: OperatorCtx,
  named: Named,
  isExcluded: boolean,
): Promise<void> {
  requirePermission(ctx, 'product.change')
  await transaction(ctx, async (tx, now) => {
    const { item, status } = await lockListing(tx, named)
    if (isExcluded === (status === 'excluded')) return
    if (isExcluded && item !== null)
      await countPrices(tx, ctx, now, await codesOf(tx, [item]), async () => {
        await switchOffers(tx, now, named.supplier, [item], false)
      })
    // What comes back is what it was.
    await update(tx, named, {
      status: isExcluded ? 'excluded' : item === null ? 'unmatched' : 'gone',
    })
    await audit(tx, ctx, now, isExcluded ? 'exclude' : 'include', textOf(named), {})
  })
}

/** How a field of a listing goes with what the supplier lists. */
export async function setSyncMode(
  ctx: OperatorCtx,
  named: Named,
  field: SyncField,
  mode: SyncMode,
): Promise<void> {
  requirePermission(ctx, 'product.change')
  await transaction(ctx, async (tx, now) => {
    await lockListing(tx, named)
    await update(tx, named, { [`sync_${field}`]: mode })
    await audit(tx, ctx, now, 'sync_mode', textOf(named), { [field]: mode })
  })
}

/** Has syncs change nothing of a listing, or go on with it. */
export async function lockListingByOperator(
  ctx: OperatorCtx,
  named: Named,
  isLocked: boolean,
): Promise<void> {
  requirePermission(ctx, 'product.change')
  await transaction(ctx, async (tx, now) => {
    await lockListing(tx, named)
    await update(tx, named, { is_locked: isLocked })
    await audit(tx, ctx, now, isLocked ? 'lock' : 'unlock', textOf(named), {})
  })
}

/** Shows drafts in the shop, with the brands and products that were made for them. @param item a code; null for all of the supplier's. @returns how many */
export async function publishDrafts(
  ctx: OperatorCtx,
  supplier: string,
  item: string | null,
): Promise<number> {
  requirePermission(ctx, 'product.change')
  return transaction(ctx, async (tx, now) => {
    await sql`set local statement_timeout = '5min'`.execute(tx)
    const { rows } = await sql<{ id: string; product: string; brand: string }>`
      update item i set status = 'active', updated_at = ${now} from supplier_product l, product p
      where l.supplier = ${supplier} and l.status = 'draft' and l.item = i.id and p.code = i.product and (${item}::text is null or i.code = ${item})
      returning i.id, p.code as product, p.brand`.execute(tx)
    if (rows.length === 0) throw new AppError('not_found')
    const source = sourceOf(supplier)
    const [products, brands] = [
      [...new Set(rows.map(({ product }) => product))],
      [...new Set(rows.map(({ brand }) => brand))],
    ]
    await sql`update product set status = 'active' where code = any(${products}) and source = ${source}`.execute(
      tx,
    )
    await sql`update brand set status = 'active' where code = any(${brands}) and source = ${source}`.execute(
      tx,
    )
    await tx
      .updateTable('supplier_product')
      .set({ status: 'mapped' })
      .where('supplier', '=', supplier)
      .where('item', '=', sql<string>`any(${rows.map(({ id }) => id)}::uuid[])`)
      .where('status', '=', 'draft')
      .execute()
    await audit(tx, ctx, now, 'publish', supplier, { items: rows.length })
    return rows.length
  })
}
