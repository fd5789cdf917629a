import { readShopCurrency } from '#features/base/shop/queries.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { STALE_MINUTES } from '#features/office/figure/rules.ts'
import {
  listReportCurrencies,
  readReport,
  type ReportFacts,
} from '#features/office/report/queries.ts'
import {
  choiceQuery,
  hasCurrencies,
  isReport,
  mayReport,
  readChoice,
  REPORTS,
  splitsOf,
  type Report,
  type ReportChoice,
  type SpanFaults,
  type Split,
} from '#features/office/report/rules.ts'
import {
  REPORT_NAMES,
  reportTexts,
  spansOf,
  spanTexts,
  tilesOf,
  type ReportTile,
  type Spans,
} from '#features/office/report/views.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { dayIn } from '#kernel/day.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import { reportChart, type ReportChart } from './chart.ts'
import { loadSaved, type SavedLine } from './saved.ts'
import { tableOf, type ReportTable } from './table.ts'

export interface ShownReport {
  readonly choice: ReportChoice
  /** The choice as an address. */
  readonly query: string
  readonly faults: Readonly<Record<string, string>>
  /** Days as they were typed, right or wrong. */
  readonly typed: Readonly<Record<'from' | 'until', string>>
  readonly currencies: readonly string[]
  readonly splits: readonly Split[]
  readonly days: string
  readonly compared: string | null
  /** The period before and after, as addresses; null where there is none to come. */
  readonly previous: string | null
  readonly next: string | null
  readonly tiles: readonly ReportTile[]
  readonly chart: ReportChart | null
  readonly table: ReportTable
  /** By which rates sums over several currencies are told; null where there is one. */
  readonly rates: string | null
  readonly isEmpty: boolean
  readonly isRunning: boolean
  readonly asOf: string | null
  readonly isBehind: boolean
  readonly mayExport: boolean
}

export interface ReportsData {
  readonly tabs: readonly { readonly name: Report; readonly text: string }[]
  /** Null where the role may read no report. */
  readonly shown: ShownReport | null
  readonly saved: readonly SavedLine[]
  /** The saved one that is shown, by its public id. */
  readonly current: string | null
  readonly hasEmail: boolean
}

const MINUTE_MS = 60_000

export async function load(context: ConsoleContext): Promise<Loaded<ReportsData>> {
  const { ctx, query, t, session } = context
  const tabs = REPORTS.filter((report) => mayReport(ctx.operator, report))
  const named = query.get('report')
  const report = isReport(named) && tabs.includes(named) ? named : tabs[0]
  const saved = await loadSaved(context)
  const current = saved.find(({ id }) => id === query.get('saved'))?.id ?? null
  return {
    title: t('console.reports.nav'),
    data: {
      tabs: tabs.map((name) => ({ name, text: t(REPORT_NAMES[name]) })),
      shown: report === undefined ? null : await shownOf(context, report),
      saved,
      current,
      hasEmail: session.profile.email !== null,
    },
  }
}

async function shownOf(context: ConsoleContext, report: Report): Promise<ShownReport> {
  const { ctx, query, timeZone } = context
  const { choice, faults } = readChoice(query, report)
  const spans = spansOf(choice, dayIn(timeZone, ctx.now()))
  const [facts, currencies, shop, offered] = await Promise.all([
    readReport(ctx.db, choice, spans, timeZone),
    listCurrencies(ctx.db),
    readShopCurrency(ctx.db),
    listReportCurrencies(ctx.db),
  ])
  const digits = new Map(currencies.map(({ code, minorUnits }) => [code as string, minorUnits]))
  const texts = reportTexts(context, digits, shop)
  const { now, before } = spanTexts(spans, texts)
  return {
    choice,
    query: choiceQuery(choice).toString(),
    faults: faultTexts(context, faults),
    typed: { from: typedDay(query, 'from'), until: typedDay(query, 'until') },
    currencies: hasCurrencies(report) ? offered : [],
    splits: splitsOf(report, choice.currency),
    days: now,
    compared: before,
    ...neighbours(choice),
    tiles: tilesOf(choice, facts, texts),
    chart: reportChart(choice, facts, spans, texts),
    table: await tableOf(context, choice, facts, spans, texts),
    rates: ratesOf(context, choice, shop.code),
    isEmpty: !hasAny(facts),
    isRunning: spans.isRunning,
    asOf: staleSince(context, facts, spans),
    isBehind: facts.isBehind,
    mayExport: mayDo(ctx.operator, 'export.make'),
  }
}

const DAY_LENGTH = 10
const typedDay = (query: URLSearchParams, edge: string) =>
  (query.get(edge) ?? '').slice(0, DAY_LENGTH)

const hasAny = ({ all }: ReportFacts) =>
  [all.now, all.before].some(
    (facts) => facts !== null && Object.values(facts.sums).some((sum) => sum !== 0n),
  )

function faultTexts({ t }: ConsoleContext, faults: SpanFaults): Record<string, string> {
  return Object.fromEntries(
    Object.entries(faults).map(([field, reason]) => [
      field,
      t(reason === 'required' ? 'error.field.required' : 'console.reports.spanFault'),
    ]),
  )
}

/** A period is one of many; a span of one's own has no neighbours. */
function neighbours(choice: ReportChoice): Pick<ShownReport, 'previous' | 'next'> {
  if (choice.period === 'span') return { previous: null, next: null }
  const at = (ago: number) => choiceQuery({ ...choice, ago }).toString()
  return { previous: at(choice.ago + 1), next: choice.ago === 0 ? null : at(choice.ago - 1) }
}

/** No sum over several currencies without saying by which rates; the margin has costs in several. */
function ratesOf({ t }: ConsoleContext, { report, currency }: ReportChoice, shop: string) {
  const isOwn = currency !== null && report !== 'margin'
  if (isOwn || report === 'searches' || report === 'delivery') return null
  if (report === 'credit') return t('console.reports.ratesToday', { currency: shop })
  const key: MessageKey = shop === 'USD' ? 'console.home.inUsd' : 'console.home.inCurrency'
  const cost =
    report === 'suppliers' || report === 'keys' ? ` ${t('console.reports.ratesOfDay')}` : ''
  return t(key, { currency: shop }) + cost
}

function staleSince(
  { ctx, language, timeZone }: ConsoleContext,
  { reachedAt }: ReportFacts,
  { isRunning }: Spans,
): string | null {
  const isFresh =
    !reachedAt || ctx.now().getTime() - reachedAt.getTime() < STALE_MINUTES * MINUTE_MS
  return isFresh || !isRunning ? null : formatShortMoment(language.code, reachedAt, timeZone)
}
