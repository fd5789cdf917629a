import { registerSuppliers } from '#features/supply/routing/commands.ts'
import { requireNoPriceLimit } from '#features/goods/price-limit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { isAppError } from '#kernel/error.ts'
import { ctxFor, type Ctx } from '#platform/ctx.ts'
import type { SupplyProduct, SupplyProvider } from '#providers/supply/provider.ts'
import { planned, recordDryRun, recordSync, type SyncOptions } from './commands.ts'
import type { ReadCatalogue } from './engine/plan.ts'
import { isSyncDue } from './read/runs.ts'
import {
  faultOfEntry,
  LINES_MOST,
  shownId,
  shownName,
  storedOf,
  type Listed,
  type ReportLine,
  type SyncReport,
} from './rules.ts'
import { beginRun, endRun, noteRunAlive, takeWish } from './write/run.ts'

/** A list that goes round in circles ends here. */
const PAGES_MAX = 20_000
const LISTED_MAX = 500_000

type Lister = Pick<SupplyProvider, 'code' | 'catalogue'>

/**
 * Reads all that a supplier lists, with no transaction open, and brings the shop to it; of one supplier one run at a time. Throws SupplyUnavailable
 * where a page of it cannot be read, 'conflict' where the list is so much shorter than before that it is not believed, 'still_running' beside
 * another run: nothing is changed then.
 */
export async function syncCatalogue(
  ctx: OperatorCtx,
  supplier: Lister,
  options: SyncOptions,
): Promise<SyncReport> {
  requirePermission(ctx, 'product.change')
  requirePermission(ctx, 'price.change')
  if (options.isDry) return planned(ctx, supplier.code, await readAll(supplier), options)
  if (options.appliesJumps) requireNoPriceLimit(ctx)
  return runSync(ctx, supplier, options)
}

const DUE = { isDry: false, appliesJumps: false } as const

/** Has a supplier's sync run where somebody asked for it, or its schedule says so. What goes wrong is kept with the run, and told once it goes wrong again. */
export async function syncWhenDue(
  ctx: Ctx,
  supplier: Lister,
  signal?: AbortSignal,
): Promise<SyncReport | null> {
  const wish = await takeWish(ctx, supplier.code)
  if (!wish && !(await isSyncDue(ctx.db, supplier.code, ctx.now()))) return null
  try {
    if (!wish) return await runSync(ctx, supplier, DUE, signal)
    const { askedBy: actor, ...options } = wish
    const own = ctxFor(ctx, { actor, locale: ctx.locale, currency: ctx.currency })
    return await runSync(own, supplier, options, signal)
  } catch (error) {
    ctx.log.warn('a catalogue was not synchronised', { supplier: supplier.code, error })
    return null
  }
}

async function runSync(
  ctx: Ctx,
  supplier: Lister,
  options: SyncOptions,
  signal?: AbortSignal,
): Promise<SyncReport> {
  await registerSuppliers(ctx, [supplier.code])
  const { isDry } = options
  const run = await beginRun(ctx, supplier.code, isDry)
  try {
    const told = await readAll(supplier, async (read) => {
      signal?.throwIfAborted()
      await noteRunAlive(ctx, run, read)
    })
    if (isDry) return await recordDryRun(ctx, { supplier: supplier.code, run }, told, options)
    return await recordSync(ctx, { supplier: supplier.code, run }, told, options)
  } catch (error) {
    await endRun(ctx, { run, supplier: supplier.code, isDry, ...endOf(error, signal) })
    throw error
  }
}

function endOf(error: unknown, signal: AbortSignal | undefined) {
  const text = error instanceof Error ? error.message : String(error)
  if (signal?.aborted) return { outcome: 'lost', error: 'stopped' } as const
  if (isAppError(error) && error.code === 'conflict')
    return {
      outcome: 'refused',
      error: 'more than half of what it listed is missing from its list',
    } as const
  return { outcome: 'failed', error: text } as const
}

/** @param onPage before each page is asked for, with how many denominations were read */
async function readAll(
  supplier: Lister,
  onPage: (read: number) => Promise<void> = async () => {},
): Promise<ReadCatalogue> {
  const listed: Listed[] = []
  const refused: string[] = []
  const lines: ReportLine[] = []
  const say = (product: string, why: ReportLine['why']) => {
    if (lines.length < LINES_MOST) lines.push({ product: shownId(product), why })
  }
  let [unread, ranges, cursor]: [number, number, string | null] = [0, 0, null]
  for (let page = 0; ; page += 1) {
    await onPage(listed.length)
    const read = await supplier.catalogue(cursor)
    unread += read.unread.length
    for (const name of read.unread) say(name, 'unread')
    for (const product of read.products) {
      const fault = faultOfEntry(product)
      if (fault !== null) {
        refused.push(product.id)
        say(product.id, fault)
        continue
      }
      if (product.faces.kind === 'range') ranges += 1
      for (const each of listedOf(product)) listed.push(each)
    }
    if (read.next === null) return { listed, unread, refused, ranges, lines }
    if (read.next === cursor || page >= PAGES_MAX || listed.length > LISTED_MAX)
      throw new Error('the list of the supplier does not end')
    cursor = read.next
  }
}

/** Each denomination of a product, or the range that it is of. */
function listedOf(product: SupplyProduct): readonly Listed[] {
  const base = { ...storedOf(product), range: null }
  const { faces } = product
  switch (faces.kind) {
    // The product is the denomination: it is ordered without an amount.
    case 'single':
      return [{ ...base, face: null, worth: faces.face, cost: faces.cost }]
    case 'fixed':
      return faces.amounts.map(({ face, cost, name }) => ({
        ...base,
        ...(name === undefined ? {} : { name: shownName(name) }),
        face,
        worth: face,
        cost,
      }))
    case 'range': {
      const { min, max, step = null, price = null } = faces
      return [{ ...base, face: null, worth: null, cost: null, range: { min, max, step, price } }]
    }
    default:
      return faces satisfies never
  }
}
