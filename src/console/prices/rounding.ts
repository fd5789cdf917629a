import { listCurrencies } from '#features/goods/currency/queries.ts'
import { listWithheld, readPriceTerms } from '#features/goods/price/queries.ts'
import { formatBasisPoints } from '#platform/i18n/format.ts'
import { moneyTexts } from '../kit/money.ts'
import type { ConsoleContext } from '../page.ts'

export interface CurrencyRow {
  readonly code: string
  readonly isSold: boolean
  readonly points: number
  readonly margin: string
  readonly increment: string
  readonly incrementText: string
  readonly mode: 'half_up' | 'up'
  readonly charm: { readonly ending_minor: number; readonly every_minor: number } | null
  readonly charmText: string | null
}

export interface RoundingView {
  readonly view: 'rounding'
  readonly currencies: readonly CurrencyRow[]
  readonly floor: { readonly basis_points: number; readonly after_fees: boolean } | null
  /** Items without a price in some currency, as too little would remain. */
  readonly withheld: readonly { readonly item: string; readonly currencies: string }[]
}

const LISTED = 100

export async function loadRounding(context: ConsoleContext): Promise<RoundingView> {
  const { ctx, language } = context
  const [currencies, terms, withheld, money] = await Promise.all([
    listCurrencies(ctx.db),
    readPriceTerms(ctx.db),
    listWithheld(ctx.db),
    moneyTexts(context),
  ])
  return {
    view: 'rounding',
    floor: terms.floor && {
      basis_points: terms.floor.basisPoints,
      after_fees: terms.floor.isAfterFees,
    },
    withheld: withheld
      .slice(0, LISTED)
      .map((one) => ({ item: one.code, currencies: one.currencies.join(', ') })),
    currencies: currencies
      .map((one): CurrencyRow => {
        const charm = terms.charms[one.code]
        return {
          code: one.code,
          isSold: one.isCheckout,
          points: one.marginBasisPoints,
          margin: formatBasisPoints(language.code, one.marginBasisPoints),
          increment: one.roundingIncrement.toString(),
          incrementText: money(one.roundingIncrement, one.code),
          mode: one.roundingMode === 'up' ? 'up' : 'half_up',
          charm: charm
            ? { ending_minor: Number(charm.endingMinor), every_minor: Number(charm.everyMinor) }
            : null,
          charmText: charm
            ? `${money(charm.endingMinor, one.code)} / ${money(charm.everyMinor, one.code)}`
            : null,
        }
      })
      .toSorted((one, other) => Number(other.isSold) - Number(one.isSold)),
  }
}
