/** What only a person can end, counted. */
export interface OpenWork {
  /** Orders that hold money and wait for a decision. */
  readonly orders: number
  readonly cases: number
  readonly disputes: number
  /** Goods paid for that somebody delivers by hand. */
  readonly byHand: number
  readonly differences: number
  readonly unmatchedPayments: number
  readonly creditDebts: number
  /** What operators asked for and another person has to approve. */
  readonly approvals: number
  /** Purchases in doubt or to be looked at, units that cost too much, and suppliers that refuse the shop. */
  readonly supply: number
  /** Balances at suppliers that run out or are another than booked, differences from their reports, invoices that are not settled. */
  readonly supplyBooks: number
  /** Orders held before delivery for a closer look. */
  readonly gate: number
  /** Rates of exchange that jumped, and are not used unseen. */
  readonly heldRates: number
  /** Costs that a supplier's catalogue changed by much. */
  readonly heldCosts: number
  /** Suppliers whose catalogue is not synchronised as its schedule says. */
  readonly failedSyncs: number
  /** Items whose price leaves too little over its cost: they are not sold. */
  readonly withheldPrices: number
  /** Shelves of card keys that last for less than they should. */
  readonly lowShelves: number
}

export const WORK_KINDS = [
  'refunds_refused',
  'sold_out',
  'low_stock',
  'orders_undecided',
  'cases',
  'disputes',
  'by_hand',
  'differences',
  'unmatched_payments',
  'credit_debts',
  'approvals',
  'supply',
  'supply_books',
  'gate',
  'rates_held',
  'costs_held',
  'syncs_failed',
  'prices_withheld',
] as const
export type WorkKind = (typeof WORK_KINDS)[number]

type CountedWork = readonly [
  kind: WorkKind,
  count: number,
  one: string,
  more: string,
  command: string,
]

/** Everything that waits for a person, counted or not, with the command that shows it. */
export function countedWork({
  work,
  refusedRefunds,
  soldOutItems,
}: {
  readonly work: OpenWork
  readonly refusedRefunds: number
  readonly soldOutItems: number
}): readonly CountedWork[] {
  return [
    [
      'refunds_refused',
      refusedRefunds,
      'refund was refused by the payment provider',
      'refunds were refused by the payment provider',
      'refund list',
    ],
    [
      'orders_undecided',
      work.orders,
      'order holds money and waits for a decision',
      'orders hold money and wait for a decision',
      'orders undecided',
    ],
    [
      'cases',
      work.cases,
      'case of a buyer waits for an answer',
      'cases of buyers wait for an answer',
      'cases list',
    ],
    ['disputes', work.disputes, 'dispute is open', 'disputes are open', 'cases list'],
    ['by_hand', work.byHand, 'delivery by hand waits', 'deliveries by hand wait', 'fulfil list'],
    ...moneyWork(work),
    [
      'sold_out',
      soldOutItems,
      'item on sale has no key left',
      'items on sale have no key left',
      'keys import',
    ],
    [
      'low_stock',
      work.lowShelves,
      'shelf of card keys runs low',
      'shelves of card keys run low',
      'keys import',
    ],
  ]
}

function moneyWork(work: OpenWork): readonly CountedWork[] {
  return [
    [
      'differences',
      work.differences,
      'payment differs from what its provider tells',
      'payments differ from what their provider tells',
      'differences list',
    ],
    [
      'unmatched_payments',
      work.unmatchedPayments,
      'payment at a provider belongs to no order here',
      'payments at a provider belong to no order here',
      'payments unmatched',
    ],
    [
      'credit_debts',
      work.creditDebts,
      'shopper owes store credit',
      'shoppers owe store credit',
      'credit debts',
    ],
    [
      'approvals',
      work.approvals,
      'act of an operator waits for another person',
      'acts of operators wait for another person',
      'approvals list',
    ],
    [
      'supply',
      work.supply,
      'matter with a supplier waits for a person',
      'matters with suppliers wait for a person',
      'supply suppliers, doubts, waiting and cases',
    ],
    [
      'supply_books',
      work.supplyBooks,
      'balance, report or invoice of a supplier needs a person',
      'balances, reports and invoices of suppliers need a person',
      'supply balance, differences and invoices',
    ],
    [
      'gate',
      work.gate,
      'order is held before delivery for a closer look',
      'orders are held before delivery for a closer look',
      'gate list',
    ],
    [
      'rates_held',
      work.heldRates,
      'rate of exchange jumped and waits to be accepted',
      'rates of exchange jumped and wait to be accepted',
      'rates pending',
    ],
    ...priceWork(work),
  ]
}

function priceWork(work: OpenWork): readonly CountedWork[] {
  return [
    ['costs_held', work.heldCosts, 'cost jumped', 'costs jumped', 'supply jumps'],
    [
      'syncs_failed',
      work.failedSyncs,
      'catalogue of a supplier could not be synchronised',
      'catalogues of suppliers could not be synchronised',
      'supply syncs',
    ],
    [
      'prices_withheld',
      work.withheldPrices,
      'item is not sold: too little would remain over its cost',
      'items are not sold: too little would remain over their costs',
      'price withheld',
    ],
  ]
}
