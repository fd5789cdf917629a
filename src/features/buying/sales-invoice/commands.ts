import { sql } from 'kysely'
import { readStored } from '#features/base/setting/queries.ts'
import { listAddresses } from '#features/people/address/queries.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import { listTaxedUnits, type TaxDue } from './queries.ts'
import { isReversal, readGivenBack, readReversed, type TakenBack } from './read/reversed.ts'
import {
  invoiceNumber,
  taxSums,
  type InvoiceBuyer,
  type InvoiceContent,
  type InvoiceKind,
  type Invoicing,
  type TaxedUnits,
} from './rules.ts'
import { invoiceSetting } from './schema.ts'

/**
 * Writes down the tax of a sale, or of what was given back, and where the shop makes invoices the one for it: all at once, each once. What
 * happened to the order before comes first. @returns false where somebody else has done it, or it has to wait
 */
export async function bookTax(ctx: Ctx, id: string, timeZone: string): Promise<boolean> {
  return transaction(ctx, async (tx, now) => {
    const due = await takeDue(tx, id)
    if (!due) return false
    const taken = (await isReversal(tx, due.refundId)) ? await readTaken(tx, due) : undefined
    // A bank took nothing that had paid for goods.
    if (taken === null) return true
    const units = taken?.units ?? (await listTaxedUnits(tx, due))
    await writeSums(tx, ctx, due, units)
    const { value: invoicing, fault } = await readStored(tx, invoiceSetting)
    // An invoice that is owed is not left out because of a typing error.
    if (fault !== null) throw new Error(`the setting invoice cannot be read: ${fault}`)
    if (invoicing) await writeInvoice(tx, ctx, { due, units, taken, invoicing, now, timeZone })
    return true
  })
}

const readTaken = (tx: Tx, due: TaxDue): Promise<TakenBack | null> =>
  due.kind === 'refund' ? readReversed(tx, due) : readGivenBack(tx, due.refundId)

/** Says what this release corrects the tax of: the database gives rows of anything else to none that does not (`tax_due_is_known`). */
const KNOWN = 'banks, parts'

async function takeDue(tx: Tx, id: string): Promise<TaxDue | null> {
  await sql`select set_config('lukado.tax_known', ${KNOWN}, true)`.execute(tx)
  const { rows } = await sql<TaxDue>`
    delete from tax_due d where d.id = ${id}::bigint and not exists (select from tax_due e where e.order_id = d.order_id and e.id < d.id)
    returning order_id as "orderId", refund_id as "refundId", kind, at`.execute(tx)
  return rows[0] ?? null
}

async function writeSums(
  tx: Tx,
  ctx: Ctx,
  { orderId, refundId, kind, at }: TaxDue,
  units: readonly TaxedUnits[],
): Promise<void> {
  const sign = kind === 'refund' ? -1n : 1n
  for (const sum of taxSums(units))
    await sql`
      insert into tax_booking (id, order_id, refund_id, kind, at, country, class, basis_points, currency, gross_minor, tax_minor)
      select ${ctx.newId()}, o.id, ${refundId}, ${kind}, ${at}, o.country, ${sum.taxClass}, ${sum.basisPoints}, o.currency,
        ${(sign * sum.grossMinor).toString()}, ${(sign * sum.taxMinor).toString()} from shop_order o where o.id = ${orderId}`.execute(
      tx,
    )
}

interface Wish {
  readonly due: TaxDue
  readonly units: readonly TaxedUnits[]
  /** Where a payer's bank took or gave back. */
  readonly taken: TakenBack | undefined
  readonly invoicing: Invoicing
  readonly now: Date
  readonly timeZone: string
}

interface OrderFacts {
  readonly number: string
  readonly accountId: string
  readonly email: string | null
  readonly currency: string
  readonly country: string | null
  readonly gross: string
  readonly fee: string
}

/** Nothing where an order was paid before there were invoices: what it gives back has none to correct. */
async function writeInvoice(
  tx: Tx,
  ctx: Ctx,
  { due, units, taken, invoicing, now, timeZone }: Wish,
): Promise<void> {
  const { orderId, refundId, kind } = due
  const about = kind === 'sale' ? null : await findAbout(tx, due)
  if (kind !== 'sale' && about === null) return
  const order = await readFacts(tx, orderId, refundId)
  const isCredit = kind === 'refund'
  const content: InvoiceContent = {
    order: order.number,
    at: due.at.toISOString(),
    about,
    seller: { name: invoicing.name, address: invoicing.address, tax_id: invoicing.tax_id },
    country: order.country,
    lines: units.map((unit) => ({
      goods: unit.goods,
      detail: unit.detail,
      quantity: unit.quantity,
      price_minor: unit.priceMinor.toString(),
      tax_class: unit.taxClass,
      basis_points: unit.basisPoints,
      tax_minor: unit.taxMinor.toString(),
    })),
    fee_minor: taken?.feeMinor.toString() ?? order.fee,
  }
  const year = Number(new Intl.DateTimeFormat('en', { year: 'numeric', timeZone }).format(now))
  const tax = units.reduce((sum, unit) => sum + unit.taxMinor * BigInt(unit.quantity), 0n)
  await tx
    .insertInto('sales_invoice')
    .values({
      id: ctx.newId(),
      public_id: newPublicId(ctx),
      kind: (isCredit ? 'credit_note' : 'invoice') satisfies InvoiceKind,
      order_id: orderId,
      refund_id: refundId,
      series: isCredit ? invoicing.credit_series : invoicing.series,
      year,
      // The database gives the next one.
      number: 0,
      issued_at: now,
      currency: order.currency,
      gross_minor: taken?.grossMinor.toString() ?? order.gross,
      tax_minor: tax.toString(),
      content: JSON.stringify(content),
      buyer: JSON.stringify(await buyerOf(tx, order)),
      keep_until: sql`make_date(${year + invoicing.kept_years}::integer, 12, 31)`,
    })
    .execute()
}

/** The number of the invoice that something was given back of, or of the credit note for what came back. */
async function findAbout(tx: Tx, { orderId, refundId, kind }: TaxDue): Promise<string | null> {
  const { rows } = await sql<{ series: string; year: number; number: number }>`
    select series, year, number from sales_invoice where order_id = ${orderId} and refund_id is not distinct from ${kind === 'refund' ? null : refundId}
      and kind = ${kind === 'refund' ? 'invoice' : 'credit_note'}`.execute(tx)
  return rows[0] ? invoiceNumber(rows[0]) : null
}

async function readFacts(tx: Tx, orderId: string, refundId: string | null): Promise<OrderFacts> {
  const { rows } = await sql<OrderFacts>`
    select o.number, o.account_id as "accountId", a.email, o.currency, o.country, coalesce(r.amount_minor + p.minor, o.total_minor)::text as gross,
      coalesce(r.fee_minor - r.rest_minor + p.minor, o.fee_minor)::text as fee
    from shop_order o join account a on a.id = o.account_id left join refund r on r.id = ${refundId}
      cross join lateral (select coalesce(sum(n.amount_minor), 0) as minor from refund_part f join refund n on n.id = f.refund_id where f.of_refund_id = ${refundId}) as p where o.id = ${orderId}`.execute(
    tx,
  )
  if (!rows[0]) throw new Error(`order ${orderId} is not there`)
  return rows[0]
}

/** As they say of themselves at this moment; an account that is erased has no name any more. */
async function buyerOf(tx: Tx, { accountId, email }: OrderFacts): Promise<InvoiceBuyer> {
  const [address] = await listAddresses(tx, accountId)
  const lines = address
    ? [
        `${address.first_name} ${address.surname}`,
        address.address,
        `${address.postal_code} ${address.region}`,
        address.country,
      ]
    : []
  return { lines: [...lines, email ?? ''].map((line) => line.trim()).filter((line) => line !== '') }
}

/** Takes out who bought, of invoices that the law asks for no longer. What the books need of them stays. */
export async function forgetBuyers({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await db
    .updateTable('sales_invoice')
    .set({ buyer: null })
    .where('keep_until', '<', now())
    .where('buyer', 'is not', null)
    .execute()
}
