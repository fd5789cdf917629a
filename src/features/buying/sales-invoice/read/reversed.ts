import { sql } from 'kysely'
import type { Tx } from '#platform/ctx.ts'
import { listLinesNotGivenBack, type TaxDue } from '../queries.ts'
import { reversedUnits, type InvoiceContent, type TaxClassed, type TaxedUnits } from '../rules.ts'

/** What a refund, or a bank, has taken of the sale: its goods, and all of it with the part of the fee. Amounts in minor units. */
export interface TakenBack {
  readonly units: readonly TaxedUnits[]
  readonly grossMinor: bigint
  readonly feeMinor: bigint
}

/** Whether it was the payer's bank that took, or gave back, and not the shop. */
export async function isReversal(tx: Tx, refundId: string | null): Promise<boolean> {
  const { rows } = await sql<{ purpose: string }>`
    select purpose from refund where id = ${refundId}`.execute(tx)
  return rows[0]?.purpose === 'reversal'
}

/** What a bank took of money that had paid for the goods; null where it took none of that. */
export async function readReversed(
  tx: Tx,
  { orderId, refundId }: Pick<TaxDue, 'orderId' | 'refundId'>,
): Promise<TakenBack | null> {
  const { rows } = await sql<{
    taken: string
    before: string
    total: string
    borne: string
    fee: string
  }>`
    with taken as (
      select r.id, sum(case t.source when 'refund' then t.amount_minor else -t.amount_minor end) as minor
      from refund r join ledger_transfer t on t.source in ('refund', 'refund_rest') and t.source_id = r.id
      where r.order_id = ${orderId} and r.purpose = 'reversal' and r.id <= ${refundId} and (r.status = 'succeeded' or r.id = ${refundId})
        -- The first is of money that had paid for nothing.
        and not (t.source = 'refund' and t.leg = 0)
      group by r.id
    )
    select coalesce((select minor from taken where id = ${refundId}), 0)::text as taken, coalesce((select sum(minor) from taken where id <> ${refundId}), 0)::text as before,
      o.total_minor::text as total, o.shortfall_minor::text as borne, o.fee_minor::text as fee
    from shop_order o where o.id = ${orderId}`.execute(tx)
  const [row] = rows
  const takenMinor = BigInt(row?.taken ?? 0)
  if (!row || takenMinor <= 0n) return null
  const units = reversedUnits(await listLinesNotGivenBack(tx, orderId), {
    takenMinor,
    beforeMinor: BigInt(row.before),
    totalMinor: BigInt(row.total),
    borneMinor: BigInt(row.borne),
    feeMinor: BigInt(row.fee),
  })
  const goodsMinor = units.reduce(
    (sum, { priceMinor, quantity }) => sum + priceMinor * BigInt(quantity),
    0n,
  )
  return { units, grossMinor: takenMinor, feeMinor: takenMinor - goodsMinor }
}

/** The same once it was given back: what was written down then, line by line where there was a credit note. */
export async function readGivenBack(tx: Tx, refundId: string | null): Promise<TakenBack | null> {
  const { rows } = await sql<{ gross: string; content: InvoiceContent }>`
    select gross_minor::text as gross, content from sales_invoice where refund_id = ${refundId} and kind = 'credit_note'`.execute(
    tx,
  )
  const [note] = rows
  if (note)
    return {
      units: note.content.lines.map((line) => ({
        goods: line.goods,
        detail: line.detail,
        quantity: line.quantity,
        priceMinor: BigInt(line.price_minor),
        taxClass: line.tax_class,
        basisPoints: line.basis_points,
        taxMinor: BigInt(line.tax_minor),
      })),
      grossMinor: BigInt(note.gross),
      feeMinor: BigInt(note.content.fee_minor),
    }
  const { rows: sums } = await sql<TaxClassed & { gross: string; tax: string }>`
    select class as "taxClass", basis_points as "basisPoints", (-gross_minor)::text as gross, (-tax_minor)::text as tax
    from tax_booking where refund_id = ${refundId} and kind = 'refund' order by id`.execute(tx)
  if (sums.length === 0) return null
  return {
    units: sums.map(({ gross, tax, ...classed }) => ({
      ...classed,
      goods: '',
      detail: '',
      quantity: 1,
      priceMinor: BigInt(gross),
      taxMinor: BigInt(tax),
    })),
    grossMinor: sums.reduce((sum, { gross }) => sum + BigInt(gross), 0n),
    feeMinor: 0n,
  }
}
