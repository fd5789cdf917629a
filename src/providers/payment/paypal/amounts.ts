import { parseMajor, toMajor, type Money } from '#kernel/money.ts'
import { ProviderRefusal, type AmountLimits } from '../provider.ts'

export interface PaypalAmount {
  readonly currency_code: string
  /** In whole units and decimals: "19.99", "500". */
  readonly value: string
}

/** What every business account may be paid in, by PayPal's list. BRL, CNY and MYR are for accounts of their country alone and are left out. */
const CURRENCIES = new Set(
  'AUD CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY MXN NOK NZD PHP PLN RUB SEK SGD THB TWD USD'.split(
    ' ',
  ),
)
/** PayPal refuses decimals in these, whatever ISO 4217 gives them. */
const WHOLE_ONLY = new Set(['HUF', 'JPY', 'TWD'])
const MOST_UNITS = 9_999_999n

/** ISO 4217's digits, which are ours. */
const digitsOf = (currency: string) => (currency === 'JPY' ? 0 : 2)

/** What PayPal takes in a currency, in our minor units; null where it takes none. */
export function paypalLimits(currency: string): AmountLimits | null {
  if (!CURRENCIES.has(currency)) return null
  const unit = 10n ** BigInt(digitsOf(currency))
  const step = WHOLE_ONLY.has(currency) ? unit : 1n
  return { min: step, max: MOST_UNITS * unit, step }
}

/** Throws ProviderRefusal for an amount that PayPal does not take. */
export function toPaypal({ minor, currency }: Money): PaypalAmount {
  const limits = paypalLimits(currency)
  if (!limits) throw new ProviderRefusal(`${currency} is not taken`)
  if (minor < limits.min || minor > limits.max || minor % limits.step !== 0n)
    throw new ProviderRefusal(`this amount of ${currency} is not taken`)
  const value = WHOLE_ONLY.has(currency)
    ? (minor / limits.step).toString()
    : toMajor(minor, digitsOf(currency))
  return { currency_code: currency, value }
}

/** Throws for what cannot be money of ours: a fault that a person must see, and never a reason to round. */
export function fromPaypal({ currency_code: currency, value }: PaypalAmount): Money {
  const minor = CURRENCIES.has(currency) ? parseMajor(value, digitsOf(currency)) : null
  if (minor === null) throw new Error(`an amount of ${currency} that makes no sense`)
  return { minor, currency }
}
