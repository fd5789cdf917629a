import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { isOffered } from '#features/goods/currency/rules.ts'
import { summariseRatings } from '#features/goods/review/rules.ts'
import { LANGUAGE_CODES } from '#kernel/language.ts'
import { formatAverage, formatCount, formatMinutes } from '#platform/i18n/format.ts'
import type { Figure } from '#ui/figures.tsx'
import { factsOf } from '../home/figures.ts'
import type { PageContext } from '../page.ts'

/** What the shop is in figures: counted now, by what its operator has set up. What there is none of is left out. */
export function shopFigures(
  { shop, language: { code }, t }: Pick<PageContext, 'shop' | 'language' | 't'>,
  /** As many as the cashier may offer. */
  payMethods: number,
): readonly Figure[] {
  const count = (value: number, label: string): Figure[] =>
    value === 0 ? [] : [{ value: formatCount(code, value), label }]
  const rating = summariseRatings(shop.reviews)
  return [
    ...count(shop.catalogue.products.length, t('content.products')),
    ...deliveryFigure(shop, code, t),
    ...(rating.count === 0
      ? []
      : [
          {
            value: formatAverage(code, rating.average),
            label: t('reviews.count', { count: rating.count }),
          },
        ]),
    // One is nothing to tell of.
    ...count(payMethods > 1 ? payMethods : 0, t('api.footerPayTypes')),
    ...count(shop.currencies.filter(isOffered).length, t('content.currencies')),
    ...count(LANGUAGE_CODES.length, t('content.languages')),
  ]
}

/** Measured where the latest deliveries of some goods were, else the catalogue's estimate, and said to be. */
function deliveryFigure(
  shop: ShopSnapshot,
  code: PageContext['language']['code'],
  t: PageContext['t'],
): Figure[] {
  const measured = shop.catalogue.brands
    .flatMap(({ measuredMinutes }) => measuredMinutes?.half ?? [])
    .sort((a, b) => a - b)
  const half = measured[Math.floor(measured.length / 2)]
  if (half !== undefined)
    return [{ value: formatMinutes(code, half), label: t('content.timeMeasured') }]
  const { topUpMinutes } = factsOf(shop)
  return topUpMinutes === null
    ? []
    : [{ value: formatMinutes(code, topUpMinutes), label: t('content.timeEstimated') }]
}
