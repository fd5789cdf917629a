import type { Breakdown } from '#features/office/figure/queries.ts'
import {
  changeOf,
  marginOf,
  quantile,
  shareOf,
  type Dimension,
  type Figures,
} from '#features/office/figure/rules.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { valueNames } from '../kit/value-name.ts'
import type { ConsoleContext } from '../page.ts'
import type { FigureTexts } from '#features/office/figure/views.ts'

export interface BreakdownRow {
  readonly name: string
  /** All others together. */
  readonly isRest: boolean
  /** Its orders, below `/console`; null where no list shows them. */
  readonly path: string | null
  /** Of all sales, for drawing alone. */
  readonly part: number
  readonly share: string
  readonly sales: string
  readonly change: string
  readonly orders: string
  readonly margin: string
  readonly time: string
  readonly refunds: string
}

export interface BreakdownView {
  readonly rows: readonly BreakdownRow[]
}

const NONE = '–'

export async function breakdownView(
  context: ConsoleContext,
  dimension: Dimension,
  { top, rest }: Breakdown,
  all: Figures,
  texts: FigureTexts,
): Promise<BreakdownView> {
  const nameOf = await valueNames(
    context,
    dimension,
    top.map(({ value }) => value),
  )
  const mayOpen = mayDo(context.ctx.operator, 'order.read')
  const rows = top.map(
    ({ value, figures, beforeUsd, ownMinor }): BreakdownRow => ({
      ...rowOf(figures, beforeUsd, all, texts),
      name: nameOf(value),
      isRest: false,
      path:
        mayOpen && value !== '' && dimension !== 'brand'
          ? `/orders?${dimension}=${encodeURIComponent(value)}`
          : null,
      // What is in one currency is told in it.
      ...(dimension === 'currency' ? { sales: texts.money(ownMinor.sales, value) } : {}),
    }),
  )
  if (rest)
    rows.push({
      ...rowOf(rest.figures, rest.beforeUsd, all, texts),
      name: texts.t('console.home.others', { count: rest.parts }),
      isRest: true,
      path: null,
    })
  return { rows }
}

function rowOf(
  figures: Figures,
  beforeUsd: bigint,
  all: Figures,
  { sum, count, share, change, shortDuration }: FigureTexts,
): Omit<BreakdownRow, 'name' | 'path' | 'isRest'> {
  const part = shareOf(figures.sales_usd, all.sales_usd)
  const more = changeOf(figures.sales_usd, beforeUsd)
  const [half, most] = [quantile(figures.times, 0.5), quantile(figures.times, 0.95)]
  return {
    part: (part ?? 0) / 10_000,
    share: part === null ? NONE : share(part),
    sales: sum(figures.sales_usd),
    change: more === null ? NONE : change(more),
    orders: count(figures.paid),
    margin: figures.costed === 0n ? NONE : sum(marginOf(figures)),
    time: half === null || most === null ? NONE : `${shortDuration(half)} / ${shortDuration(most)}`,
    refunds: sum(figures.refunded_usd),
  }
}
