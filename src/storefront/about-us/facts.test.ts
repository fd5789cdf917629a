import { expect, test } from 'vitest'
import type { Brand } from '#features/goods/catalogue/rules.ts'
import { getLanguage } from '#kernel/language.ts'
import type { PageContext } from '../page.ts'
import { shopFigures } from './facts.ts'

type Minutes = Pick<Brand, 'measuredMinutes' | 'typicalMinutes'>
const brand = (
  half: number | null,
  typicalMinutes: number | null,
): Minutes & { kind: 'top_up'; products: [] } => ({
  kind: 'top_up',
  products: [],
  measuredMinutes: half === null ? null : { half, most: half * 3 },
  typicalMinutes,
})

const page = (shop: {
  readonly brands?: readonly Minutes[]
  readonly products?: number
  readonly reviews?: readonly number[]
}) =>
  ({
    language: getLanguage('de'),
    t: (key: string, values: object = {}) => [key, ...Object.values(values)].join(' '),
    shop: {
      catalogue: {
        products: Array.from({ length: shop.products ?? 0 }),
        brands: shop.brands ?? [],
        categoryByCode: new Map(),
      },
      reviews: (shop.reviews ?? []).map((rating) => ({ rating })),
      currencies: [{ isCheckout: true, perUsd: 1n }],
    },
  }) as unknown as PageContext

const said = (of: Parameters<typeof page>[0], payMethods = 0) =>
  Object.fromEntries(shopFigures(page(of), payMethods).map(({ label, value }) => [label, value]))

test('a shop is counted as it is now, as its language writes numbers', () => {
  expect(said({ products: 1234, reviews: [5, 4] }, 3)).toEqual({
    'content.products': '1.234',
    'reviews.count 2': '4,5',
    'api.footerPayTypes': '3',
    'content.currencies': '1',
    'content.languages': '21',
  })
})

test('what there is none of is not told', () => {
  expect(Object.keys(said({}))).toEqual(['content.currencies', 'content.languages'])
})

test('a time of delivery is measured where one is, else an estimate that says so', () => {
  const measured = said({ brands: [brand(9, 30), brand(2, 30), brand(4, 30), brand(null, 1)] })
  expect(measured['content.timeMeasured']).toMatch(/^4\s/)
  expect(measured['content.timeEstimated']).toBeUndefined()
  const estimated = said({ brands: [brand(null, 10), brand(null, 20), brand(null, 5)] })
  expect(estimated['content.timeEstimated']).toMatch(/^10\s/)
  expect(estimated['content.timeMeasured']).toBeUndefined()
})
