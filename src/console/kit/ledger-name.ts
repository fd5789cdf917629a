import { LEDGER_SOURCES } from '#features/base/ledger/rules.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import { providerName } from './provider-name.ts'
import { supplierName } from './supplier-name.ts'

/** What a movement of the books is called; one of another release by its code. */
export function movementName(t: Translate, code: string): string {
  const source = LEDGER_SOURCES.find((known) => known === code)
  return source ? t(`console.ledger.source.${source}`) : code
}

/** Accounts of which there is one, those of all shoppers together among them. */
const SINGLE = [
  'held',
  'orders',
  'sales',
  'fees',
  'returns',
  'losses',
  'shortfalls',
  'promotions',
  'forfeited',
  'bank_fees',
  'supply_commissions',
  'exchange_difference',
  'store_credit',
  'credit_debt',
] as const

/** Accounts of which each payment service or supplier has one, by its code after a colon. */
const OF_EACH = [
  'provider',
  'supplier',
  'supplier_reserved',
  'goods_cost',
  'supply_losses',
  'sent_to_supplier',
  'exchanged',
] as const

/** What an account of the books is called; one of another release by its code. */
export function accountName(t: Translate, code: string): string {
  const [kind, name] = code.split(':')
  const single = SINGLE.find((known) => known === kind)
  if (single) return t(`console.ledger.account.${single}`)
  const each = OF_EACH.find((known) => known === kind)
  if (!each || !name) return code
  const called = each === 'provider' ? providerName(t, name) : supplierName(name)
  return t(`console.ledger.account.${each}`, { name: called })
}
