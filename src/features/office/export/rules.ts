export const EXPORT_KINDS = ['orders', 'units', 'movements', 'vat', 'vat_days'] as const
export const EXPORT_FORMATS = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
export type ExportKind = (typeof EXPORT_KINDS)[number]
export type ExportState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'

export const EXPORT_SWEEP = 'make_exports'
export const EXPORT_KEPT_DAYS = 7
/** Of one operator at a time: each takes the disk some hundred megabytes. */
export const EXPORTS_AT_ONCE = 3
/** The longest span of one file. */
export const EXPORT_DAYS_MAX = 3_660

/** What the tax of a month or day tells; `gross` is what was sold less what was given back, `tax` what of that is tax. */
const VAT_HEAD = [
  'country',
  'class',
  'rate',
  'currency',
  'sold',
  'given_back',
  'gross',
  'tax',
  'net',
] as const

/** The first line of each file. Amounts are plain decimals in the currency beside them. */
export const EXPORT_HEADS: Readonly<Record<ExportKind, readonly string[]>> = {
  orders: [
    'order',
    'made',
    'status',
    'hold',
    'currency',
    'goods',
    'fee',
    'total',
    'tax',
    'captured',
    'refunded',
    'country',
  ],
  units: [
    'order',
    'unit',
    'made',
    'product',
    'item',
    'delivery',
    'status',
    'currency',
    'price',
    'tax_class',
    'rate',
    'tax',
    'delivered',
  ],
  movements: ['movement', 'at', 'source', 'debit', 'credit', 'currency', 'amount'],
  vat: ['month', ...VAT_HEAD],
  vat_days: ['day', ...VAT_HEAD],
}

/** Columns whose values are amounts or rates: a spreadsheet may count with them. */
export const EXPORT_NUMBERS: ReadonlySet<string> = new Set([
  'goods',
  'fee',
  'total',
  'tax',
  'captured',
  'refunded',
  'price',
  'amount',
  'rate',
  'sold',
  'given_back',
  'gross',
  'net',
])
