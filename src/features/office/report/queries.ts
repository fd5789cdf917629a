import { sql } from 'kysely'
import type { Dimension } from '#features/office/figure/rules.ts'
import type { Db } from '#platform/db.ts'
import { addFacts, NO_FACTS, REPORT_MEASURES, type Facts } from './engine/measures.ts'
import type { Spans } from './engine/span.ts'
import { readFigureFacts } from './read/figures.ts'
import { readCreditFacts, readDisputeFacts, readSearchFacts } from './read/others.ts'
import {
  slotsOfPoints,
  slotsOfWhole,
  type Slot,
  type SlotFacts,
  type Wanted,
} from './read/pieces.ts'
import { readTallyFacts } from './read/tallies.ts'
import type { Report, ReportChoice, Split } from './rules.ts'

export { listSavedReports } from './read/saved.ts'

/** A point of a chart, or a value that is told apart. */
export interface Compare {
  readonly now: Facts
  readonly before: Facts | null
}

export interface ReportFacts {
  readonly all: Compare
  /** As many as the longer of both periods has; what is still to come has no facts. */
  readonly points: readonly { readonly now: Facts | null; readonly before: Facts | null }[]
  /** By value, those first of whom there is most; empty where it is told by time. */
  readonly parts: readonly (Compare & { readonly value: string })[]
  /** Up to when it was added up; null where that is not how it is read, or not yet. */
  readonly reachedAt: Date | null
  readonly isBehind: boolean
}

type Read = (
  db: Db,
  slots: readonly Slot[],
  wanted: Wanted,
  by: Split | null,
) => Promise<SlotFacts[]>

const ofFigures: Read = (db, slots, wanted, by) =>
  readFigureFacts(db, slots, wanted, by as Dimension | null)
const byValue = (by: Split | null) => (by === null || by === 'currency' ? by : 'value')

const READS: Readonly<Record<Report, Read>> = {
  sales: ofFigures,
  margin: ofFigures,
  refunds: ofFigures,
  delivery: ofFigures,
  disputes: (db, slots, wanted, by) =>
    readDisputeFacts(db, slots, wanted, by as 'currency' | 'country' | 'method' | null),
  suppliers: (db, slots, wanted, by) =>
    readTallyFacts(db, slots, wanted, ['purchase'], byValue(by)),
  keys: (db, slots, wanted, by) =>
    readTallyFacts(db, slots, wanted, ['key_bought', 'key_sold'], byValue(by)),
  tax: (db, slots, wanted, by) => readTallyFacts(db, slots, wanted, ['tax'], byValue(by)),
  credit: (db, slots, wanted, by) => readCreditFacts(db, slots, wanted, by as 'currency' | null),
  searches: (db, slots, _, by) => readSearchFacts(db, slots, by as 'words' | null),
}

/** What a report says of its period, point by point and told apart, with what it is compared with. */
export async function readReport(
  db: Db,
  choice: ReportChoice,
  spans: Spans,
  timeZone: string,
): Promise<ReportFacts> {
  const read = READS[choice.report]
  const wanted = { spans, timeZone, currency: choice.currency }
  const [points, parts, progress] = await Promise.all([
    read(db, slotsOfPoints(spans), wanted, null),
    choice.by === 'time' ? [] : read(db, slotsOfWhole(spans), wanted, choice.by),
    readProgress(db, choice.report),
  ])
  return {
    all: allOf(choice.report, points, spans),
    points: pointsOfSlots(points, spans),
    parts: partsOfSlots(choice.report, parts, spans),
    ...progress,
  }
}

/** Sums over time; what is a level stands at the end. */
function allOf(report: Report, rows: readonly SlotFacts[], { before }: Spans): Compare {
  const of = (isNow: boolean) => {
    const own = rows.filter((row) => row.isNow === isNow).toSorted((a, b) => a.place - b.place)
    const all = addFacts(own.map(({ facts }) => facts))
    return { ...all, sums: { ...all.sums, ...levelsOf(report, own.at(-1)?.facts) } }
  }
  return { now: of(true), before: before && of(false) }
}

/** The sums that are not added up over time. */
function levelsOf(report: Report, last: Facts | undefined): Record<string, bigint> {
  const levels = REPORT_MEASURES[report].filter(({ isLevel }) => isLevel).map(({ name }) => name)
  return Object.fromEntries(
    levels
      .flatMap((name) => [`${name}_usd`, `${name}_minor`])
      .map((name) => [name, last?.sums[name] ?? 0n]),
  )
}

function pointsOfSlots(rows: readonly SlotFacts[], spans: Spans): ReportFacts['points'] {
  const slots = slotsOfPoints(spans)
  const count = (isNow: boolean) => slots.filter((slot) => slot.isNow === isNow).length
  const factsOf = new Map(rows.map((row) => [`${row.isNow} ${row.place}`, row.facts]))
  const at = (place: number, isNow: boolean) =>
    place < count(isNow) ? (factsOf.get(`${isNow} ${place}`) ?? NO_FACTS) : null
  return Array.from({ length: Math.max(count(true), count(false)) }, (_, place) => ({
    now: at(place, true),
    before: at(place, false),
  }))
}

function partsOfSlots(
  report: Report,
  rows: readonly SlotFacts[],
  { before }: Spans,
): ReportFacts['parts'] {
  const [main] = REPORT_MEASURES[report]
  const most = (facts: Facts) => {
    const measured = main.kind === 'time' ? (facts.sums['delivered'] ?? 0n) : main.of(facts)
    return typeof measured === 'bigint' ? measured : 0n
  }
  return [...Map.groupBy(rows, ({ value }) => value)]
    .map(([value, own]) => ({
      value,
      now: addFacts(own.filter(({ isNow }) => isNow).map(({ facts }) => facts)),
      before: before && addFacts(own.filter(({ isNow }) => !isNow).map(({ facts }) => facts)),
    }))
    .filter((part) => [part.now, part.before].some(hasSome))
    .toSorted((one, other) => {
      const [a, b] = [most(one.now), most(other.now)]
      return a === b ? (one.value < other.value ? -1 : 1) : a > b ? -1 : 1
    })
}

const hasSome = (facts: Facts | null) =>
  facts !== null && Object.values(facts.sums).some((sum) => sum !== 0n)

const FIGURES: ReadonlySet<Report> = new Set(['sales', 'margin', 'refunds', 'delivery'])
const TALLIES: ReadonlySet<Report> = new Set(['suppliers', 'keys', 'tax'])

async function readProgress(
  db: Db,
  report: Report,
): Promise<Pick<ReportFacts, 'reachedAt' | 'isBehind'>> {
  if (!FIGURES.has(report) && !TALLIES.has(report)) return { reachedAt: null, isBehind: false }
  const [progress, due] = FIGURES.has(report)
    ? [sql.table('figure_progress'), sql.table('figure_due')]
    : [sql.table('tally_progress'), sql.table('tally_due')]
  const { rows } = await sql<{ reachedAt: Date | null; isBehind: boolean }>`
    select (select reached from ${progress}) as "reachedAt",
      exists (select from ${due} where begins < (select reached - interval '2 days' from ${progress})) as "isBehind"`.execute(
    db,
  )
  return rows[0] ?? { reachedAt: null, isBehind: false }
}

/** Currencies that orders were placed in, for choosing one of them. */
export async function listReportCurrencies(db: Db): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select c.code from currency c where exists (
      select from figure f where f.span in ('day', 'month') and f.dimension = 'currency' and f.value = c.code
    ) or c.is_checkout order by c.position, c.code`.execute(db)
  return rows.map(({ code }) => code)
}
