import { sql } from 'kysely'
import { GROUPED } from '#features/office/books/queries.ts'
import { AppError } from '#kernel/error.ts'
import { toMajor } from '#kernel/money.ts'
import type { Db } from '#platform/db.ts'
import type { ExportKind, ExportState } from './rules.ts'

export interface ExportRun {
  readonly id: string
  readonly publicId: string
  readonly kind: ExportKind
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
}

const RUN = sql`select id, public_id as "publicId", kind, from_day::text as "fromDay", until_day::text as "untilDay", state, rows, parts, reached, failure,
  asked_by as "askedBy", asked_at as "askedAt", finished_at as "finishedAt" from export_run`

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
    await sql<ExportRun>`${RUN} where finished_at is null order by state = 'running' desc, id limit 1`.execute(
      db,
    )
  return rows[0] ?? null
}

export async function readPart(db: Db, exportId: string, part: number): Promise<string> {
  const row = await db
    .selectFrom('export_part')
    .select('content')
    .where('export_id', '=', exportId)
    .where('part', '=', part)
    .executeTakeFirst()
  return row?.content ?? ''
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
  return { kind, begins: rows[0]?.begins ?? new Date(0), ends: rows[0]?.ends ?? new Date(0) }
}

type Digits = ReadonlyMap<string, number>
type Row = Readonly<Record<string, string | null>>

/** So many rows behind one that was read. Ids are in the order of time, so that a page costs the same wherever it lies. */
export async function readExportPage(
  db: Db,
  { kind, begins, ends }: ExportSpan,
  after: string | null,
  limit: number,
  digits: Digits,
): Promise<ExportPage> {
  const from = sql`greatest(${after}::uuid, uuidv7(${begins}::timestamptz - now() - interval '1 hour'))`
  const { rows } = await READS[kind](from, begins, ends, limit).execute(db)
  return {
    rows: rows.map((row) => WRITES[kind](row, digits)),
    last: rows.at(-1)?.['id'] ?? null,
  }
}

type Fragment = ReturnType<typeof sql>

const READS: Readonly<
  Record<
    ExportKind,
    (from: Fragment, begins: Date, ends: Date, limit: number) => ReturnType<typeof sql<Row>>
  >
> = {
  orders: (from, begins, ends, limit) => sql<Row>`
    select id::text as id, number, to_json(created_at) #>> '{}' as made, status, hold, currency, goods_minor::text as goods, fee_minor::text as fee, total_minor::text as total,
      tax_minor::text as tax, captured_minor::text as captured, refunded_minor::text as refunded, country
    from shop_order where id > ${from} and created_at >= ${begins} and created_at < ${ends} order by id limit ${limit}`,
  units: (from, begins, ends, limit) => sql<Row>`
    select u.id::text as id, o.number, u.public_id as unit, to_json(o.created_at) #>> '{}' as made, l.product_name as product, l.item_name as item, u.delivery, u.status, o.currency,
      u.price_minor::text as price, to_json(u.delivered_at) #>> '{}' as delivered
    from order_unit u join order_line l on l.id = u.line_id join shop_order o on o.id = u.order_id
    where u.id > ${from} and o.created_at >= ${begins} and o.created_at < ${ends} order by u.id limit ${limit}`,
  movements: (from, begins, ends, limit) => sql<Row>`
    select t.id::text as id, to_json(t.at) #>> '{}' as at, t.source, (select ${GROUPED} from ledger_account a where a.id = t.debit) as debit,
      (select ${GROUPED} from ledger_account a where a.id = t.credit) as credit, t.currency, t.amount_minor::text as amount
    from ledger_transfer t where t.id > ${from} and t.at >= ${begins} and t.at < ${ends} order by t.id limit ${limit}`,
}

const amount = (row: Row, name: string, digits: Digits): string =>
  toMajor(BigInt(row[name] ?? '0'), digits.get(row['currency'] ?? '') ?? 0)
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
    ...text(row, 'delivered'),
  ],
  movements: (row, digits) => [
    ...text(row, 'id', 'at', 'source', 'debit', 'credit', 'currency'),
    amount(row, 'amount', digits),
  ],
}
