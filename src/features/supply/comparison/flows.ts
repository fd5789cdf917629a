import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { SupplyUnavailable, type SupplyProvider } from '#providers/supply/provider.ts'
import { noteComparison, recordCompared } from './commands.ts'
import { compareByLookup } from './flow/by-lookup.ts'
import { comparePage } from './flow/page.ts'
import { listBought } from './queries.ts'
import { COMPARED_DAYS, SETTLING_MS, type Comparison, type OurPurchase } from './rules.ts'

const DAY_MS = 86_400_000
/** A report that never ends is none. */
const PAGES_MOST = 5_000

/**
 * How purchases at a supplier are compared: by the report that it publishes, or one by one by our reference. Where asking may buy again, nothing is
 * asked about what is over, so that there is no way: null.
 */
export function wayOfComparing({
  report,
  capabilities,
}: Pick<SupplyProvider, 'report' | 'capabilities'>): Comparison['way'] | null {
  if (report) return 'report'
  return capabilities.idempotency === 'same_reference_asks_again' ? null : 'lookup'
}

/**
 * Compares the purchases at a supplier with its report of the last days; where none is published, each is asked about by our reference. Nothing is
 * done by what it says: the supplier is asked about what is news, and what differs waits for a person. Null where asking could buy: that
 * one's balance is all there is to compare. Throws SupplyUnavailable.
 */
export async function compareSupplier(
  ctx: Ctx,
  provider: SupplyProvider,
  { days, signal }: { readonly days?: number; readonly signal?: AbortSignal } = {},
): Promise<Comparison | null> {
  const way = wayOfComparing(provider)
  if (way === null) return null
  const to = ctx.now()
  const from = days === undefined ? null : new Date(to.getTime() - days * DAY_MS)
  return way === 'report'
    ? compareReport(ctx, provider, { from: from ?? daysBefore(to), to }, signal)
    : compareByLookup(ctx, provider, { from, to }, signal)
}

const daysBefore = (to: Date) => new Date(to.getTime() - COMPARED_DAYS * DAY_MS)

async function compareReport(
  ctx: Ctx,
  provider: SupplyProvider,
  { from, to }: { readonly from: Date; readonly to: Date },
  signal: AbortSignal | undefined,
): Promise<Comparison | null> {
  const { report } = provider
  if (!report) return null
  const seen = { ids: new Set<string>(), references: new Set<string>() }
  let [cursor, told, unread, found]: [string | null, number, number, number] = [null, 0, 0, 0]
  for (let pages = 0; ; pages += 1) {
    if (pages >= PAGES_MOST) throw new SupplyUnavailable('the report has no end')
    if (signal?.aborted) return { way: 'report', told, unread, found }
    const page = await report(from, to, cursor)
    for (const { supplierId, reference } of page.purchases) {
      seen.ids.add(supplierId)
      if (reference !== null) seen.references.add(reference)
    }
    told += page.purchases.length
    unread += page.unread
    found += await comparePage(ctx, provider, page.purchases)
    cursor = page.next
    if (cursor === null) break
  }
  if (unread > 0)
    ctx.log.warn('entries of a supplier’s report could not be read', {
      supplier: provider.code,
      count: unread,
    })
  // Where something could not be read it may be just that.
  else found += await findMissing(ctx, provider, { from, to, seen })
  await noteComparison(ctx, provider.code, { to, told })
  return { way: 'report', told, unread, found }
}

/** The same at an operator's wish. Throws as `compareSupplier` does. */
export async function compareByOperator(
  ctx: OperatorCtx,
  provider: SupplyProvider,
  days: number | undefined,
): Promise<Comparison | null> {
  requirePermission(ctx, 'supplier.read')
  const compared = await compareSupplier(ctx, provider, days === undefined ? {} : { days })
  if (compared === null) return null
  await transaction(ctx, (tx, now) =>
    recordAudit(tx, ctx, now, [
      {
        action: 'supplier_compared',
        subject: 'supplier',
        subjectCode: provider.code,
        before: null,
        after: { days: days ?? null, told: compared.told, found: compared.found },
      },
    ]),
  )
  return compared
}

/** What we bought and the report does not know. */
async function findMissing(
  ctx: Ctx,
  provider: SupplyProvider,
  {
    from,
    to,
    seen,
  }: {
    readonly from: Date
    readonly to: Date
    readonly seen: { readonly ids: ReadonlySet<string>; readonly references: ReadonlySet<string> }
  },
): Promise<number> {
  const until = new Date(to.getTime() - SETTLING_MS)
  let found = 0
  for (let last: OurPurchase | null = null; ; ) {
    const page = await listBought(ctx.db, provider.code, { from, to: until }, last)
    const missing = page.filter(
      ({ supplierId, reference }) =>
        !seen.references.has(reference) && !(supplierId !== null && seen.ids.has(supplierId)),
    )
    found += await recordCompared(ctx, provider.code, {
      differences: missing.map((ours) => ({ kind: 'missing_there', ours, theirs: null })),
      agreed: [],
    })
    last = page.at(-1) ?? null
    if (last === null) return found
  }
}
