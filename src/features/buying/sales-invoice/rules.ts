import type { TaxClass } from '#features/goods/tax/rules.ts'

/** What the owner says of invoices (setting `invoice`). */
export interface Invoicing {
  readonly name: string
  readonly address: readonly string[]
  readonly tax_id: string
  readonly series: string
  readonly credit_series: string
  readonly kept_years: number
}

export const TAX_SWEEP = 'book_taxes'

export type TaxEvent = 'sale' | 'refund' | 'returned'

export interface TaxClassed {
  readonly taxClass: TaxClass | null
  readonly basisPoints: number
}

/** Units of a line that were sold, or given back. */
export interface TaxedUnits extends TaxClassed {
  readonly goods: string
  readonly detail: string
  readonly quantity: number
  /** Of one unit. */
  readonly priceMinor: bigint
  readonly taxMinor: bigint
}

/** What a payer's bank took of an order. Amounts in minor units. */
interface Taken {
  readonly takenMinor: bigint
  /** What it had taken earlier, and still keeps. */
  readonly beforeMinor: bigint
  /** The order's price, and what of it the shop has borne itself. */
  readonly totalMinor: bigint
  readonly borneMinor: bigint
  readonly feeMinor: bigint
}

/**
 * The part of the sale that a bank has taken back: of what was not given back otherwise, in proportion to the money. Rounded so that all
 * parts together are the whole, to the last unit.
 */
export function reversedUnits(
  lines: readonly TaxedUnits[],
  { takenMinor, beforeMinor, totalMinor, borneMinor, feeMinor }: Taken,
): TaxedUnits[] {
  const goodsMinor = lines.reduce(
    (sum, { priceMinor, quantity }) => sum + priceMinor * BigInt(quantity),
    0n,
  )
  const whole = (goodsMinor + feeMinor) * (totalMinor - borneMinor)
  if (whole <= 0n) return []
  const partOf = (minor: bigint, ofMoney: bigint) => {
    const part = ofMoney * totalMinor
    return part >= whole ? minor : (2n * minor * part + whole) / (2n * whole)
  }
  const upToMinor = beforeMinor + takenMinor
  if (beforeMinor === 0n && upToMinor * totalMinor >= whole) return [...lines]
  return lines.map((line) => {
    const share = (minor: bigint) => {
      const all = minor * BigInt(line.quantity)
      return partOf(all, upToMinor) - partOf(all, beforeMinor)
    }
    return {
      ...line,
      quantity: 1,
      priceMinor: share(line.priceMinor),
      taxMinor: share(line.taxMinor),
    }
  })
}

export interface TaxSum {
  readonly taxClass: TaxClass
  readonly basisPoints: number
  readonly grossMinor: bigint
  readonly taxMinor: bigint
}

/** What units come to, by class and rate; what nobody has classed is left out. */
export function taxSums(units: readonly TaxedUnits[]): TaxSum[] {
  const sums = new Map<string, TaxSum>()
  for (const { taxClass, basisPoints, quantity, priceMinor, taxMinor } of units) {
    if (taxClass === null) continue
    const key = `${taxClass} ${basisPoints}`
    const before = sums.get(key)
    sums.set(key, {
      taxClass,
      basisPoints,
      grossMinor: (before?.grossMinor ?? 0n) + priceMinor * BigInt(quantity),
      taxMinor: (before?.taxMinor ?? 0n) + taxMinor * BigInt(quantity),
    })
  }
  return [...sums.values()]
}

export type InvoiceKind = 'invoice' | 'credit_note'

/** What an invoice says, as it was when it was issued. Amounts in minor units, as texts. */
export interface InvoiceContent {
  readonly order: string
  /** When it was paid, or given back. */
  readonly at: string
  /** The invoice that a credit note takes back, or that is owed again. */
  readonly about: string | null
  readonly seller: Pick<Invoicing, 'name' | 'address' | 'tax_id'>
  readonly country: string | null
  readonly lines: readonly {
    readonly goods: string
    readonly detail: string
    readonly quantity: number
    readonly price_minor: string
    readonly tax_class: TaxClass | null
    readonly basis_points: number
    readonly tax_minor: string
  }[]
  readonly fee_minor: string
}

/** Who bought, line by line. */
export interface InvoiceBuyer {
  readonly lines: readonly string[]
}

/** "INV-2026-000042". */
export function invoiceNumber({
  series,
  year,
  number,
}: {
  readonly series: string
  readonly year: number
  readonly number: number
}): string {
  return `${series}-${year}-${String(number).padStart(6, '0')}`
}
