export const EXPORT_KINDS = ['orders', 'units', 'movements'] as const
export type ExportKind = (typeof EXPORT_KINDS)[number]
export type ExportState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'

export const EXPORT_SWEEP = 'make_exports'
export const EXPORT_KEPT_DAYS = 7
/** Of one operator at a time: each takes the disk some hundred megabytes. */
export const EXPORTS_AT_ONCE = 3
/** The longest span of one file. */
export const EXPORT_DAYS_MAX = 3_660

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
    'delivered',
  ],
  movements: ['movement', 'at', 'source', 'debit', 'credit', 'currency', 'amount'],
}
