/** Filters of the list as an address carries them: what is there is set. */
export const FILTER_NAMES = [
  'hold',
  'provider',
  'method',
  'supplier',
  'product',
  'country',
  'currency',
  'least',
  'most',
  'since',
  'until',
  'case',
] as const
export type FilterName = (typeof FILTER_NAMES)[number]
export type FilterValues = Readonly<Partial<Record<FilterName, string>>>

/** What an order may be held for, as it can be asked for. */
export const FILTER_HOLDS = [
  'underpaid',
  'wrong_currency',
  'late',
  'out_of_stock',
  'risk',
  'disputed',
  'refund_requested',
] as const
