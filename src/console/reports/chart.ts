import { scaleLinear } from '@visx/scale'
import type { Compare, ReportFacts } from '#features/office/report/queries.ts'
import type { ReportChoice } from '#features/office/report/rules.ts'
import {
  pointsOf,
  REPORT_MEASURES,
  valueOf,
  type Facts,
  type Measure,
  type ReportTexts,
  type Spans,
  type Unit,
} from '#features/office/report/views.ts'
import type { ChartLines, Line } from '../kit/chart.ts'

export interface ReportChart extends ChartLines {
  /** What is drawn. */
  readonly what: string
  readonly per: Unit
}

const NONE = '–'
const TICKS = 3

/** The first measure of a report, point by point, against the other period; null where there is one point alone. */
export function reportChart(
  { report, currency }: ReportChoice,
  { points }: ReportFacts,
  spans: Spans,
  texts: ReportTexts,
): ReportChart | null {
  if (points.length < 2) return null
  const [measure] = REPORT_MEASURES[report]
  const now = lineOf(
    texts.t('console.home.thisPeriod'),
    'sales',
    measure,
    currency,
    texts,
    points,
    'now',
  )
  const lines = [now]
  if (spans.before)
    lines.push(
      lineOf(
        texts.t('console.home.periodBefore'),
        'before',
        measure,
        currency,
        texts,
        points,
        'before',
      ),
    )
  const drawn = lines.flatMap(({ values }) => values.filter((value) => value !== null))
  const isCount = measure.kind === 'count'
  const scale = scaleLinear({
    domain: [Math.min(0, ...drawn), Math.max(isCount ? TICKS : 0, ...drawn) || 1],
  }).nice(TICKS)
  const [from = 0, to = 1] = scale.domain()
  const days = pointsOf(spans.now, spans.unit)
  const labels = points.map((_, place) => {
    const own = days[place] ?? pointsOf(spans.before ?? spans.now, spans.unit)[place]
    return own ? texts.point(own, spans.unit) : ''
  })
  const running = spans.isRunning ? days.length - 1 : points.length
  return {
    what: texts.measureName(measure.name),
    per: spans.unit,
    lines,
    labels,
    moments: labels.map((label, place) => (place === running ? texts.soFar(label) : label)),
    running,
    ticks: scale
      .ticks(TICKS)
      .filter((at) => !isCount || Number.isInteger(at))
      .map((at) => ({ at, text: tickOf(measure, at, texts) })),
    from,
    to,
    sentence: sentenceOf(now, labels, texts.measureName(measure.name), texts),
  }
}

function tickOf({ kind }: Measure, at: number, texts: ReportTexts): string {
  if (kind === 'time') return texts.shortDuration(at)
  return kind === 'share' ? texts.share(at) : texts.shortCount(at)
}

function lineOf(
  name: string,
  look: Line['look'],
  measure: Measure,
  currency: string | null,
  texts: ReportTexts,
  points: ReportFacts['points'],
  which: keyof Compare,
): Line {
  const factsOf = (point: (typeof points)[number]): Facts | null => point[which]
  return {
    name,
    look,
    values: points.map((point) => {
      const facts = factsOf(point)
      return facts && drawnOf(measure, facts, currency, texts)
    }),
    texts: points.map((point) => {
      const facts = factsOf(point)
      return facts ? texts.measure(measure, facts, currency) : NONE
    }),
  }
}

/** For drawing alone. */
function drawnOf(
  measure: Measure,
  facts: Facts,
  currency: string | null,
  { drawn, drawnIn }: ReportTexts,
): number | null {
  const { value, own } = valueOf(measure, facts, currency)
  if (value === null) return null
  if (measure.kind !== 'money') return Number(value)
  return own === null ? drawn(BigInt(value)) : drawnIn(BigInt(value), own)
}

function sentenceOf(
  { values, texts: told }: Line,
  labels: readonly string[],
  what: string,
  { t }: ReportTexts,
): string {
  const there = values.flatMap((value, place) => (value === null ? [] : [{ value, place }]))
  const most = there.toSorted((one, other) => other.value - one.value)[0]
  const text = (at: { readonly place: number } | undefined) => told[at?.place ?? 0] ?? NONE
  const when = (at: { readonly place: number } | undefined) => labels[at?.place ?? 0] ?? ''
  const [first, last] = [there[0], there.at(-1)]
  return t('console.home.sentence', {
    what,
    begun: when(first),
    first: text(first),
    ended: when(last),
    last: text(last),
    at: when(most),
    most: text(most),
  })
}
