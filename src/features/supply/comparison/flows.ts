import { recordAudit } from '#features/base/audit/commands.ts'
import { followNotice } from '#features/supply/purchase/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { SupplyUnavailable, type SupplyProvider } from '#providers/supply/provider.ts'
import { noteComparison, recordCompared, type Compared } from './commands.ts'
import { findNamed, listBought } from './queries.ts'
import {
  COMPARED_DAYS,
  differenceOf,
  isNews,
  SETTLING_MS,
  type Difference,
  type OurPurchase,
  type ReportedPurchase,
} from './rules.ts'

const DAY_MS = 86_400_000
/** A report that never ends is none. */
const PAGES_MOST = 5_000

export interface Comparison {
  /** Purchases that the report told of. */
  readonly told: number
  readonly unread: number
  /** Differences that were not known before. */
  readonly found: number
}

/**
 * Compares the purchases at a supplier with its report of the last days. Nothing is done by what it says: the supplier is asked about what is news,
 * and what differs waits for a person. Null where the supplier has no report. Throws SupplyUnavailable.
 */
export async function compareSupplier(
  ctx: Ctx,
  provider: SupplyProvider,
  { days = COMPARED_DAYS, signal }: { readonly days?: number; readonly signal?: AbortSignal } = {},
): Promise<Comparison | null> {
  const { report } = provider
  if (!report) return null
  const to = ctx.now()
  const from = new Date(to.getTime() - days * DAY_MS)
  const seen = { ids: new Set<string>(), references: new Set<string>() }
  let [cursor, told, unread, found]: [string | null, number, number, number] = [null, 0, 0, 0]
  for (let pages = 0; ; pages += 1) {
    if (pages >= PAGES_MOST) throw new SupplyUnavailable('the report has no end')
    if (signal?.aborted) return { told, unread, found }
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
  return { told, unread, found }
}

/** The same at an operator's wish. Throws as `compareSupplier` does. */
export async function compareByOperator(
  ctx: OperatorCtx,
  provider: SupplyProvider,
  days: number,
): Promise<Comparison | null> {
  requirePermission(ctx, 'supplier.read')
  const compared = await compareSupplier(ctx, provider, { days })
  if (compared === null) return null
  await transaction(ctx, (tx, now) =>
    recordAudit(tx, ctx, now, [
      {
        action: 'supplier_compared',
        subject: 'supplier',
        subjectCode: provider.code,
        before: null,
        after: { days, told: compared.told, found: compared.found },
      },
    ]),
  )
  return compared
}

async function comparePage(
  ctx: Ctx,
  provider: SupplyProvider,
  purchases: readonly ReportedPurchase[],
): Promise<number> {
  const known = await findNamed(ctx.db, provider.code, {
    ids: purchases.map(({ supplierId }) => supplierId),
    references: purchases.flatMap(({ reference }) => (reference === null ? [] : [reference])),
  })
  const compared = compare(purchases, known)
  const found = await recordCompared(ctx, provider.code, compared)
  for (const { ours, theirs } of [...compared.agreed, ...compared.differences])
    if (ours && theirs && isNews(ours, theirs))
      await followNotice(ctx, provider, {
        reference: ours.reference,
        supplierId: ours.supplierId,
      })
  return found
}

function compare(purchases: readonly ReportedPurchase[], known: readonly OurPurchase[]): Compared {
  const byId = new Map(known.map((ours) => [ours.supplierId, ours]))
  const byReference = new Map(known.map((ours) => [ours.reference, ours]))
  const differences: Difference[] = []
  const agreed: Compared['agreed'][number][] = []
  for (const theirs of purchases) {
    const ours = byId.get(theirs.supplierId) ?? byReference.get(theirs.reference ?? '') ?? null
    const kind = differenceOf(ours, theirs)
    if (kind !== null) differences.push({ kind, ours, theirs })
    else if (ours) agreed.push({ ours, theirs })
  }
  return { differences, agreed }
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
