import { sql } from 'kysely'
import { GROUPED } from '#features/office/books/queries.ts'
import { AppError } from '#kernel/error.ts'
import { toMajor } from '#kernel/money.ts'
import type { Db } from '#platform/db.ts'
import type { SheetSoFar } from './engine/xlsx.ts'
import type { ExportFormat, ExportKind, ExportState } from './rules.ts'

export interface ExportRun {
  readonly id: string
  readonly publicId: string
  readonly kind: ExportKind
  readonly format: ExportFormat
  /** Asked for as XLSX, and longer than that may be. */
  readonly isTooLong: boolean
  readonly fromDay: string
  readonly untilDay: string
  readonly state: ExportState
  readonly rows: number
  readonly parts: number
  readonly reached: string | null
  readonly failure: string | null
  readonly askedBy: string
  readonly askedAt: Date
  readonly finishedAt: Date | null
  /** What is written of a workbook. */
  readonly sheet: SheetSoFar
}

/**
 * What is still to be made. Not told by `finished_at`, by which workers of releases before look for work: a workbook has a time there from
 * the start, so that none of them makes it a table of text.
 */
export const OPEN = sql<boolean>`state in ('waiting','running')`

const RUN = sql`select id, public_id as "publicId", kind, format, is_too_long as "isTooLong", from_day::text as "fromDay", until_day::text as "untilDay", state, rows, parts, reached, failure,
  asked_by as "askedBy", asked_at as "askedAt", case when ${OPEN} then null else finished_at end as "finishedAt",
  json_build_object('crc', sheet_crc, 'bytes', sheet_bytes, 'packed', packed_bytes) as sheet from export_run`

/** Exports, newest first. */
export async function listExports(db: Db, limit: number): Promise<ExportRun[]> {
  const { rows } = await sql<ExportRun>`${RUN} order by id desc limit ${limit}`.execute(db)
  return rows
}

/** Throws 'not_found'. */
export async function getExport(db: Db, publicId: string): Promise<ExportRun> {
  const { rows } = await sql<ExportRun>`${RUN} where public_id = ${publicId}`.execute(db)
  const [run] = rows
  if (!run) throw new AppError('not_found')
  return run
}

/** The export that is to be made next; one that a process left half done goes on first. */
export async function findOpenExport(db: Db): Promise<ExportRun | null> {
  const { rows } =
    await sql<ExportRun>`${RUN} where ${OPEN} order by state = 'running' desc, id limit 1`.execute(
      db,
    )
  return rows[0] ?? null
}

export async function readPart(
  db: Db,
  exportId: string,
  part: number,
): Promise<string | Uint8Array> {
  const row = await db
    .selectFrom('export_part')
    .select(['content', 'bytes'])
    .where('export_id', '=', exportId)
    .where('part', '=', part)
    .executeTakeFirst()
  return row?.content ?? row?.bytes ?? ''
}

export interface ExportPage {
  readonly rows: readonly (readonly string[])[]
  /** Id of the last row; null where there is none. */
  readonly last: string | null
}

/** The span of an export as moments of the shop. */
export interface ExportSpan {
  readonly kind: ExportKind
  readonly begins: Date
  readonly ends: Date
  readonly timeZone: string
}

export async function readSpan(
  db: Db,
  { kind, fromDay, untilDay }: ExportRun,
  timeZone: string,
): Promise<ExportSpan> {
  const { rows } = await sql<{ begins: Date; ends: Date }>`
    select ${fromDay}::date::timestamp at time zone ${timeZone} as begins, (${untilDay}::date + 1)::timestamp at time zone ${timeZone} as ends`.execute(
    db,
  )
  return {
    kind,
    begins: rows[0]?.begins ?? new Date(0),
    ends: rows[0]?.ends ?? new Date(0),
    timeZone,
  }
}

type Digits = ReadonlyMap<string, number>
type Row = Readonly<Record<string, string | null>>

/** So many rows behind one that was read. Ids are in the order of time, so that a page costs the same wherever it lies. */
export async function readExportPage(
  db: Db,
  span: ExportSpan,
  after: string | null,
  limit: number,
  digits: Digits,
): Promise<ExportPage> {
  const { kind } = span
  const { rows } = await READS[kind](span, after, limit).execute(db)
  return {
    rows: rows.map((row) => WRITES[kind](row, digits)),
    last: rows.at(-1)?.['id'] ?? null,
  }
}

type Read = (span: ExportSpan, after: string | null, limit: number) => ReturnType<typeof sql<Row>>

/** Ids are in the order of time: what was made in a span begins here. Asked for once, as an id made anew for each row would be found by no index. */
const behind = (after: string | null, begins: Date) =>
  sql`(select greatest(${after}::uuid, uuidv7(${begins}::timestamptz - now() - interval '1 hour')))`

const READS: Readonly<Record<ExportKind, Read>> = {
  orders: ({ begins, ends }, after, limit) => sql<Row>`
    select o.id::text as id, number, to_json(created_at) #>> '{}' as made, status, hold, currency, goods_minor::text as goods, fee_minor::text as fee, total_minor::text as total,
      tax_minor::text as tax, captured_minor::text as captured, refunded_minor::text as refunded, country
    from shop_order o where o.id > ${behind(after, begins)} and created_at >= ${begins} and created_at < ${ends} order by o.id limit ${limit}`,
  units: ({ begins, ends }, after, limit) => sql<Row>`
    select u.id::text as id, o.number, u.public_id as unit, to_json(o.created_at) #>> '{}' as made, l.product_name as product, l.item_name as item, u.delivery, u.status, o.currency,
      u.price_minor::text as price, l.tax_class as class, l.tax_basis_points::text as rate, l.tax_minor::text as tax, to_json(u.delivered_at) #>> '{}' as delivered
    from order_unit u join order_line l on l.id = u.line_id join shop_order o on o.id = u.order_id
    where u.id > ${behind(after, begins)} and o.created_at >= ${begins} and o.created_at < ${ends} order by u.id limit ${limit}`,
  movements: ({ begins, ends }, after, limit) => sql<Row>`
    select t.id::text as id, to_json(t.at) #>> '{}' as at, t.source, (select ${GROUPED} from ledger_account a where a.id = t.debit) as debit,
      (select ${GROUPED} from ledger_account a where a.id = t.credit) as credit, t.currency, t.amount_minor::text as amount
    from ledger_transfer t where t.id > ${behind(after, begins)} and t.at >= ${begins} and t.at < ${ends} order by t.id limit ${limit}`,
  vat: (span, after, limit) => readVat('month', span, after, limit),
  vat_days: (span, after, limit) => readVat('day', span, after, limit),
}

/** Sums have no id of their own: theirs is made of what they are summed by, in the order of the file. */
function readVat(
  unit: 'month' | 'day',
  { begins, ends, timeZone }: ExportSpan,
  after: string | null,
  limit: number,
): ReturnType<typeof sql<Row>> {
  return sql<Row>`
    select * from (
      select (lpad(to_hex(day - date '2000-01-01'), 8, '0') || encode(convert_to(rpad(country, 2), 'UTF8'), 'hex') || lpad(to_hex(array_position(array['single_purpose','service','multi_purpose','none'], class)), 2, '0')
        || lpad(to_hex(basis_points), 6, '0') || encode(convert_to(currency, 'UTF8'), 'hex') || '000000')::uuid::text as id, day::text as day, country, class, basis_points::text as rate, currency, sold, given_back, gross, tax
      from (
        select date_trunc(${unit}, at at time zone ${timeZone})::date as day, coalesce(country, '') as country, class, basis_points, currency::text as currency,
          coalesce(sum(gross_minor) filter (where gross_minor > 0), 0)::text as sold, coalesce(sum(gross_minor) filter (where gross_minor < 0), 0)::text as given_back,
          sum(gross_minor)::text as gross, sum(tax_minor)::text as tax
        from tax_booking where at >= ${begins} and at < ${ends} group by 1, 2, 3, 4, 5
      ) as summed
    ) as named where ${after}::uuid is null or id::uuid > ${after}::uuid order by id::uuid limit ${limit}`
}

/** Hundredths of a percent as a plain decimal. */
const percent = (basisPoints: string | null) =>
  basisPoints === null ? '' : toMajor(BigInt(basisPoints), 2)
const amount = (row: Row, name: string, digits: Digits): string =>
  signed(BigInt(row[name] ?? '0'), digits.get(row['currency'] ?? '') ?? 0)
const signed = (minor: bigint, digits: number) =>
  minor < 0n ? `-${toMajor(-minor, digits)}` : toMajor(minor, digits)
const text = (row: Row, ...names: readonly string[]) => names.map((name) => row[name] ?? '')

const WRITES: Readonly<Record<ExportKind, (row: Row, digits: Digits) => readonly string[]>> = {
  orders: (row, digits) => [
    ...text(row, 'number', 'made', 'status', 'hold', 'currency'),
    ...['goods', 'fee', 'total', 'tax', 'captured', 'refunded'].map((name) =>
      amount(row, name, digits),
    ),
    ...text(row, 'country'),
  ],
  units: (row, digits) => [
    ...text(row, 'number', 'unit', 'made', 'product', 'item', 'delivery', 'status', 'currency'),
    amount(row, 'price', digits),
    ...text(row, 'class'),
    percent(row['rate'] ?? null),
    row['tax'] === null ? '' : amount(row, 'tax', digits),
    ...text(row, 'delivered'),
  ],
  movements: (row, digits) => [
    ...text(row, 'id', 'at', 'source', 'debit', 'credit', 'currency'),
    amount(row, 'amount', digits),
  ],
  vat: (row, digits) => vatRow((row['day'] ?? '').slice(0, 7), row, digits),
  vat_days: (row, digits) => vatRow(row['day'] ?? '', row, digits),
}

function vatRow(when: string, row: Row, digits: Digits): readonly string[] {
  const [gross, tax] = [BigInt(row['gross'] ?? '0'), BigInt(row['tax'] ?? '0')]
  return [
    when,
    ...text(row, 'country', 'class'),
    percent(row['rate'] ?? null),
    ...text(row, 'currency'),
    ...['sold', 'given_back', 'gross', 'tax'].map((name) => amount(row, name, digits)),
    amount({ ...row, net: (gross - tax).toString() }, 'net', digits),
  ]
}
