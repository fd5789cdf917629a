import { divide, parseDecimal, toMajor, type Money, type RoundingMode } from '#kernel/money.ts'

/** Digits after the point, by ISO 4217; two where a currency does not stand here. */
const DIGITS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'
      .split(' ')
      .map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
}
const CURRENCY = /^[A-Z]{3}$/
/** Nobody sells more than this in one piece: what is larger is no amount. */
const MOST = 10n ** 15n

export const digitsOf = (currency: string): number => DIGITS[currency] ?? 2

/** A supplier's decimal as money, or null where it is none of ours: finer than the currency, negative, not a plain decimal. */
export function exactMoney(decimal: string, currency: string): Money | null {
  const money = roundedMoney(decimal, currency, 'down')
  const up = roundedMoney(decimal, currency, 'up')
  return money && up && money.minor === up.minor ? money : null
}

/** Balances and costs come finer than any coin: costs are rounded up, balances down. */
export function roundedMoney(decimal: string, currency: string, mode: RoundingMode): Money | null {
  const ratio = ratioOf(decimal)
  if (!ratio || !CURRENCY.test(currency)) return null
  const minor = divide(ratio.numerator * 10n ** BigInt(digitsOf(currency)), ratio.denominator, mode)
  return minor > MOST ? null : { minor, currency }
}

/** The sum and difference of decimals, exactly; null when one is none, or the end is below zero. */
export function addDecimals(plus: readonly string[], minus: readonly string[] = []): string | null {
  const scale = 10n ** 30n
  let sum = 0n
  for (const [list, sign] of [
    [plus, 1n],
    [minus, -1n],
  ] as const) {
    for (const text of list) {
      const ratio = ratioOf(text)
      if (!ratio) return null
      sum += sign * ((ratio.numerator * scale) / ratio.denominator)
    }
  }
  return sum < 0n ? null : toMajor(sum, 30)
}

/** As suppliers take it: "4.99", and "5000" where there are no decimals to tell. */
export function decimalOf({ minor, currency }: Money): string {
  const text = toMajor(minor, digitsOf(currency))
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

export const isSame = (one: Money | null, other: Money | null): boolean =>
  one?.minor === other?.minor && one?.currency === other?.currency

/** A number in JSON may have an exponent ("1E+2"): no supplier documents one, and none is guessed at. */
function ratioOf(decimal: string) {
  try {
    return parseDecimal(decimal)
  } catch {
    return null
  }
}
