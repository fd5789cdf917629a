import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { isUuid } from '#kernel/uuid.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import type { Difference, OurPurchase, ReportedPurchase } from './rules.ts'

/** What was compared on one page of a report: what differs, and what agrees by now. */
export interface Compared {
  readonly differences: readonly Difference[]
  readonly agreed: readonly { readonly ours: OurPurchase; readonly theirs: ReportedPurchase }[]
}

/** Writes what differs, once for what was found, and closes what agrees by now. @returns how many are new */
export async function recordCompared(
  ctx: Ctx,
  supplier: string,
  { differences, agreed }: Compared,
): Promise<number> {
  return transaction(ctx, async (tx) => {
    await closeAgreed(tx, ctx, supplier, { agreed, differences })
    let found = 0
    for (const difference of differences) found += await insert(tx, ctx, supplier, difference)
    return found
  })
}

/** One that somebody has closed is not opened again for the same answer. */
async function insert(
  tx: Tx,
  ctx: Ctx,
  supplier: string,
  { kind, ours, theirs }: Difference,
): Promise<number> {
  const cost = theirs?.cost ?? null
  const { numAffectedRows } = await sql`
    insert into supply_difference (id, supplier, kind, purchase_id, their_id, their_reference, our_status, their_status, currency, our_minor, their_minor, their_at, found_at)
    select ${ctx.newId()}, ${supplier}, ${kind}, ${ours?.id ?? null}::uuid, ${theirs?.supplierId ?? null}, ${theirs?.reference?.slice(0, 200) || null}, ${ours?.status ?? null}, ${theirs?.state ?? null},
      ${cost?.currency ?? ours?.currency ?? null}, ${ours?.actualMinor?.toString() ?? null}::numeric, ${cost?.minor.toString() ?? null}::numeric, ${theirs?.at ?? null}::timestamptz, ${ctx.now()}
    where not exists (
      select from supply_difference d where d.supplier = ${supplier} and d.kind = ${kind}
        and d.purchase_id is not distinct from ${ours?.id ?? null}::uuid and (d.purchase_id is not null or d.their_id = ${theirs?.supplierId ?? null})
        and (d.closed_at is null or (d.their_status is not distinct from ${theirs?.state ?? null} and d.their_minor is not distinct from ${cost?.minor.toString() ?? null}::numeric
          and d.our_status is not distinct from ${ours?.status ?? null}))
    ) on conflict do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

const AGREES = { closed_by: 'system', note: 'the report agrees by now' } as const

async function closeAgreed(
  tx: Tx,
  ctx: Ctx,
  supplier: string,
  { agreed, differences }: Compared,
): Promise<void> {
  const closed_at = ctx.now()
  const still = differences.flatMap(({ ours, kind }) => (ours ? [`${ours.id} ${kind}`] : []))
  const known = [...agreed, ...differences].flatMap(({ ours }) => (ours ? [ours.id] : []))
  if (known.length > 0)
    await sql`
      update supply_difference set closed_at = ${closed_at}, closed_by = ${AGREES.closed_by}, note = ${AGREES.note}
      where closed_at is null and supplier = ${supplier} and purchase_id = any(${known}::uuid[]) and (purchase_id::text || ' ' || kind) <> all(${still}::text[])`.execute(
      tx,
    )
  const theirs = agreed.map((each) => each.theirs.supplierId)
  if (theirs.length > 0)
    await tx
      .updateTable('supply_difference')
      .set({ closed_at, ...AGREES })
      .where('supplier', '=', supplier)
      .where('purchase_id', 'is', null)
      .where('closed_at', 'is', null)
      .where('their_id', 'in', theirs)
      .execute()
}

/** Notes how far a supplier's report has been compared. */
export async function noteComparison(
  ctx: Ctx,
  supplier: string,
  { to, told }: { readonly to: Date; readonly told: number },
): Promise<void> {
  const row = { compared_to: to, finished_at: ctx.now(), told }
  await ctx.db
    .insertInto('supply_comparison')
    .values({ supplier, ...row })
    .onConflict((conflict) => conflict.column('supplier').doUpdateSet(row))
    .execute()
}

/** Notes what was found about a difference, and closes it; it moves no money. Throws 'not_found' for one that is none, or closed. */
export async function closeSupplyDifference(
  ctx: OperatorCtx,
  id: string,
  note: string,
): Promise<void> {
  requirePermission(ctx, 'order.decide')
  if (!isUuid(id)) throw new AppError('not_found')
  await transaction(ctx, async (tx, now) => {
    const closed = await tx
      .updateTable('supply_difference')
      .set({ closed_at: now, closed_by: ctx.operator.name, note })
      .where('id', '=', id)
      .where('closed_at', 'is', null)
      .executeTakeFirst()
    if (closed.numUpdatedRows === 0n) throw new AppError('not_found')
    await recordAudit(tx, ctx, now, [
      {
        action: 'supply_difference_closed',
        subject: 'supply_difference',
        subjectCode: id,
        before: { closed: false },
        after: { closed: true, note },
      },
    ])
  })
}
