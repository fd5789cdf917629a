import { expect, test } from 'vitest'
import { GOODS_TYPE, type Brand } from '#features/goods/catalogue/rules.ts'
import { pathsWithStock } from './touched.ts'

const product = (game: string | null) => ({
  type: GOODS_TYPE.topUp,
  code: 'quarry-us',
  brand: { game } as Brand,
})

test('the page of a game says what is at hand as that of its product does', () => {
  expect(pathsWithStock(product('quarry'))).toEqual(['/top-up/quarry-us', '/game/quarry'])
  expect(pathsWithStock(product(null))).toEqual(['/top-up/quarry-us'])
})
