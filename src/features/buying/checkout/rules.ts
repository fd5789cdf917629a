import { divide } from '#kernel/money.ts'
import type { WantedGoods } from '#features/buying/offer/rules.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import type { Article } from '#features/goods/content/rules.ts'

/** What a shopper asks for. */
export interface WantedLine extends WantedGoods {
  readonly quantity: number
  readonly fields: Readonly<Record<string, string>>
}

/** An order by what it is called outside. */
export interface PlacedOrder {
  readonly publicId: string
  /** 13 digits. */
  readonly number: string
}

/** Tax that prices include, by the buyer's country (ISO 3166-1 alpha-2). */
export type TaxRates = Readonly<
  Record<string, { readonly basis_points: number; readonly included: true }>
>

export interface Tax {
  readonly minor: bigint
  readonly basisPoints: number
}

/** The tax that an amount includes, rounded half up to a minor unit. */
export function taxOf(totalMinor: bigint, country: string | null, rates: TaxRates): Tax {
  const basisPoints = country === null ? 0 : (rates[country]?.basis_points ?? 0)
  return {
    minor: divide(totalMinor * BigInt(basisPoints), BigInt(10_000 + basisPoints), 'half_up'),
    basisPoints,
  }
}

/** How prices of an order were made: the rates, what is added to them and rounding, and since when the rates stood. */
export function pricingOf(
  currency: Currency,
  bases: readonly Currency[],
): Readonly<Record<string, unknown>> {
  return {
    currency: currency.code,
    margin_basis_points: currency.marginBasisPoints,
    spread_basis_points: currency.spreadBasisPoints,
    rounding: { increment: currency.roundingIncrement.toString(), mode: currency.roundingMode },
    rates: [...new Map([currency, ...bases].map((each) => [each.code, each])).values()].map(
      ({ code, perUsd, rateObservedAt }) => ({
        currency: code,
        per_usd: perUsd && {
          numerator: perUsd.numerator.toString(),
          denominator: perUsd.denominator.toString(),
        },
        observed_at: rateObservedAt?.toISOString() ?? null,
      }),
    ),
  }
}

/** Everything the terms say, in one text: what their version is made of. */
export function termsText({ title, sections }: Pick<Article, 'title' | 'sections'>): string {
  return JSON.stringify([title, sections])
}
