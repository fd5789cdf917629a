import type { Money } from '#kernel/money.ts'
import { ProviderRefusal, type AmountLimits } from '../provider.ts'

/**
 * Currencies a charge can be made in, as Stripe lists them (docs.stripe.com/currencies). An account in some countries takes fewer:
 * Stripe then refuses the payment, and the payer chooses another method.
 */
const CURRENCIES = new Set(
  (
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP ' +
    'GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN ' +
    'MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD STN SZL THB TJS TND TOP TRY TTD TWD TZS UAH UGX ' +
    'USD UYU UZS VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW'
  ).split(' '),
)

/** Our minor units are ISO 4217's, and so are Stripe's but for these: how many of its units make one of ours, or the other way round. */
const TIMES_HUNDRED = new Set(['ISK', 'UGX'])
const HUNDREDTH = new Set(['MGA'])
/** The last of three digits must be 0. */
const THREE_DECIMALS = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])

/** The least that a card may be charged, in Stripe's units; elsewhere one unit, and Stripe converts to see whether it is enough. */
const LEAST: Readonly<Record<string, bigint>> = {
  USD: 50n,
  AED: 200n,
  ARS: 50n,
  AUD: 50n,
  BRL: 50n,
  CAD: 50n,
  CHF: 50n,
  COP: 50n,
  CZK: 1_500n,
  DKK: 250n,
  EUR: 50n,
  GBP: 30n,
  HKD: 400n,
  HUF: 17_500n,
  IDR: 50n,
  ILS: 50n,
  INR: 50n,
  JPY: 50n,
  KRW: 50n,
  MXN: 1_000n,
  MYR: 200n,
  NOK: 300n,
  NZD: 50n,
  PHP: 50n,
  PLN: 200n,
  RON: 200n,
  RUB: 50n,
  SEK: 300n,
  SGD: 50n,
  THB: 1_000n,
  ZAR: 50n,
}
/** Twelve digits. */
const MOST = 999_999_999_999n

/** What Stripe takes in a currency, in our minor units; null where it takes none. */
export function stripeLimits(currency: string): AmountLimits | null {
  if (!CURRENCIES.has(currency)) return null
  if (TIMES_HUNDRED.has(currency)) return { min: 1n, max: MOST / 100n, step: 1n }
  if (HUNDREDTH.has(currency)) return { min: 100n, max: MOST * 100n, step: 100n }
  const step = THREE_DECIMALS.has(currency) ? 10n : 1n
  return { min: LEAST[currency] ?? step, max: MOST - (MOST % step), step }
}

/** Throws ProviderRefusal for an amount that Stripe does not take. A part of a payment may be less than the least of one. */
export function toStripe({ minor, currency }: Money, isPart = false): number {
  const limits = stripeLimits(currency)
  if (!limits) throw new ProviderRefusal(`${currency} is not taken`)
  const least = isPart ? limits.step : limits.min
  if (minor < least || minor > limits.max || minor % limits.step !== 0n)
    throw new ProviderRefusal(`this amount of ${currency} is not taken`)
  return Number(
    TIMES_HUNDRED.has(currency) ? minor * 100n : HUNDREDTH.has(currency) ? minor / 100n : minor,
  )
}

/** Throws for what cannot be money of ours: a fault that a person must see, and never a reason to round. */
export function fromStripe(amount: number, stripeCurrency: string): Money {
  const currency = stripeCurrency.toUpperCase()
  if (!Number.isSafeInteger(amount) || (TIMES_HUNDRED.has(currency) && amount % 100 !== 0))
    throw new Error(`an amount of ${currency} that makes no sense`)
  const units = BigInt(amount)
  return {
    currency,
    minor: TIMES_HUNDRED.has(currency)
      ? units / 100n
      : HUNDREDTH.has(currency)
        ? units * 100n
        : units,
  }
}
