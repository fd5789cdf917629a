import type { ShopCurrency } from '#features/base/shop/queries.ts'
import { changeOf } from '#features/office/figure/rules.ts'
import { figureTexts, type FigureReader, type FigureTexts } from '#features/office/figure/views.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import { REPORT_MEASURES, type Facts, type Measure, type MeasureName } from './engine/measures.ts'
import type { Days, Spans, Unit } from './engine/span.ts'
import type { Compare, ReportFacts } from './queries.ts'
import type { Report, ReportChoice } from './rules.ts'

export { addFacts, NO_FACTS, REPORT_MEASURES, type Facts, type Measure } from './engine/measures.ts'
export { pointsOf, spansOf, type Days, type Spans, type Unit } from './engine/span.ts'

/** A sum of the whole period, with how it was in the other. */
export interface ReportTile {
  readonly name: string
  readonly value: string
  readonly change: { readonly text: string; readonly look: 'up' | 'down' | 'same' } | null
  /** Null where nothing is compared with. */
  readonly before: string | null
}

/** Writes a report as a language does. */
export interface ReportTexts extends FigureTexts {
  readonly measure: (measure: Measure, facts: Facts, currency: string | null) => string
  readonly measureName: (name: MeasureName) => string
  readonly changed: (measure: Measure, both: Compare) => ReportTile['change']
  /** A point of a chart: "3 Nov", or "November". */
  readonly point: (days: Days, unit: Unit) => string
  readonly days: (days: Days) => string
}

export const NONE = '–'
/** Less than is told of a change, in hundredths of a percent. */
const TOO_LITTLE = 5

/** What each report and measure is called; those that home tells, too, are called the same. */
export const REPORT_NAMES: Readonly<Record<Report, MessageKey>> = {
  sales: 'console.home.show.sales',
  margin: 'console.home.show.margin',
  refunds: 'console.home.show.refunds',
  disputes: 'console.cases.view.disputes',
  suppliers: 'console.suppliers.nav',
  keys: 'console.keys.nav',
  credit: 'console.reports.credit',
  tax: 'console.money.view.tax',
  delivery: 'console.home.delivery',
  searches: 'console.reports.searches',
}

const SAME_AS: Readonly<Partial<Record<MeasureName, MessageKey>>> = {
  sales: 'console.home.show.sales',
  orders: 'console.home.show.orders',
  units: 'console.home.unitsHead',
  margin: 'console.home.show.margin',
  cost: 'console.products.cost',
  refunds: 'console.home.show.refunds',
  disputes: 'console.cases.view.disputes',
  half: 'console.home.p50',
  most: 'console.home.p95',
  tax: 'console.money.view.tax',
}

const measureKey = (name: MeasureName): MessageKey =>
  SAME_AS[name] ?? (`console.reports.m.${name}` as MessageKey)

/** A measure's value; `own` where it is an amount of the one currency that was chosen. */
export function valueOf(
  measure: Measure,
  facts: Facts,
  currency: string | null,
): { readonly value: bigint | number | null; readonly own: string | null } {
  return currency !== null && measure.own
    ? { value: measure.own(facts), own: currency }
    : { value: measure.of(facts), own: null }
}

export function reportTexts(
  reader: FigureReader,
  digits: ReadonlyMap<string, number>,
  shop: ShopCurrency,
): ReportTexts {
  const texts = figureTexts(reader, digits, shop)
  const { t, language } = reader
  const tag = language.code === 'en' ? 'en-GB-u-nu-latn' : language.intl
  // Days are days of the shop already.
  const date = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' })
  const short = date({ day: 'numeric', month: 'short' })
  const long = date({ day: 'numeric', month: 'short', year: 'numeric' })
  const month = date({ month: 'short', year: '2-digit' })
  const at = (day: string) => new Date(`${day}T00:00:00Z`)
  const written = (measure: Measure, value: bigint | number | null, own: string | null) => {
    if (value === null) return NONE
    switch (measure.kind) {
      case 'money':
        return own === null ? texts.sum(BigInt(value)) : texts.money(BigInt(value), own)
      case 'count':
        return texts.count(value)
      case 'share':
        return texts.share(Number(value))
      case 'time':
        return texts.duration(Number(value))
    }
  }
  return {
    ...texts,
    measure: (measure, facts, currency) => {
      const { value, own } = valueOf(measure, facts, currency)
      return written(measure, value, own)
    },
    measureName: (name) => t(measureKey(name)),
    changed: (measure, both) => changedBy(measure, both, texts),
    point: ({ from }, unit) => (unit === 'month' ? month : short).format(at(from)),
    days: ({ from, until }) => long.formatRange(at(from), at(until)),
  }
}

function changedBy(
  measure: Measure,
  { now, before }: Compare,
  texts: FigureTexts,
): ReportTile['change'] {
  if (before === null) return null
  const [is, was] = [measure.of(now), measure.of(before)]
  if (is === null || was === null) return null
  const by =
    typeof is === 'bigint' && typeof was === 'bigint'
      ? changeOf(is, was)
      : Math.round(Number(is) - Number(was))
  if (by === null) return null
  const text =
    measure.kind === 'share'
      ? texts.points(by)
      : measure.kind === 'time'
        ? texts.longer(by)
        : texts.change(by)
  const least = measure.kind === 'time' ? 1 : TOO_LITTLE
  const look =
    Math.abs(by) < least || measure.isBetter === 0
      ? 'same'
      : by * measure.isBetter > 0
        ? 'up'
        : 'down'
  return { text, look }
}

/** The sums of a report, each with how it was. */
export function tilesOf(
  { report, currency }: ReportChoice,
  { all }: ReportFacts,
  texts: ReportTexts,
): ReportTile[] {
  return REPORT_MEASURES[report].map((measure) => ({
    name: texts.measureName(measure.name),
    value: texts.measure(measure, all.now, currency),
    change: texts.changed(measure, all),
    before: all.before && texts.measure(measure, all.before, currency),
  }))
}

/** What a period is called: its days, and those it is compared with. */
export function spanTexts(
  spans: Spans,
  texts: ReportTexts,
): { readonly now: string; readonly before: string | null } {
  return { now: texts.days(spans.now), before: spans.before && texts.days(spans.before) }
}
