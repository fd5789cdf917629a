/**
 * The shop's books. A movement debits one account and credits another in one currency, so that they balance however they
 * were written. Balances here are credits less debits: positive is what the shop owes or has earned.
 */
declare const code: unique symbol
/** The name of an account of the books; each has one for every currency it is used in. */
export type LedgerAccount = string & { readonly [code]: true }

const named = (name: string) => name as LedgerAccount

/** What the provider holds for the shop. */
export const atProvider = (provider: string) => named(`provider:${provider}`)
/** Money that arrived and has not paid for anything yet; what is here belongs to whoever sent it. */
export const HELD = named('held')
/** Paid for, not delivered yet. */
export const ORDERS = named('orders')
export const SALES = named('sales')
/** Service fees of payment methods, earned when an order is paid. */
export const FEES = named('fees')
/** Given back for what had been delivered. */
export const RETURNS = named('returns')
/** Taken back by payers' banks beyond what the shop still owed, and what was written off. */
export const LOSSES = named('losses')
/** What the shop has borne of orders' prices itself, where it took less for the whole. */
export const SHORTFALLS = named('shortfalls')
/** Credit the shop has given away. */
export const PROMOTIONS = named('promotions')
/** Credit that its shopper has given up by closing the account. */
export const FORFEITED = named('forfeited')
/** What a shopper may spend here. Never below zero. */
export const storeCreditOf = (accountId: string) => named(`store_credit:${accountId}`)

/** What a supplier holds for the shop, less what is reserved there. */
export const atSupplier = (supplier: string) => named(`supplier:${supplier}`)
/** What purchases that are still open may take of it. */
export const reservedAtSupplier = (supplier: string) => named(`supplier_reserved:${supplier}`)
/** What goods have cost that were delivered. */
export const goodsCostOf = (supplier: string) => named(`goods_cost:${supplier}`)
/** What a supplier has taken for what was nobody's any more. */
export const supplyLossOf = (supplier: string) => named(`supply_losses:${supplier}`)
/** What the shop has sent to a supplier. */
export const sentToSupplier = (supplier: string) => named(`sent_to_supplier:${supplier}`)
/** What banks kept of it. */
export const BANK_FEES = named('bank_fees')

/** What suppliers have given beside what was sent there. */
export const SUPPLY_COMMISSIONS = named('supply_commissions')
/** What was paid for balances of another currency, and what they brought: one leg in each. */
export const exchangedAt = (supplier: string) => named(`exchanged:${supplier}`)
/** What balances cost more, or less, than they were worth when they were used up. */
export const EXCHANGE_DIFFERENCE = named('exchange_difference')

/** What a shopper owes: credit that was spent before a bank took its money back. */
export const creditDebtOf = (accountId: string) => named(`credit_debt:${accountId}`)

/** Accounts nothing may be drawn from below zero; the database keeps their balance. */
export function isGuarded(account: LedgerAccount): boolean {
  return account.startsWith('store_credit:')
}

/** What moves money in the books. */
export const LEDGER_SOURCES = [
  'capture',
  'settle',
  'shortfall',
  'deliver',
  'refund',
  'refund_undone',
  'refund_rest',
  'refund_rest_undone',
  'write_off',
  'write_off_undone',
  'credit',
  'spend',
  'unspend',
  'reclaim',
  'reclaim_undone',
  'repay',
  'forfeit',
  'debt_written_off',
  'reserve',
  'release',
  'cost',
  'cost_back',
  'supply_loss',
  'deposit',
  'commission',
  'exchange',
] as const
export type LedgerSource = (typeof LEDGER_SOURCES)[number]

/** One movement. Source, its row and the leg name it: writing it a second time is refused. */
export interface Posting {
  readonly source: LedgerSource
  readonly sourceId: string
  readonly leg?: number
  readonly debit: LedgerAccount
  readonly credit: LedgerAccount
  readonly currency: string
  /** Minor units, above zero. */
  readonly amountMinor: bigint
  /** The shopper who sees it among their payments, refunds and credit: of each of those one leg. */
  readonly shownTo?: string
}

/** A posting, or none for an amount of zero. */
export function movement(posting: Posting): Posting[] {
  return posting.amountMinor === 0n ? [] : [posting]
}

/** What may be taken back as a whole. */
export type UndoneSource = 'refund' | 'refund_rest' | 'write_off'

/** The movements that take others back. */
export function undone(
  postings: readonly (Posting & { readonly source: UndoneSource })[],
): Posting[] {
  return postings.map(({ source, debit, credit, ...rest }) => ({
    ...rest,
    source: `${source}_undone`,
    debit: credit,
    credit: debit,
  }))
}

/** A unit is delivered: what was owed for it is earned. */
export function deliveredUnit(unitId: string, currency: string, amountMinor: bigint): Posting {
  return {
    source: 'deliver',
    sourceId: unitId,
    debit: ORDERS,
    credit: SALES,
    currency,
    amountMinor,
  }
}

export interface BalanceChange {
  readonly account: LedgerAccount
  readonly currency: string
  readonly changeMinor: bigint
}

/** By how much each account changes, in the order in which their rows are locked. */
export function balanceChanges(postings: readonly Posting[]): BalanceChange[] {
  const changes = new Map<string, BalanceChange>()
  const add = (account: LedgerAccount, currency: string, minor: bigint) => {
    const key = `${account} ${currency}`
    changes.set(key, {
      account,
      currency,
      changeMinor: (changes.get(key)?.changeMinor ?? 0n) + minor,
    })
  }
  for (const { debit, credit, currency, amountMinor } of postings) {
    add(debit, currency, -amountMinor)
    add(credit, currency, amountMinor)
  }
  return [...changes].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change)
}
