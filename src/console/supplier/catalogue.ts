import { inCurrency } from '#features/supply/routing/queries.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import {
  countEntries,
  LISTING_VIEWS,
  listEntries,
  listRuns,
  listSchedules,
  type ListedEntry,
  type ListingPlace,
  type ListingView,
  type SyncRun,
} from '#features/supply/sync/queries.ts'
import type { SyncReport } from '#features/supply/sync/rules.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { pageOf } from '#kernel/page.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import { formatPercent } from '#platform/i18n/percent.ts'
import { actorName } from '../kit/actor-name.ts'
import { moneyTexts } from '../kit/money.ts'
import type { ConsoleContext } from '../page.ts'

export interface CatalogueRow extends ListingPlace {
  readonly name: string
  readonly country: string | null
  readonly status: ListedEntry['status']
  readonly score: number | null
  readonly isLocked: boolean
  readonly modes: ListedEntry['modes']
  readonly item: string | null
  readonly itemName: string | null
  readonly picture: string
  readonly cost: string
  /** A cost that jumped, as it is sent back with a decision. */
  readonly held: { readonly minor: string; readonly currency: string } | null
  readonly heldText: string
  readonly moved: string
  readonly isDearer: boolean
  readonly price: string
  /** Of the price, at the cost that jumped; null where no rate of exchange holds. */
  readonly margin: string | null
  readonly isLoss: boolean
}

export interface RunView {
  readonly id: string
  readonly at: string
  readonly by: string
  readonly outcome: SyncRun['outcome']
  readonly error: string | null
  readonly isDry: boolean
  readonly read: number
  readonly counts: readonly { readonly name: keyof SyncReport; readonly count: number }[]
  readonly lines: readonly { readonly product: string; readonly why: string }[]
}

export interface CatalogueView {
  readonly view: 'catalogue'
  readonly everySeconds: number | null
  readonly next: string | null
  readonly runs: readonly RunView[]
  readonly list: ListingView
  readonly counts: Readonly<Record<ListingView, number>>
  readonly rows: readonly CatalogueRow[]
  readonly nextPage: string | null
  readonly mayProduct: boolean
  readonly mayPrice: boolean
}

const LISTED = 50
const RUNS_SHOWN = 5

export async function loadCatalogue(context: ConsoleContext, code: string): Promise<CatalogueView> {
  const { ctx, query, language, timeZone } = context
  const named = query.get('list')
  const counts = await countEntries(ctx.db, code)
  const first = LISTING_VIEWS.find((view) => counts[view] > 0) ?? 'mapped'
  const list = LISTING_VIEWS.find((view) => view === named) ?? first
  const product = query.get('after')
  const after = product === null ? null : { product, face: query.get('face') ?? '' }
  const found = await listEntries(ctx.db, { supplier: code, view: list, after, limit: LISTED + 1 })
  const { shown, last } = pageOf(found, LISTED)
  const schedule = (await listSchedules(ctx.db)).find(({ supplier }) => supplier === code)
  const runs = (await listRuns(ctx.db, code)).slice(0, RUNS_SHOWN)
  return {
    view: 'catalogue',
    everySeconds: schedule?.everySeconds ?? null,
    next: schedule?.nextAt ? formatShortMoment(language.code, schedule.nextAt, timeZone) : null,
    runs: runs.map((run) => runOf(context, run)),
    list,
    counts,
    rows: await rowsOf(context, shown),
    nextPage: last ? addressAfter(code, list, last) : null,
    mayProduct: mayDo(ctx.operator, 'product.change'),
    mayPrice: mayDo(ctx.operator, 'price.change'),
  }
}

const COUNTS = [
  'listed',
  'known',
  'matchedByName',
  'drafts',
  'unmatched',
  'costs',
  'held',
  'switched',
  'gone',
  'unread',
] as const satisfies readonly (keyof SyncReport)[]

function runOf({ language, timeZone }: ConsoleContext, run: SyncRun): RunView {
  const { report } = run
  return {
    id: run.id,
    at: formatShortMoment(language.code, run.beganAt, timeZone),
    by: actorName(run.startedBy),
    outcome: run.outcome,
    error: run.error,
    isDry: run.isDry,
    read: run.read,
    counts: report
      ? COUNTS.flatMap((name) => (report[name] > 0 ? [{ name, count: report[name] }] : []))
      : [],
    lines: (report?.lines ?? []).map(({ product, why }) => ({ product, why })),
  }
}

function addressAfter(code: string, list: ListingView, { product, face }: ListingPlace): string {
  const address = new URLSearchParams({ view: 'catalogue', list, after: product, face })
  return `/suppliers/${code}?${address.toString()}`
}

async function rowsOf(
  context: ConsoleContext,
  entries: readonly ListedEntry[],
): Promise<CatalogueRow[]> {
  const { ctx, language, pictureOf } = context
  const [money, currencies] = [await moneyTexts(context), await listCurrencies(ctx.db)]
  const text = (minor: string | null, currency: string | null) =>
    minor === null || currency === null ? '–' : money(minor, currency)
  return entries.map((entry) => {
    const { held, heldCurrency, price, priceCurrency, offerCost, offerCurrency } = entry
    const before = offerCost ?? entry.cost
    const isSame = held !== null && before !== null && heldCurrency === offerCurrency
    const move = isSame ? Number(BigInt(held) - BigInt(before)) / Number(before) : null
    const costs =
      held !== null && heldCurrency !== null && price !== null && priceCurrency !== null
        ? inCurrency({ minor: BigInt(held), currency: heldCurrency }, priceCurrency, currencies)
        : null
    const margin =
      costs === null || price === null || price === '0'
        ? null
        : Number(BigInt(price) - costs) / Number(price)
    return {
      product: entry.product,
      face: entry.face,
      name: entry.name,
      country: entry.country,
      status: entry.status,
      score: entry.score,
      isLocked: entry.isLocked,
      modes: entry.modes,
      item: entry.item,
      itemName: entry.item === null ? null : `${entry.productName}: ${entry.itemName}`,
      picture: entry.ourProduct === null ? '' : pictureOf(entry.ourProduct),
      cost: text(before, offerCost === null ? entry.costCurrency : offerCurrency),
      held: held !== null && heldCurrency !== null ? { minor: held, currency: heldCurrency } : null,
      heldText: text(held, heldCurrency),
      moved: move === null ? '–' : `${move > 0 ? '+' : ''}${formatPercent(language.code, move)}`,
      isDearer: move !== null && move > 0,
      price: text(price, priceCurrency),
      margin: margin === null ? null : formatPercent(language.code, margin),
      isLoss: margin !== null && margin < 0,
    }
  })
}
