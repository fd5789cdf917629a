import { followNotice } from '#features/supply/purchase/commands.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { SupplyProvider } from '#providers/supply/provider.ts'
import { recordCompared, type Compared } from '../commands.ts'
import { findNamed } from '../queries.ts'
import {
  differenceOf,
  isNews,
  type Difference,
  type OurPurchase,
  type ReportedPurchase,
} from '../rules.ts'

/** Compares some purchases with what a report tells of them. @returns how many differences are new */
export async function comparePage(
  ctx: Ctx,
  provider: SupplyProvider,
  purchases: readonly ReportedPurchase[],
): Promise<number> {
  const known = await findNamed(ctx.db, provider.code, {
    ids: purchases.map(({ supplierId }) => supplierId),
    references: purchases.flatMap(({ reference }) => (reference === null ? [] : [reference])),
  })
  return keepCompared(ctx, provider, compare(purchases, known))
}

/** Writes what differs and what agrees by now, and has the supplier asked about what is news. @returns how many are new */
export async function keepCompared(
  ctx: Ctx,
  provider: SupplyProvider,
  compared: Compared,
): Promise<number> {
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
