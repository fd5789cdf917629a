import { readShopCurrency } from '#features/base/shop/queries.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { readBreakdown, readFigures, type Series } from '#features/office/figure/queries.ts'
import {
  addUp,
  DIMENSIONS,
  PERIODS,
  SPANS,
  STALE_MINUTES,
  type Dimension,
  type Period,
} from '#features/office/figure/rules.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import type { ConsoleContext } from '../page.ts'
import { breakdownView, type BreakdownView } from './breakdown.ts'
import { chartView, type ChartView } from './chart-view.ts'
import { deliveryView, type DeliveryView } from './delivery.ts'
import { figureTexts } from '#features/office/figure/views.ts'
import { isShown, type Shown } from './shown.ts'
import { tilesOf, type Tile } from './tiles.ts'

/** What an address asks for: below `/console`, and back at the figures. */
export interface Choice {
  readonly period: Period
  readonly show: Shown
  readonly by: Dimension
}

export interface FiguresView {
  readonly choice: Choice
  /** What sums are told in. */
  readonly currency: string
  /** Days that are shown, in words. */
  readonly span: string
  /** Null where nothing has happened in the period nor in the one before. */
  readonly shown: {
    readonly tiles: readonly Tile[]
    readonly chart: ChartView
    readonly breakdown: BreakdownView
    readonly delivery: DeliveryView | null
  } | null
  /** When the books were looked through last, where that is long ago. */
  readonly asOf: string | null
  readonly isBehind: boolean
}

const BREAKDOWN_ROWS = 8
const MINUTE_MS = 60_000

export async function loadFigures(context: ConsoleContext): Promise<FiguresView> {
  const { ctx, query, timeZone } = context
  const choice = choiceOf(query)
  const now = ctx.now()
  const of = { period: choice.period, now, timeZone }
  const [series, breakdown, currencies, shop] = await Promise.all([
    readFigures(ctx.db, of),
    readBreakdown(ctx.db, { ...of, dimension: choice.by, limit: BREAKDOWN_ROWS }),
    listCurrencies(ctx.db),
    readShopCurrency(ctx.db),
  ])
  const digits = new Map(currencies.map(({ code, minorUnits }) => [code, minorUnits]))
  const texts = figureTexts(context, digits, shop)
  const sums = {
    now: addUp(series.now.map(({ figures }) => figures)),
    // Of a day that is not over, as much of the one before.
    before: addUp(series.before.slice(0, series.now.length).map(({ figures }) => figures)),
  }
  const isEmpty =
    [sums.now, sums.before].every(
      ({ begun, paid, delivered }) => begun + paid + delivered === 0n,
    ) && sums.now.refunds === 0n
  return {
    choice,
    currency: shop.code,
    span: texts.range(series.now, SPANS[choice.period].span, now),
    shown: isEmpty
      ? null
      : {
          tiles: tilesOf(sums, texts),
          chart: chartView(series, choice, texts),
          breakdown: await breakdownView(context, choice.by, breakdown, sums.now, texts),
          delivery: deliveryView(sums.now, texts),
        },
    asOf: staleSince(context, series, now),
    isBehind: series.isBehind,
  }
}

function staleSince({ language, timeZone }: ConsoleContext, { reachedAt }: Series, now: Date) {
  if (!reachedAt || now.getTime() - reachedAt.getTime() < STALE_MINUTES * MINUTE_MS) return null
  return formatShortMoment(language.code, reachedAt, timeZone)
}

/** What an address does not say, or says wrongly, is as it is at first. */
function choiceOf(query: URLSearchParams): Choice {
  const show = query.get('show')
  return {
    period: PERIODS.find((each) => each === query.get('period')) ?? '30',
    show: isShown(show) ? show : 'sales',
    by: DIMENSIONS.find((each) => each === query.get('by')) ?? 'method',
  }
}
