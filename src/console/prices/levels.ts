import { readPriceTerms } from '#features/goods/price/queries.ts'
import { listLevelPrices } from '#features/office/pricing/queries.ts'
import { formatBasisPoints } from '#platform/i18n/format.ts'
import { moneyTexts } from '../kit/money.ts'
import type { ConsoleContext } from '../page.ts'

export interface SetPrice {
  readonly item: string
  readonly name: string
  readonly currency: string
  readonly minor: string
  readonly price: string
  readonly level: number | null
}

export interface LevelsView {
  readonly view: 'levels'
  readonly levels: readonly {
    readonly level: number
    readonly name: string
    readonly points: number
    readonly off: string
  }[]
  readonly prices: readonly SetPrice[]
  readonly next: string | null
}

export async function loadLevels(context: ConsoleContext): Promise<LevelsView> {
  const { ctx, language, query } = context
  const [terms, page, money] = await Promise.all([
    readPriceTerms(ctx.db),
    listLevelPrices(ctx.db, query.get('after') ?? ''),
    moneyTexts(context),
  ])
  return {
    view: 'levels',
    levels: Object.entries(terms.levels).map(([level, off]) => {
      const names = terms.levelNames[level]
      return {
        level: Number(level),
        name: names?.[language.code] ?? names?.en ?? '',
        points: off,
        off: formatBasisPoints(language.code, off),
      }
    }),
    prices: page.prices.map((one) => ({ ...one, price: money(one.minor, one.currency) })),
    next: page.next,
  }
}
