import { describe, expect, it } from 'vitest'
import {
  GOODS_TYPE,
  type Brand,
  type GoodsType,
  type Product,
} from '#features/goods/catalogue/rules.ts'
import { findAtAddress, siblingFor } from './find-product.ts'

type Sketch = { code: string; region: string; countries: readonly string[] | null }

function brandOf(code: string, type: GoodsType, sketches: readonly Sketch[], country = ''): Brand {
  const brand = { code, type, recharge: country === '' ? null : { country } } as unknown as Brand
  const products = sketches.map(({ code: product, region, countries }) => {
    return {
      code: product,
      type,
      brand,
      countries,
      region: { code: region, name: { en: region } },
    } as unknown as Product
  })
  return Object.assign(brand, { products })
}

const steam = brandOf('steam', GOODS_TYPE.card, [
  { code: 'steam-us', region: 'us', countries: ['US'] },
  { code: 'steam-eu', region: 'eu', countries: ['DE', 'FR', 'AT'] },
  { code: 'steam-dach', region: 'dach', countries: ['DE', 'AT'] },
  { code: 'steam-global', region: 'global', countries: null },
])
const legends = brandOf('mobile-legends', GOODS_TYPE.topUp, [
  { code: 'mobile-legends-id', region: 'id', countries: ['ID'] },
])
const elden = brandOf('key-elden', GOODS_TYPE.gameProduct, [
  { code: 'key-elden-global', region: 'global', countries: null },
])
const airtel = brandOf(
  'in-airtel',
  GOODS_TYPE.recharge,
  [{ code: 'in-airtel', region: 'in', countries: ['IN'] }],
  'IN',
)
const brands = [steam, legends, elden, airtel]
const catalogue = {
  brandByCode: new Map(brands.map((brand) => [brand.code, brand])),
  productByCode: new Map(
    brands.flatMap((brand) => brand.products).map((product) => [product.code, product]),
  ),
  redirects: new Map([
    ['product steam-usa', 'steam-us'],
    ['brand valve', 'steam'],
    ['product steam-first', 'steam-usa'],
    ['product gone', 'nowhere'],
    ['product egg', 'hen'],
    ['product hen', 'egg'],
  ]),
}
const find = (section: string, code: string, country: string | null = null) =>
  findAtAddress(catalogue, section, code, country)

describe('the address of a product', () => {
  it('shows it at the address of its kind and at the one of every kind', () => {
    expect(find('cards', 'steam-us')).toMatchObject({
      kind: 'product',
      product: { code: 'steam-us' },
    })
    expect(find('product', 'steam-us')).toMatchObject({
      kind: 'product',
      product: { code: 'steam-us' },
    })
    expect(find('product', 'key-elden-global')).toMatchObject({ kind: 'product' })
  })

  it('leads from another kind’s address to its own, for good', () => {
    expect(find('top-up', 'steam-us')).toEqual({
      kind: 'redirect',
      path: '/cards/steam-us',
      status: 301,
    })
    expect(find('cards', 'key-elden-global')).toEqual({
      kind: 'redirect',
      path: '/product/key-elden-global',
      status: 301,
    })
  })

  it('leads from an operator to recharging', () => {
    const path = '/mobile-recharge/airtime?country=IN&operator=in-airtel'
    expect(find('product', 'in-airtel')).toEqual({ kind: 'redirect', path, status: 302 })
    expect(find('top-up', 'in-airtel')).toEqual({ kind: 'redirect', path, status: 302 })
  })

  it('leads from a brand to its product for the country, for this time', () => {
    expect(find('cards', 'steam', 'US')).toEqual({
      kind: 'redirect',
      path: '/cards/steam-us',
      status: 302,
    })
    expect(find('product', 'steam')).toEqual({
      kind: 'redirect',
      path: '/cards/steam-us',
      status: 302,
    })
    expect(find('product', 'mobile-legends', 'DE')).toEqual({
      kind: 'redirect',
      path: '/top-up/mobile-legends-id',
      status: 302,
    })
  })

  it('leads from a former code to the present one, for good', () => {
    expect(find('cards', 'steam-usa')).toEqual({
      kind: 'redirect',
      path: '/cards/steam-us',
      status: 301,
    })
    expect(find('cards', 'valve')).toEqual({ kind: 'redirect', path: '/cards/steam', status: 301 })
    expect(find('cards', 'steam-first')).toEqual({
      kind: 'redirect',
      path: '/cards/steam-us',
      status: 301,
    })
  })

  it('names nothing when the code is unknown or its successor is gone', () => {
    expect(find('cards', 'unknown')).toBeNull()
    expect(find('cards', 'gone')).toBeNull()
    expect(find('cards', 'egg')).toBeNull()
  })
})

describe('the product of a brand for a country', () => {
  it.each([
    ['US', 'steam-us'],
    ['AT', 'steam-dach'],
    ['FR', 'steam-eu'],
    ['JP', 'steam-global'],
    [null, 'steam-us'],
  ])('for %s is %s', (country, code) => {
    expect(siblingFor(steam, country).code).toBe(code)
  })

  it('is the first when none names the country', () => {
    expect(siblingFor(legends, 'DE').code).toBe('mobile-legends-id')
  })
})
