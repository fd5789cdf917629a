import { quantile, shareOf, timesUpTo, type Times } from '#features/office/figure/rules.ts'
import type { Report } from '../rules.ts'

/** Sums of a report, by name; amounts in US cents end with `_usd`, those of one currency with `_minor`. */
export interface Facts {
  readonly sums: Readonly<Record<string, bigint>>
  readonly times: Times
}

export const NO_FACTS: Facts = { sums: {}, times: [] }

/** Adds facts up. */
export function addFacts(all: readonly Facts[]): Facts {
  const sums: Record<string, bigint> = {}
  const times: number[] = []
  for (const facts of all) {
    for (const [name, sum] of Object.entries(facts.sums)) sums[name] = (sums[name] ?? 0n) + sum
    for (const [bucket, units] of facts.times.entries())
      times[bucket] = (times[bucket] ?? 0) + units
  }
  return { sums, times }
}

export const MEASURES = [
  'sales',
  'orders',
  'units',
  'average',
  'fees',
  'margin',
  'marginShare',
  'cost',
  'costKnown',
  'borne',
  'refunded',
  'refunds',
  'refundShare',
  'disputed',
  'disputes',
  'taken',
  'open',
  'spentAtSuppliers',
  'purchases',
  'failed',
  'failedShare',
  'half',
  'most',
  'keysBought',
  'keysCost',
  'keysSold',
  'keysSoldFor',
  'owed',
  'issued',
  'spent',
  'taxed',
  'tax',
  'net',
  'delivered',
  'late',
  'searches',
] as const
export type MeasureName = (typeof MEASURES)[number]

export interface Measure {
  readonly name: MeasureName
  /** `money` in US cents where a report is of all currencies; `share` in hundredths of a percent, `time` in seconds. */
  readonly kind: 'money' | 'count' | 'share' | 'time'
  readonly of: (facts: Facts) => bigint | number | null
  /** The same in minor units of the one currency that is chosen; where there is none, it is told in the shop's. */
  readonly own?: (facts: Facts) => bigint
  /** Whether more of it is good news; 0 where it is neither. */
  readonly isBetter: 1 | -1 | 0
  /** How it stands at the end, which is never added up over time. */
  readonly isLevel?: true
}

const sum =
  (name: string) =>
  ({ sums }: Facts): bigint =>
    sums[name] ?? 0n
const count = (name: MeasureName, of: string, isBetter: Measure['isBetter'] = 0): Measure => ({
  name,
  kind: 'count',
  of: sum(of),
  isBetter,
})
/** An amount that is kept in US cents, and in its own currency. */
const money = (name: MeasureName, of: string, isBetter: Measure['isBetter'] = 0): Measure => ({
  name,
  kind: 'money',
  of: sum(`${of}_usd`),
  own: sum(`${of}_minor`),
  isBetter,
})
/** An amount that is kept in US cents alone. */
const cents = (
  name: MeasureName,
  of: (facts: Facts) => bigint,
  isBetter: Measure['isBetter'] = 0,
): Measure => ({ name, kind: 'money', of, isBetter })
const share = (
  name: MeasureName,
  part: (facts: Facts) => bigint,
  whole: (facts: Facts) => bigint,
  isBetter: Measure['isBetter'] = 0,
): Measure => ({
  name,
  kind: 'share',
  of: (facts) => shareOf(part(facts), whole(facts)),
  isBetter,
})
const time = (name: MeasureName, part: number): Measure => ({
  name,
  kind: 'time',
  of: ({ times }) => quantile(times, part),
  isBetter: -1,
})

const margin = (facts: Facts) =>
  sum('costed_usd')(facts) - sum('cost_usd')(facts) - sum('borne_usd')(facts)
const each = (total: bigint, parts: bigint) =>
  parts === 0n ? 0n : (2n * total + parts) / (2n * parts)
/** From here on a delivery is late, as on home. */
const LATE_SECONDS = 300
const late = ({ times }: Facts) => BigInt(timesUpTo(times, [LATE_SECONDS])[1] ?? 0)
const timed = ({ times }: Facts) => BigInt(times.reduce((all, units) => all + units, 0))

/** What each report tells; the first is drawn. */
export const REPORT_MEASURES: Readonly<Record<Report, readonly [Measure, ...Measure[]]>> = {
  sales: [
    money('sales', 'sales', 1),
    count('orders', 'paid', 1),
    count('units', 'units', 1),
    {
      name: 'average',
      kind: 'money',
      of: (facts) => each(sum('sales_usd')(facts), sum('paid')(facts)),
      own: (facts) => each(sum('sales_minor')(facts), sum('paid')(facts)),
      isBetter: 1,
    },
    money('fees', 'fees'),
  ],
  margin: [
    cents('margin', margin, 1),
    share('marginShare', margin, sum('costed_usd'), 1),
    cents('cost', sum('cost_usd')),
    cents('borne', sum('borne_usd'), -1),
    share('costKnown', sum('costed'), sum('delivered')),
  ],
  refunds: [
    money('refunded', 'refunded', -1),
    count('refunds', 'refunds', -1),
    share('refundShare', sum('refunded_usd'), sum('sales_usd'), -1),
    money('sales', 'sales', 1),
  ],
  disputes: [
    count('disputes', 'disputes', -1),
    money('disputed', 'disputed', -1),
    money('taken', 'taken', -1),
    count('open', 'open'),
  ],
  suppliers: [
    money('spentAtSuppliers', 'purchase'),
    count('purchases', 'purchase_done'),
    count('failed', 'purchase_failed', -1),
    share(
      'failedShare',
      sum('purchase_failed'),
      (facts) => sum('purchase_done')(facts) + sum('purchase_failed')(facts),
      -1,
    ),
    time('half', 0.5),
    time('most', 0.95),
  ],
  keys: [
    count('keysSold', 'key_sold_done', 1),
    money('keysSoldFor', 'key_sold', 1),
    count('keysBought', 'key_bought_done'),
    money('keysCost', 'key_bought'),
  ],
  credit: [
    { ...money('owed', 'owed'), isLevel: true },
    money('issued', 'issued'),
    money('spent', 'spent'),
  ],
  tax: [
    money('tax', 'tax_part'),
    money('taxed', 'tax'),
    {
      name: 'net',
      kind: 'money',
      of: (facts) => sum('tax_usd')(facts) - sum('tax_part_usd')(facts),
      own: (facts) => sum('tax_minor')(facts) - sum('tax_part_minor')(facts),
      isBetter: 0,
    },
  ],
  delivery: [
    time('half', 0.5),
    time('most', 0.95),
    count('delivered', 'delivered', 1),
    share('late', late, timed, -1),
  ],
  searches: [count('searches', 'searches')],
}
