import { scaleLinear } from '@visx/scale'
import type { Point, Series } from '#features/office/figure/queries.ts'
import {
  marginOf,
  quantile,
  shareOf,
  SPANS,
  type Figures,
  type Period,
} from '#features/office/figure/rules.ts'
import type { FigureTexts } from '#features/office/figure/views.ts'
import type { ChartLines, Line } from '../kit/chart.ts'
import type { Shown } from './shown.ts'

export interface ChartView extends ChartLines {
  readonly show: Shown
  readonly per: 'hour' | 'day' | 'week'
}

interface Measure {
  readonly value: (figures: Figures, texts: FigureTexts) => number | null
  readonly text: (figures: Figures, texts: FigureTexts) => string
  readonly tick: (value: number, texts: FigureTexts) => string
}

const NONE = '–'
const TICKS = 3

const ofCents = (cents: (figures: Figures) => bigint): Measure => ({
  value: (figures, { drawn }) => drawn(cents(figures)),
  text: (figures, { sum }) => sum(cents(figures)),
  tick: (value, { shortCount }) => shortCount(value),
})

const ofTime = (part: number): Measure => ({
  value: ({ times }) => quantile(times, part),
  text: ({ times }, { duration }) => {
    const seconds = quantile(times, part)
    return seconds === null ? NONE : duration(seconds)
  },
  tick: (value, { shortDuration }) => shortDuration(value),
})

const MEASURES: Readonly<Record<Exclude<Shown, 'time'>, Measure>> = {
  sales: ofCents(({ sales_usd }) => sales_usd),
  margin: ofCents(marginOf),
  orders: {
    value: ({ paid }) => Number(paid),
    text: ({ paid }, { count }) => count(paid),
    tick: (value, { shortCount }) => shortCount(value),
  },
  paid: {
    value: ({ begun_paid, begun }) => {
      const share = shareOf(begun_paid, begun)
      return share === null ? null : share / 100
    },
    text: ({ begun_paid, begun }, { share }) => {
      const part = shareOf(begun_paid, begun)
      return part === null ? NONE : share(part)
    },
    tick: (value, { share }) => share(value * 100),
  },
  refunds: ofCents(({ refunded_usd }) => refunded_usd),
}

export function chartView(
  series: Series,
  { period, show }: { readonly period: Period; readonly show: Shown },
  texts: FigureTexts,
): ChartView {
  const length = Math.max(series.now.length, series.before.length)
  const lines = linesOf(series, show, texts, length)
  const tick = show === 'time' ? ofTime(0.5).tick : MEASURES[show].tick
  const drawn = lines.flatMap(({ values }) => values.filter((value) => value !== null))
  const scale = scaleLinear({
    domain: [Math.min(0, ...drawn), Math.max(show === 'orders' ? TICKS : 0, ...drawn) || 1],
  }).nice(TICKS)
  const [from = 0, to = 1] = scale.domain()
  const labels = labelsOf(series, period, texts, length)
  const running = series.now.length - 1
  const { span, together } = SPANS[period]
  return {
    show,
    per: together > 1 ? 'week' : span,
    lines,
    labels,
    moments: labels.map((label, index) => (index === running ? texts.soFar(label) : label)),
    running,
    ticks: scale
      .ticks(TICKS)
      .filter((at) => show !== 'orders' || Number.isInteger(at))
      .map((at) => ({ at, text: tick(at, texts) })),
    from,
    to,
    sentence: sentenceOf(lines[0], labels, show, texts),
  }
}

/** Today's later hours have no figures, but their place. */
function labelsOf(series: Series, period: Period, { moment }: FigureTexts, length: number) {
  const shift = (series.now[0]?.begins.getTime() ?? 0) - (series.before[0]?.begins.getTime() ?? 0)
  return Array.from({ length }, (_, index) => {
    const begins =
      series.now[index]?.begins ?? new Date((series.before[index]?.begins.getTime() ?? 0) + shift)
    return moment(begins, period)
  })
}

function linesOf(series: Series, show: Shown, texts: FigureTexts, length: number): Line[] {
  const line = (
    name: string,
    look: Line['look'],
    points: readonly Point[],
    { value, text }: Measure,
  ): Line => ({
    name,
    look,
    values: Array.from({ length }, (_, index) => {
      const point = points[index]
      return point ? value(point.figures, texts) : null
    }),
    texts: Array.from({ length }, (_, index) => {
      const point = points[index]
      return point ? text(point.figures, texts) : NONE
    }),
  })
  const { t } = texts
  if (show === 'time')
    return [
      line(t('console.home.p50'), 'ink', series.now, ofTime(0.5)),
      line(t('console.home.p95'), 'second', series.now, ofTime(0.95)),
    ]
  const measure = MEASURES[show]
  return [
    line(t('console.home.thisPeriod'), show === 'sales' ? 'sales' : 'ink', series.now, measure),
    line(t('console.home.periodBefore'), 'before', series.before, measure),
  ]
}

function sentenceOf(
  line: Line | undefined,
  labels: readonly string[],
  show: Shown,
  { t }: FigureTexts,
): string {
  const values = line?.values ?? []
  const there = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]))
  const first = there[0]
  const last = there.at(-1)
  const most = there.toSorted((one, other) => other.value - one.value)[0]
  const text = (at: { readonly index: number } | undefined) => line?.texts[at?.index ?? 0] ?? NONE
  const when = (at: { readonly index: number } | undefined) => labels[at?.index ?? 0] ?? ''
  return t('console.home.sentence', {
    what: t(`console.home.show.${show}`),
    begun: when(first),
    first: text(first),
    ended: when(last),
    last: text(last),
    at: when(most),
    most: text(most),
  })
}
