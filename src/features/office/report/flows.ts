import { recordAct } from '#features/base/audit/commands.ts'
import { readShopCurrency, type ShopCurrency } from '#features/base/shop/queries.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { fileOfTable, type ColumnValue } from '#features/office/export/views.ts'
import type { ExportFormat } from '#features/office/export/rules.ts'
import { inShopCurrency } from '#features/office/figure/views.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { dayIn } from '#kernel/day.ts'
import { toMajor } from '#kernel/money.ts'
import { transaction } from '#platform/ctx.ts'
import { NO_FACTS, REPORT_MEASURES, type Facts, type Measure } from './engine/measures.ts'
import { pointsOf, spansOf } from './engine/span.ts'
import { readReport, type Compare } from './queries.ts'
import { FILE_ROWS_MAX, requireReport, type ReportChoice } from './rules.ts'
import { valueOf } from './views.ts'

export interface ReportFile {
  readonly name: string
  readonly chunks: readonly (string | Uint8Array)[]
}

/**
 * The table of a report as a file: a line for each point of time, or for each value that it is told apart by, with the same of what it is
 * compared with. Names of columns and values are codes, the same in every language; amounts are plain decimals in the currency beside them.
 */
export async function makeReportFile(
  ctx: OperatorCtx,
  choice: ReportChoice,
  format: ExportFormat,
  timeZone: string,
): Promise<ReportFile> {
  requirePermission(ctx, 'export.make')
  requireReport(ctx, choice.report)
  const spans = spansOf(choice, dayIn(timeZone, ctx.now()))
  const [facts, currencies, shop] = await Promise.all([
    readReport(ctx.db, choice, spans, timeZone),
    listCurrencies(ctx.db),
    readShopCurrency(ctx.db),
  ])
  const digits = new Map(currencies.map(({ code, minorUnits }) => [code as string, minorUnits]))
  const measures = REPORT_MEASURES[choice.report]
  const isCompared = spans.before !== null
  // A line of one currency is told in it, where it is known in it.
  const isOwn = measures.some(({ own }) => own !== undefined)
  const hasMoney = measures.some(({ kind }) => kind === 'money')
  const currencyOf = (value: string) => choice.currency ?? (choice.by === 'currency' ? value : null)
  const row = (value: string, both: Compare): ColumnValue[] => [
    { text: value },
    ...(hasMoney ? [{ text: isOwn ? (currencyOf(value) ?? shop.code) : shop.code }] : []),
    ...[both.now, ...(isCompared ? [both.before ?? NO_FACTS] : [])].flatMap((of) =>
      measures.map((measure) => cellOf(measure, of, currencyOf(value), digits, shop)),
    ),
  ]
  const points = pointsOf(spans.now, spans.unit)
  const rows =
    choice.by === 'time'
      ? facts.points.map(({ now, before }, place) =>
          row(points[place]?.from ?? '', { now: now ?? NO_FACTS, before }),
        )
      : facts.parts.slice(0, FILE_ROWS_MAX).map((part) => row(part.value, part))
  const names = measures.map(({ name, kind }) => (kind === 'time' ? `${name}_seconds` : name))
  const head = [
    choice.by === 'currency' ? 'of' : choice.by,
    ...(hasMoney ? ['currency'] : []),
    ...names,
    ...(isCompared ? names.map((name) => `${name}_before`) : []),
  ]
  await transaction(ctx, (tx) =>
    recordAct(tx, ctx, {
      action: 'export',
      subject: 'report',
      subjectCode: choice.report,
      after: { format, by: choice.by, from: spans.now.from, until: spans.now.until },
    }),
  )
  return {
    name: `${choice.report}-${spans.now.from}-${spans.now.until}.${format}`,
    chunks: await fileOfTable({ name: choice.report, head, rows }, format),
  }
}

function cellOf(
  measure: Measure,
  facts: Facts,
  currency: string | null,
  digits: ReadonlyMap<string, number>,
  shop: ShopCurrency,
): ColumnValue {
  const { value, own } = valueOf(measure, facts, currency)
  if (value === null) return { text: '' }
  switch (measure.kind) {
    case 'count':
      return { number: value.toString() }
    case 'share':
      return { number: signed(BigInt(value), 2) }
    case 'time':
      return { number: String(Math.round(Number(value))) }
    case 'money':
      return own === null
        ? { number: signed(inShopCurrency(BigInt(value), shop), shop.places) }
        : { number: signed(BigInt(value), digits.get(own) ?? 2) }
  }
}

const signed = (minor: bigint, places: number) =>
  minor < 0n ? `-${toMajor(-minor, places)}` : toMajor(minor, places)
