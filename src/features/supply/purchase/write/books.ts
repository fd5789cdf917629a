import {
  atSupplier,
  BANK_FEES,
  exchangedAt,
  goodsCostOf,
  movement,
  reservedAtSupplier,
  sentToSupplier,
  supplyLossOf,
  type Posting,
} from '#features/base/ledger/rules.ts'
import type { Money } from '#kernel/money.ts'
import type { Purchase } from '../queries.ts'

type Booked = Pick<Purchase, 'id' | 'supplier' | 'currency' | 'expectedMinor'>

/** What an attempt may take is set aside before the supplier is called. */
export function reserved({ id, supplier, currency, expectedMinor }: Booked): Posting[] {
  return movement({
    source: 'reserve',
    sourceId: id,
    debit: reservedAtSupplier(supplier),
    credit: atSupplier(supplier),
    currency,
    amountMinor: expectedMinor,
  })
}

/** The attempt is over: what was set aside is free. */
export function released({ id, supplier, currency, expectedMinor }: Booked): Posting[] {
  return movement({
    source: 'release',
    sourceId: id,
    debit: atSupplier(supplier),
    credit: reservedAtSupplier(supplier),
    currency,
    amountMinor: expectedMinor,
  })
}

export function bought({ id, supplier, currency }: Booked, amountMinor: bigint): Posting[] {
  return movement({
    source: 'cost',
    sourceId: id,
    debit: goodsCostOf(supplier),
    credit: atSupplier(supplier),
    currency,
    amountMinor,
  })
}

/** The supplier has taken back what it delivered, and the money with it. */
export function givenBack({ id, supplier, currency }: Booked, amountMinor: bigint): Posting[] {
  return movement({
    source: 'cost_back',
    sourceId: id,
    debit: atSupplier(supplier),
    credit: goodsCostOf(supplier),
    currency,
    amountMinor,
  })
}

/** Bought when it was nobody's any more. */
export function lost({ id, supplier, currency }: Booked, amountMinor: bigint): Posting[] {
  return movement({
    source: 'supply_loss',
    sourceId: id,
    debit: supplyLossOf(supplier),
    credit: atSupplier(supplier),
    currency,
    amountMinor,
  })
}

/** Money sent to a supplier, and what the bank kept of it. */
export function deposited(deposit: {
  readonly id: string
  readonly supplier: string
  readonly currency: string
  readonly amountMinor: bigint
  readonly feeMinor: bigint
  readonly paid: Money | null
}): Posting[] {
  const { id, supplier, currency, amountMinor, feeMinor, paid } = deposit
  if (paid !== null) return exchanged(deposit, paid)
  const sent = {
    source: 'deposit',
    sourceId: id,
    credit: sentToSupplier(supplier),
    currency,
  } as const
  return [
    ...movement({ ...sent, debit: atSupplier(supplier), amountMinor }),
    ...movement({ ...sent, leg: 1, debit: BANK_FEES, amountMinor: feeMinor }),
  ]
}

/** What arrived, and what was paid for it: both against the account of what was exchanged, each in its currency. */
function exchanged(
  deposit: Parameters<typeof deposited>[0],
  { minor: paidMinor, currency: paidCurrency }: Money,
): Posting[] {
  const { id, supplier, currency, amountMinor, feeMinor } = deposit
  const booked = { source: 'deposit', sourceId: id } as const
  return [
    ...movement({
      ...booked,
      debit: atSupplier(supplier),
      credit: exchangedAt(supplier),
      currency,
      amountMinor,
    }),
    ...movement({
      ...booked,
      leg: 1,
      debit: BANK_FEES,
      credit: exchangedAt(supplier),
      currency,
      amountMinor: feeMinor,
    }),
    ...movement({
      ...booked,
      leg: 2,
      debit: exchangedAt(supplier),
      credit: sentToSupplier(supplier),
      currency: paidCurrency,
      amountMinor: paidMinor,
    }),
  ]
}
