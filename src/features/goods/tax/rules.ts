import { divide } from '#kernel/money.ts'

/**
 * How goods are taxed (EU Directive 2016/1065 and its like). 'single_purpose': a voucher of which place and rate are known when it is
 * sold, taxed then. 'multi_purpose': a voucher that is taxed when it is redeemed, by whoever takes it. 'service': taxed when it is sold.
 * 'none': not taxed.
 */
export const TAX_CLASSES = ['single_purpose', 'multi_purpose', 'service', 'none'] as const
export type TaxClass = (typeof TAX_CLASSES)[number]
/** Those whose price holds tax when it is paid; each has rates of its own. */
export const TAXED_CLASSES = ['single_purpose', 'service'] as const
export type TaxedClass = (typeof TAXED_CLASSES)[number]
/** A rate of 100 percent. */
export const BASIS_MAX = 10_000

export interface TaxClassRow {
  /** Null for all of them. */
  readonly product: string | null
  readonly country: string | null
  readonly taxClass: TaxClass
}

export interface TaxRateRow {
  readonly country: string
  readonly taxClass: TaxedClass
  /** Hundredths of a percent. */
  readonly basisPoints: number
  /** Null for since ever. */
  readonly validFrom: Date | null
}

/** What the shop says of taxes, ready to be asked. */
export interface TaxTable {
  readonly classes: ReadonlyMap<string, TaxClass>
  /** The newest first. */
  readonly rates: ReadonlyMap<string, readonly Pick<TaxRateRow, 'basisPoints' | 'validFrom'>[]>
}

/** How one unit is taxed; kept with its line for ever. */
export interface UnitTax {
  readonly taxClass: TaxClass
  readonly basisPoints: number
  readonly minor: bigint
}

export const NO_TAXES: TaxTable = { classes: new Map(), rates: new Map() }

const placeOf = (product: string | null, country: string | null) =>
  `${product ?? ''} ${country ?? ''}`

/** @param rates the newest of a moment last */
export function taxTable(classes: readonly TaxClassRow[], rates: readonly TaxRateRow[]): TaxTable {
  const moment = ({ validFrom }: TaxRateRow) => validFrom?.getTime() ?? -Infinity
  return {
    classes: new Map(
      classes.map(({ product, country, taxClass }) => [placeOf(product, country), taxClass]),
    ),
    rates: new Map(
      [...Map.groupBy(rates, ({ country, taxClass }) => `${country} ${taxClass}`)].map(
        ([key, rows]) => [
          key,
          // Sorting keeps what is equal in its order: of two of the same moment the one that was said later comes first.
          rows.toReversed().toSorted((one, other) => moment(other) - moment(one)),
        ],
      ),
    ),
  }
}

/** What was said of a product in a country: of both, else of the product, else of the country, else of everything. Null where nothing was. */
export function classOf(
  { classes }: TaxTable,
  product: string,
  country: string | null,
): TaxClass | null {
  return (
    (country === null ? undefined : classes.get(placeOf(product, country))) ??
    classes.get(placeOf(product, null)) ??
    (country === null ? undefined : classes.get(placeOf(null, country))) ??
    classes.get(placeOf(null, null)) ??
    null
  )
}

/** The rate of a country at a moment; 0 where none is known. */
export function rateOf(
  { rates }: TaxTable,
  country: string | null,
  taxClass: TaxClass,
  at: Date,
): number {
  const known = rates.get(`${country ?? ''} ${taxClass}`) ?? []
  return known.find(({ validFrom }) => validFrom === null || validFrom <= at)?.basisPoints ?? 0
}

/** The tax that an amount includes, rounded half up to a minor unit: the one place where tax is rounded. */
export function includedTax(minor: bigint, basisPoints: number): bigint {
  return divide(minor * BigInt(basisPoints), BigInt(BASIS_MAX + basisPoints), 'half_up')
}

/** The tax in the price of one unit; null where nothing was said of it. */
export function taxOfUnit(
  table: TaxTable,
  unit: {
    readonly product: string
    readonly country: string | null
    readonly priceMinor: bigint
    readonly at: Date
  },
): UnitTax | null {
  const taxClass = classOf(table, unit.product, unit.country)
  if (taxClass === null) return null
  const basisPoints = rateOf(table, unit.country, taxClass, unit.at)
  return { taxClass, basisPoints, minor: includedTax(unit.priceMinor, basisPoints) }
}

/** The tax of an order: the sum of its units', and their rate where it is one. */
export function taxOfLines(
  lines: readonly { readonly quantity: number; readonly tax?: UnitTax | null }[],
): { readonly minor: bigint; readonly basisPoints: number } {
  const taxed = lines.filter(({ tax }) => tax && tax.minor > 0n)
  const [rate, ...others] = new Set(taxed.map(({ tax }) => tax?.basisPoints ?? 0))
  return {
    minor: lines.reduce(
      (sum, { quantity, tax }) => sum + (tax?.minor ?? 0n) * BigInt(quantity),
      0n,
    ),
    basisPoints: others.length === 0 ? (rate ?? 0) : 0,
  }
}

/** Tax by rate, the lower first: what is shown of an order. */
export function taxByRate(
  lines: readonly { readonly quantity: number; readonly tax?: UnitTax | null }[],
): { readonly basisPoints: number; readonly minor: bigint }[] {
  const sums = new Map<number, bigint>()
  for (const { quantity, tax } of lines)
    if (tax && tax.minor > 0n)
      sums.set(tax.basisPoints, (sums.get(tax.basisPoints) ?? 0n) + tax.minor * BigInt(quantity))
  return [...sums]
    .map(([basisPoints, minor]) => ({ basisPoints, minor }))
    .toSorted((one, other) => one.basisPoints - other.basisPoints)
}
