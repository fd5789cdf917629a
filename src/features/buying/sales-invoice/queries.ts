import { sql, type RawBuilder } from 'kysely'
import type { TaxClass, UnitTax } from '#features/goods/tax/rules.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import {
  invoiceNumber,
  type InvoiceBuyer,
  type InvoiceContent,
  type InvoiceKind,
  type TaxedUnits,
  type TaxEvent,
} from './rules.ts'

export interface TaxDue {
  readonly orderId: string
  readonly refundId: string | null
  readonly kind: TaxEvent
  readonly at: Date
}

/** What is still to be written down, in the order in which it happened. */
export async function listDueTaxes(db: Db, last: string | null, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select d.id::text as id from tax_due d where d.id > ${last ?? '0'}::bigint order by d.id limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** What an order sold and did not give back by any refund that is written down, line by line. */
export const listLinesNotGivenBack = (tx: Tx, orderId: string): Promise<TaxedUnits[]> =>
  listCounted(
    tx,
    sql`select u.line_id as id, count(*)::integer as quantity from order_unit u where u.order_id = ${orderId} and not exists (
      select from refund_unit n join refund r on r.id = n.refund_id where n.unit_id = u.id and r.purpose = 'goods' and r.status = 'succeeded'
        and not exists (select from tax_due d where d.refund_id = r.id and d.kind = 'refund')) group by u.line_id`,
  )

/** What an order sold, or a refund gave back, line by line. Of an order whose tax an earlier release kept as a whole, each unit has its rate. */
export async function listTaxedUnits(
  tx: Tx,
  { orderId, refundId }: Pick<TaxDue, 'orderId' | 'refundId'>,
): Promise<TaxedUnits[]> {
  const counted =
    refundId === null
      ? sql`select id, quantity from order_line where order_id = ${orderId}`
      : sql`select u.line_id as id, count(*)::integer as quantity from refund_unit n join order_unit u on u.id = n.unit_id where n.refund_id = ${refundId} group by u.line_id`
  return listCounted(tx, counted)
}

async function listCounted(tx: Tx, counted: RawBuilder<unknown>): Promise<TaxedUnits[]> {
  const { rows } = await sql<{
    goods: string
    detail: string
    quantity: number
    price: string
    taxClass: TaxClass | null
    basisPoints: number
    tax: string
  }>`
    select l.product_name as goods, l.item_name as detail, c.quantity, l.price_minor as price, coalesce(l.tax_class, whole.class) as "taxClass",
      coalesce(l.tax_basis_points, whole.rate, 0) as "basisPoints",
      coalesce(l.tax_minor, round(l.price_minor::numeric * whole.rate / (10000 + whole.rate)), 0)::text as tax
    from (${counted}) as c join order_line l on l.id = c.id
      left join lateral (select 'single_purpose' as class, o.tax_basis_points as rate from shop_order o where o.id = l.order_id and o.tax_basis_points > 0
        and not exists (select from order_line other where other.order_id = o.id and other.tax_class is not null)) as whole on true
    order by l.position`.execute(tx)
  return rows.map(({ price, tax, ...line }) => ({
    ...line,
    priceMinor: BigInt(price),
    taxMinor: BigInt(tax),
  }))
}

export interface SalesInvoice {
  readonly id: string
  readonly kind: InvoiceKind
  readonly number: string
  readonly issuedAt: Date
  readonly currency: string
  readonly grossMinor: bigint
  readonly taxMinor: bigint
  readonly content: InvoiceContent
  readonly buyer: InvoiceBuyer | null
}

interface InvoiceRow {
  readonly id: string
  readonly kind: InvoiceKind
  readonly series: string
  readonly year: number
  readonly number: number
  readonly issuedAt: Date
  readonly currency: string
  readonly gross: string
  readonly tax: string
  readonly content: InvoiceContent
  readonly buyer: InvoiceBuyer | null
}

const INVOICE = sql`select i.public_id as id, i.kind, i.series, i.year, i.number, i.issued_at as "issuedAt", i.currency, i.gross_minor::text as gross,
  i.tax_minor::text as tax, i.content, i.buyer from sales_invoice i join shop_order o on o.id = i.order_id`

const invoiceOf = ({ gross, tax, series, year, number, ...row }: InvoiceRow): SalesInvoice => ({
  ...row,
  number: invoiceNumber({ series, year, number }),
  grossMinor: BigInt(gross),
  taxMinor: BigInt(tax),
})

/** Invoices and credit notes of an order, oldest first. */
export async function listInvoices(db: Db, orderId: string): Promise<SalesInvoice[]> {
  const { rows } =
    await sql<InvoiceRow>`${INVOICE} where i.order_id = ${orderId} order by i.id`.execute(db)
  return rows.map(invoiceOf)
}

/** The same by the order's number. */
export async function listInvoicesByNumber(db: Db, number: string): Promise<SalesInvoice[]> {
  const { rows } =
    await sql<InvoiceRow>`${INVOICE} where o.number = ${number} order by i.id`.execute(db)
  return rows.map(invoiceOf)
}

/** Null for what is not there, or is not the shopper's, where one is named. */
export async function findInvoice(
  db: Db,
  publicId: string,
  accountId: string | null,
): Promise<SalesInvoice | null> {
  const { rows } = await sql<InvoiceRow>`
    ${INVOICE} where i.public_id = ${publicId} and (${accountId}::uuid is null or o.account_id = ${accountId}::uuid)`.execute(
    db,
  )
  return rows[0] ? invoiceOf(rows[0]) : null
}

/** How the lines of an order are taxed, as it was kept when it was made. */
export async function listLineTaxes(
  db: Db,
  number: string,
): Promise<{ readonly quantity: number; readonly tax: UnitTax }[]> {
  const { rows } = await sql<{ quantity: number; class: TaxClass; rate: number; tax: string }>`
    select l.quantity, l.tax_class as class, l.tax_basis_points as rate, l.tax_minor::text as tax from order_line l join shop_order o on o.id = l.order_id
    where o.number = ${number} and l.tax_class is not null order by l.position`.execute(db)
  return rows.map((row) => ({
    quantity: row.quantity,
    tax: { taxClass: row.class, basisPoints: row.rate, minor: BigInt(row.tax) },
  }))
}

/** For the export of everything about a person. */
export async function exportSalesInvoice(
  db: Db,
  accountId: string,
): Promise<Record<string, unknown>[]> {
  const { rows } =
    await sql<InvoiceRow>`${INVOICE} where o.account_id = ${accountId} order by i.id`.execute(db)
  return rows.map(invoiceOf).map((invoice) => ({
    number: invoice.number,
    kind: invoice.kind,
    issued_at: invoice.issuedAt.toISOString(),
    currency: invoice.currency,
    gross_minor: invoice.grossMinor.toString(),
    tax_minor: invoice.taxMinor.toString(),
    content: invoice.content,
    buyer: invoice.buyer,
  }))
}
