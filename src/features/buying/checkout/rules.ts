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
