import { sql } from 'kysely'
import { BANK_TRANSFER } from '#features/goods/pay-method/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { numbersIn, suggestionsFor, type Suggestion, type TransferCandidate } from '../rules.ts'

/** Money on a statement. */
export interface BankLine {
  readonly id: string
  readonly publicId: string
  readonly bookedOn: string
  readonly money: Money
  readonly payer: string | null
  readonly text: string
  readonly reference: string | null
  readonly account: string | null
  readonly outcome: 'matched' | 'set_aside' | null
  readonly note: string
  readonly closedBy: string | null
  readonly closedAt: Date | null
  /** The order that it was matched to; of an open one, the order that somebody asked to match it to. */
  readonly orderNumber: string | null
  /** Public id of the act that waits for another person. */
  readonly waits: string | null
}

interface LineRow extends Omit<BankLine, 'money'> {
  readonly currency: string
  readonly minor: string
}

const LINE = sql`
  select l.id, l.public_id as "publicId", l.booked_on::text as "bookedOn", l.currency, l.amount_minor::text as minor, l.payer, l.text, l.reference, l.account,
    l.outcome, l.note, l.closed_by as "closedBy", l.closed_at as "closedAt", coalesce(o.number, w.details ->> 'order') as "orderNumber", w.public_id as waits
  from bank_line l
  left join (bank_receipt r join payment_attempt p on p.id = r.attempt_id join shop_order o on o.id = p.order_id)
    on r.id = coalesce(l.receipt_id, (select x.id from bank_receipt x where x.reference = 'line ' || l.public_id))
  left join operator_act w on w.kind = 'bank_receipt' and w.subject = 'line ' || l.public_id and w.status = 'waiting'`

const lineOf = ({ currency, minor, ...row }: LineRow): BankLine => ({
  ...row,
  money: { minor: BigInt(minor), currency },
})

/** Lines that nobody has matched or set aside, or those that somebody has, newest first. @param before the last of the page before */
export async function listLines(
  db: Db,
  isOpen: boolean,
  before: string | null,
  limit: number,
): Promise<BankLine[]> {
  const { rows } = await sql<LineRow>`${LINE}
    where (l.outcome is null) = ${isOpen} and (${before}::uuid is null or l.id < ${before}::uuid) order by l.id desc limit ${limit}`.execute(
    db,
  )
  return rows.map(lineOf)
}

export async function countOpenLines(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select from bank_line where outcome is null limit 1000) as open`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** Throws 'not_found'. */
export async function getLine(db: Db | Tx, publicId: string): Promise<BankLine> {
  const { rows } = await sql<LineRow>`${LINE} where l.public_id = ${publicId}`.execute(db)
  const [row] = rows
  if (!row) throw new AppError('not_found')
  return lineOf(row)
}

const CANDIDATES = 50

/** A receipt that was noted by hand and that no line stands for. */
const BY_HAND = sql`r.reference not like 'line %' and not exists (select from bank_line m where m.receipt_id = r.id)`

/** Orders that lines may be money for: by the numbers that payers wrote, by what open transfers ask for, and by what was noted by hand. */
export async function suggestOrders(
  db: Db,
  lines: readonly { readonly publicId: string; readonly text: string; readonly money: Money }[],
): Promise<ReadonlyMap<string, readonly Suggestion[]>> {
  const numbers = [...new Set(lines.flatMap(({ text }) => numbersIn(text)))]
  const named = await listCandidates(
    db,
    sql`o.number = any(${numbers}::text[])`,
    numbers.length + CANDIDATES,
  )
  const suggested = new Map<string, readonly Suggestion[]>()
  for (const line of lines) {
    const { minor, currency } = line.money
    const ofAmount = await listCandidates(
      db,
      sql`p.currency = ${currency} and p.amount_minor = ${minor} and p.status in ('created', 'requires_action')`,
      CANDIDATES,
    )
    const noted = await listCandidates(
      db,
      sql`p.id in (select r.attempt_id from bank_receipt r where r.currency = ${currency} and r.amount_minor = ${minor} and ${BY_HAND} order by r.id desc limit ${CANDIDATES})`,
      CANDIDATES,
    )
    const all = new Map([...named, ...ofAmount, ...noted].map((each) => [each.orderNumber, each]))
    suggested.set(line.publicId, suggestionsFor(line, [...all.values()]))
  }
  return suggested
}

async function listCandidates(
  db: Db | Tx,
  condition: ReturnType<typeof sql>,
  limit: number,
): Promise<TransferCandidate[]> {
  const { rows } = await sql<{
    orderNumber: string
    currency: string
    minor: string
    isOpen: boolean
    received: string
    byHand: readonly { reference: string; minor: string; currency: string }[]
  }>`
    select distinct on (o.number) o.number as "orderNumber", p.currency, p.amount_minor::text as minor, p.status in ('created', 'requires_action') as "isOpen",
      coalesce((select sum(r.amount_minor) from bank_receipt r where r.attempt_id = p.id), 0)::text as received,
      coalesce((select json_agg(json_build_object('reference', n.reference, 'minor', n.minor::text, 'currency', n.currency) order by n.reference) from (
        select r.reference, r.amount_minor as minor, r.currency from bank_receipt r where r.attempt_id = p.id and ${BY_HAND}
        union all select w.subject, w.amount_minor, w.currency from operator_act w
          where w.kind = 'bank_receipt' and w.status = 'waiting' and w.ends_at > now() and w.order_id = o.id and w.subject not like 'line %'
      ) as n), '[]') as "byHand"
    from payment_attempt p join shop_order o on o.id = p.order_id where p.provider = ${BANK_TRANSFER} and ${condition}
    order by o.number, p.created_at desc, p.id desc limit ${limit}`.execute(db)
  return rows.map(({ orderNumber, currency, minor, isOpen, received, byHand }) => ({
    orderNumber,
    asked: { minor: BigInt(minor), currency },
    isOpen,
    receivedMinor: BigInt(received),
    notedByHand: byHand.map((noted) => ({
      reference: noted.reference,
      money: { minor: BigInt(noted.minor), currency: noted.currency },
    })),
  }))
}

/**
 * What an order's newest transfer asks for and has got, for what is shown before it is matched; what one would ask for of an unpaid order
 * that was begun to be paid otherwise. Throws 'not_found' for others.
 */
export async function getCandidate(db: Db | Tx, orderNumber: string): Promise<TransferCandidate> {
  const [found] = await listCandidates(db, sql`o.number = ${orderNumber}`, 1)
  if (found) return found
  const { rows } = await sql<{ currency: string; minor: string; isOpen: boolean }>`
    select o.currency, o.total_minor::text as minor, o.ended is null as "isOpen" from shop_order o
    where o.number = ${orderNumber} and o.settled_at is null and o.waived_at is not null`.execute(
    db,
  )
  const [order] = rows
  if (!order) throw new AppError('not_found')
  const asked = { minor: BigInt(order.minor), currency: order.currency }
  return { orderNumber, asked, isOpen: order.isOpen, receivedMinor: 0n, notedByHand: [] }
}

export interface ListedStatement {
  readonly publicId: string
  readonly format: 'camt053' | 'csv'
  readonly lines: number
  readonly known: number
  readonly skipped: number
  readonly faulty: number
  readonly importedAt: Date
  readonly importedBy: string
}

export async function listStatements(db: Db, limit: number): Promise<ListedStatement[]> {
  const { rows } = await sql<ListedStatement>`
    select public_id as "publicId", format, lines, known, skipped, faulty, imported_at as "importedAt", imported_by as "importedBy"
    from bank_statement order by id desc limit ${limit}`.execute(db)
  return rows
}

export interface WaitingReturn {
  readonly refundId: string
  readonly orderNumber: string
  readonly money: Money
  readonly askedAt: Date
}

/** Refunds by transfer that somebody is to send, longest waited for first. */
export async function listReturnsToSend(db: Db, limit: number): Promise<WaitingReturn[]> {
  const { rows } = await sql<{
    refundId: string
    orderNumber: string
    currency: string
    minor: string
    askedAt: Date
  }>`
    select r.public_id as "refundId", o.number as "orderNumber", r.currency, r.amount_minor::text as minor, r.created_at as "askedAt"
    from refund r join shop_order o on o.id = r.order_id left join bank_return b on b.refund_id = r.id
    where r.provider = ${BANK_TRANSFER} and r.destination = 'original' and r.status in ('submitted', 'unknown') and b.refund_id is null
    order by r.id limit ${limit}`.execute(db)
  return rows.map(({ refundId, orderNumber, currency, minor, askedAt }) => ({
    refundId,
    orderNumber,
    money: { minor: BigInt(minor), currency },
    askedAt,
  }))
}

/** What of statements tells of an account: the lines that paid its orders, for its owner's own copy of everything. */
export async function exportBankLines(
  db: Db,
  accountId: string,
): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select l.booked_on::text as booked_on, l.currency, l.amount_minor::text as amount_minor, l.payer, l.text
    from shop_order o join payment_attempt p on p.order_id = o.id join bank_receipt r on r.attempt_id = p.id
    join bank_line l on l.receipt_id = r.id or (r.reference like 'line %' and l.public_id = substring(r.reference from 6)) where o.account_id = ${accountId} order by l.id`.execute(
    db,
  )
  return rows
}
