import { sql } from 'kysely'
import type { Part } from '#kernel/page.ts'
import type { Db } from '#platform/db.ts'

const LISTED_MAX = 200

export interface OpenInvoice {
  readonly id: string
  readonly supplier: string
  readonly kind: 'invoice' | 'credit_note'
  readonly number: string
  readonly currency: string
  readonly amount: string
  readonly fromOn: string
  readonly untilOn: string
  /** What our purchases of that time came to: those made then, or of a credit note those that were taken back then. */
  readonly booked: string
  readonly purchases: number
}

/** What an invoice is compared with: purchases of its days, in its currency, by the shop's own books. */
export const BOOKED = sql`
  cross join lateral (
    select coalesce(sum(p.actual_minor), 0) as minor, count(p.id)::integer as purchases from purchase p
    where p.supplier = i.supplier and p.currency = i.currency and p.actual_minor is not null
      and case when i.kind = 'invoice' then p.created_at >= i.from_on::timestamp at time zone 'UTC' and p.created_at < (i.until_on + 1)::timestamp at time zone 'UTC'
        else p.status = 'reversed' and p.ended_at >= i.from_on::timestamp at time zone 'UTC' and p.ended_at < (i.until_on + 1)::timestamp at time zone 'UTC' end
  ) as booked`

/** Invoices and credit notes that differ from the purchases of their time, oldest first, behind the id of one. */
export async function listOpenInvoices(
  db: Db,
  { after, limit }: Part = { after: null, limit: LISTED_MAX },
): Promise<OpenInvoice[]> {
  const { rows } = await sql<OpenInvoice>`
    select i.id, i.supplier, i.kind, i.number, i.currency, i.amount_minor::text as amount, i.from_on::text as "fromOn", i.until_on::text as "untilOn", booked.minor::text as booked, booked.purchases
    from supplier_invoice i ${BOOKED} where i.closed_at is null and (${after}::uuid is null or i.id > ${after}::uuid) order by i.id limit ${limit}`.execute(
    db,
  )
  return rows
}

export async function countOpenInvoices(db: Db): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::integer as count from supplier_invoice where closed_at is null`.execute(db)
  return rows[0]?.count ?? 0
}

export interface Usage {
  readonly supplier: string
  readonly currency: string
  readonly paidCurrency: string
  readonly usedUntil: Date
  readonly used: string
  readonly average: string
  readonly rate: string
}

/** What was used up of balances of other currencies, newest first: at their average price, and at the rates of the days. */
export async function listUsage(db: Db): Promise<Usage[]> {
  const { rows } = await sql<Usage>`
    select supplier, currency, paid_currency as "paidCurrency", used_until as "usedUntil", used_minor::text as used, average_minor::text as average, rate_minor::text as rate
    from supplier_usage order by used_until desc, supplier, currency limit ${LISTED_MAX}`.execute(
    db,
  )
  return rows
}

export interface Pool {
  readonly supplier: string
  readonly currency: string
  readonly paidCurrency: string
  /** Of all deposits so far. */
  readonly boughtMinor: bigint
  readonly paidMinor: bigint
  /** Not booked yet. */
  readonly usedMinor: bigint
}

/** Balances that were paid for in one other currency, with what was used up of each since it was booked last. */
export async function listPools(db: Db, until: Date): Promise<Pool[]> {
  const { rows } = await sql<{
    supplier: string
    currency: string
    paidCurrency: string
    bought: string
    paid: string
    used: string
  }>`
    select d.supplier, d.currency, min(d.paid_currency) as "paidCurrency", sum(d.amount_minor)::text as bought, sum(d.paid_minor)::text as paid,
      (select coalesce(sum(case when t.credit = a.id then t.amount_minor else -t.amount_minor end), 0)::text from ledger_account a
        join ledger_transfer t on (t.credit = a.id and t.source in ('cost', 'supply_loss')) or (t.debit = a.id and t.source = 'cost_back')
        where a.code = 'supplier:' || d.supplier and a.currency = d.currency and t.at <= ${until}
          and t.at > coalesce((select max(u.used_until) from supplier_usage u where u.supplier = d.supplier and u.currency = d.currency), min(d.recorded_at))) as used
    from supplier_deposit d group by d.supplier, d.currency
    having count(*) = count(d.paid_currency) and count(distinct d.paid_currency) = 1 order by d.supplier, d.currency`.execute(
    db,
  )
  return rows.map(({ bought, paid, used, ...row }) => ({
    ...row,
    boughtMinor: BigInt(bought),
    paidMinor: BigInt(paid),
    usedMinor: BigInt(used),
  }))
}
