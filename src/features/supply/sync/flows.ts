import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import type { SupplyProduct, SupplyProvider } from '#providers/supply/provider.ts'
import { recordSync, type SyncOptions } from './commands.ts'
import type { ReadCatalogue } from './engine/plan.ts'
import { storedOf, type Listed, type SyncReport } from './rules.ts'

/** A list that goes round in circles ends here. */
const PAGES_MAX = 20_000
const LISTED_MAX = 500_000

/**
 * Reads all that a supplier lists, with no transaction open, and brings the shop to it. Throws SupplyUnavailable where a page of it cannot be
 * read: nothing is changed then, and 'conflict' where the list is so much shorter than before that it is not believed.
 */
export async function syncCatalogue(
  ctx: OperatorCtx,
  supplier: Pick<SupplyProvider, 'code' | 'catalogue'>,
  options: SyncOptions,
): Promise<SyncReport> {
  requirePermission(ctx, 'product.change')
  return recordSync(ctx, supplier.code, await readAll(supplier), options)
}

async function readAll(supplier: Pick<SupplyProvider, 'catalogue'>): Promise<ReadCatalogue> {
  const listed: Listed[] = []
  let [unread, ranges, cursor]: [number, number, string | null] = [0, 0, null]
  for (let page = 0; ; page += 1) {
    const read = await supplier.catalogue(cursor)
    unread += read.unread.length
    for (const product of read.products) {
      const denominations = listedOf(product)
      if (denominations === null) unread += 1
      else if (product.faces.kind === 'range') ranges += 1
      for (const each of denominations ?? []) listed.push(each)
    }
    if (read.next === null) return { listed, unread, ranges }
    if (read.next === cursor || page >= PAGES_MAX || listed.length > LISTED_MAX)
      throw new Error('the list of the supplier does not end')
    cursor = read.next
  }
}

/** Each denomination of a product; none where any amount may be bought, which is sold by the amount. Null for what could not be kept. */
function listedOf(product: SupplyProduct): readonly Listed[] | null {
  const base = storedOf(product)
  if (base === null) return null
  const { faces } = product
  switch (faces.kind) {
    // The product is the denomination: it is ordered without an amount.
    case 'single':
      return [{ ...base, face: null, cost: faces.cost }]
    case 'fixed':
      return faces.amounts.map(({ face, cost }) => ({ ...base, face, cost }))
    case 'range':
      return []
    default:
      return faces satisfies never
  }
}
