import type { Dimension } from '#features/office/figure/rules.ts'
import type { Compare, ReportFacts } from '#features/office/report/queries.ts'
import { SHOWN_ROWS, type ReportChoice } from '#features/office/report/rules.ts'
import {
  NO_FACTS,
  pointsOf,
  REPORT_MEASURES,
  type ReportTexts,
  type ReportTile,
  type Spans,
} from '#features/office/report/views.ts'
import { formatRate } from '#platform/i18n/format.ts'
import { valueNames } from '../kit/value-name.ts'
import type { ConsoleContext } from '../page.ts'

export interface ReportRow {
  readonly key: string
  readonly name: string
  readonly cells: readonly string[]
  /** The first measure as it was; null where nothing is compared with. */
  readonly before: string | null
  readonly change: ReportTile['change']
}

export interface ReportTable {
  /** What each column is called, but the one of names. */
  readonly heads: readonly string[]
  readonly rows: readonly ReportRow[]
  /** How many values there are beside those that are shown. */
  readonly more: number
}

/** The table of a report: a row for each point of time, the newest first, or for each value that it is told apart by. */
export async function tableOf(
  context: ConsoleContext,
  choice: ReportChoice,
  facts: ReportFacts,
  spans: Spans,
  texts: ReportTexts,
): Promise<ReportTable> {
  const measures = REPORT_MEASURES[choice.report]
  const [main] = measures
  const row = (key: string, name: string, both: Compare, currency: string | null): ReportRow => ({
    key,
    name,
    cells: measures.map((measure) => texts.measure(measure, both.now, currency)),
    before: both.before && texts.measure(main, both.before, currency),
    change: texts.changed(main, both),
  })
  const heads = measures.map(({ name }) => texts.measureName(name))
  if (choice.by === 'time') {
    const days = pointsOf(spans.now, spans.unit)
    const rows = days.map((point, place) => {
      const { now, before } = facts.points[place] ?? { now: null, before: null }
      return row(
        point.from,
        texts.point(point, spans.unit),
        { now: now ?? NO_FACTS, before },
        choice.currency,
      )
    })
    return { heads, rows: rows.toReversed(), more: 0 }
  }
  const parts = facts.parts.slice(0, SHOWN_ROWS)
  const nameOf = await namesOf(
    context,
    choice,
    parts.map(({ value }) => value),
  )
  return {
    heads,
    rows: parts.map((part) =>
      row(
        part.value,
        nameOf(part.value),
        part,
        choice.by === 'currency' ? part.value : choice.currency,
      ),
    ),
    more: facts.parts.length - parts.length,
  }
}

/** What a value is called. */
async function namesOf(
  context: ConsoleContext,
  { by }: ReportChoice,
  values: readonly string[],
): Promise<(value: string) => string> {
  const { language, t } = context
  switch (by) {
    case 'words':
      return (value) => value
    case 'currency':
      return (value) => (value === '' ? t('console.home.unknown') : value)
    case 'rate': {
      const countries = new Intl.DisplayNames(language.intl, { type: 'region' })
      return (value) => {
        const at = value.lastIndexOf(' ')
        const country = value.slice(0, at)
        const name = country === '' ? t('console.home.unknown') : (countries.of(country) ?? country)
        return `${name} · ${formatRate(language.code, Number(value.slice(at + 1)))}%`
      }
    }
    default:
      return valueNames(context, by as Dimension, values)
  }
}
