import { shareOf, type Dimension } from '#features/office/figure/rules.ts'
import type { Compare, ReportFacts } from '#features/office/report/queries.ts'
import { SHOWN_ROWS, type ReportChoice } from '#features/office/report/rules.ts'
import {
  addFacts,
  NO_FACTS,
  pointsOf,
  REPORT_MEASURES,
  valueOf,
  type Facts,
  type ReportTexts,
  type ReportTile,
  type Spans,
} from '#features/office/report/views.ts'
import { formatRate } from '#platform/i18n/format.ts'
import type { ShareRow } from '../kit/shares.tsx'
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
  /** How the first measure is made up; null where that means nothing. */
  readonly shares: readonly ShareRow[] | null
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
    return { heads, rows: rows.toReversed(), more: 0, shares: null }
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
    shares: sharesOf(choice, facts, nameOf, texts),
  }
}

const DRAWN = 8

/** What of the whole each value is, with all others together; of times, and where something is below nothing, that means nothing. */
function sharesOf(
  { report, currency }: ReportChoice,
  { parts }: ReportFacts,
  nameOf: (value: string) => string,
  texts: ReportTexts,
): readonly ShareRow[] | null {
  const [measure] = REPORT_MEASURES[report]
  const amount = (facts: Facts) => {
    const { value } = valueOf(measure, facts, currency)
    return typeof value === 'bigint' ? value : 0n
  }
  const whole = parts.reduce((all, { now }) => all + amount(now), 0n)
  if (measure.kind === 'time' || whole <= 0n || parts.some(({ now }) => amount(now) < 0n))
    return null
  const row = (name: string, facts: Facts, isRest: boolean): ShareRow => {
    const part = shareOf(amount(facts), whole) ?? 0
    return {
      name,
      part: part / 10_000,
      share: texts.share(part),
      sales: texts.measure(measure, facts, currency),
      isRest,
    }
  }
  const rest = parts.slice(DRAWN)
  return [
    ...parts.slice(0, DRAWN).map(({ value, now }) => row(nameOf(value), now, false)),
    ...(rest.length === 0
      ? []
      : [
          row(
            texts.t('console.home.others', { count: rest.length }),
            addFacts(rest.map(({ now }) => now)),
            true,
          ),
        ]),
  ]
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
