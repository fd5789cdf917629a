import { getPurchase } from '#features/supply/purchase/queries.ts'
import type { Ctx } from '#platform/ctx.ts'
import { createPace } from '#platform/pace.ts'
import type { LookupOutcome, SupplyProvider } from '#providers/supply/provider.ts'
import { noteComparison, type Compared } from '../commands.ts'
import { findComparedTo, listDiffering, listEnded, type Place } from '../queries.ts'
import {
  COMPARED_DAYS,
  differenceOf,
  SETTLING_MS,
  type Comparison,
  type OurPurchase,
  type ReportedPurchase,
} from '../rules.ts'
import { keepCompared } from './page.ts'

const DAY_MS = 86_400_000
const PAGE = 50
/** One run asks about so many at most; the next goes on behind them. */
const ASKED_MOST = 10_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Asks a supplier that publishes no report about each purchase that ended since the last time, at half of the pace it allows, so that what is being
 * bought goes first. What was bought there past the shop cannot be found so: the balance tells of it.
 * @param period from null: since the last time, at most some days ago
 */
export async function compareByLookup(
  ctx: Ctx,
  provider: SupplyProvider,
  { from, to }: { readonly from: Date | null; readonly to: Date },
  signal: AbortSignal | undefined,
): Promise<Comparison> {
  const pace = createPace(provider.capabilities.limits.perSecond / 2)
  const until = new Date(to.getTime() - SETTLING_MS)
  const began = from ?? (await goesOnAt(ctx, provider.code, until))
  const sum = { told: 0, unread: 0, found: 0 }
  let last: Place = { endedAt: began, id: FIRST_ID }
  let page: readonly OurPurchase[] = await listDiffering(ctx.db, provider.code, began)
  for (let asked = 0; asked < ASKED_MOST; asked += page.length) {
    const answers = await askAbout(ctx, provider, page, pace, signal)
    if (signal?.aborted) return { way: 'lookup', ...sum }
    sum.told += answers.compared.agreed.length + answers.compared.differences.length
    sum.unread += answers.unread
    sum.found += await keepCompared(ctx, provider, answers.compared)
    const next = await listEnded(ctx.db, provider.code, until, last, PAGE)
    const end = next.at(-1)
    if (!end) {
      last = { endedAt: until, id: FIRST_ID }
      break
    }
    last = end
    page = next
  }
  if (sum.unread > 0)
    ctx.log.warn('a supplier did not say how some purchases stand', {
      supplier: provider.code,
      count: sum.unread,
    })
  await noteComparison(ctx, provider.code, { to: last.endedAt, told: sum.told })
  return { way: 'lookup', ...sum }
}

async function goesOnAt(ctx: Ctx, supplier: string, until: Date): Promise<Date> {
  const earliest = new Date(until.getTime() - COMPARED_DAYS * DAY_MS)
  const before = await findComparedTo(ctx.db, supplier)
  return before && before > earliest ? before : earliest
}

async function askAbout(
  ctx: Ctx,
  provider: SupplyProvider,
  purchases: readonly OurPurchase[],
  pace: ReturnType<typeof createPace>,
  signal: AbortSignal | undefined,
): Promise<{ readonly compared: Compared; readonly unread: number }> {
  const compared = { differences: [], agreed: [] } as {
    differences: Compared['differences'][number][]
    agreed: Compared['agreed'][number][]
  }
  let unread = 0
  for (const ours of purchases) {
    await pace(signal)
    if (signal?.aborted) break
    const { told, supplierId } = await getPurchase(ctx.db, ours.id)
    const answer = await provider
      .lookup({ purchase: told, supplierId })
      .catch(() => ({ kind: 'unknown' as const, why: 'the call failed within the shop' }))
    const theirs = reportedOf(answer, ours)
    if (theirs === null) unread += 1
    else if (theirs === 'missing')
      compared.differences.push({ kind: 'missing_there', ours, theirs: null })
    else {
      const kind = differenceOf(ours, theirs)
      if (kind === null) compared.agreed.push({ ours, theirs })
      else compared.differences.push({ kind, ours, theirs })
    }
  }
  return { compared, unread }
}

/** What an answer says of a purchase, as a report would; null: nothing. */
function reportedOf(answer: LookupOutcome, ours: OurPurchase): ReportedPurchase | 'missing' | null {
  const theirs = {
    supplierId: ours.supplierId ?? ours.reference,
    reference: ours.reference,
    at: null,
  }
  switch (answer.kind) {
    case 'done':
      return { ...theirs, supplierId: answer.supplierId, state: 'done', cost: answer.cost }
    case 'accepted':
      return { ...theirs, supplierId: answer.supplierId, state: 'open', cost: null }
    case 'failed':
      return { ...theirs, state: 'failed', cost: null }
    case 'not_found':
      return ours.status === 'failed' ? { ...theirs, state: 'failed', cost: null } : 'missing'
    case 'unknown':
      return null
    default:
      return answer satisfies never
  }
}
