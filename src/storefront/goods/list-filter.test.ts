import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import type { Category } from '#features/goods/catalogue/rules.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import { getLanguage } from '#kernel/language.ts'
import { PageNotFound, PageRedirect, type PageContext } from '../page.ts'
import { listAddress, LIST_FAMILIES } from './list-address.ts'
import { familyOf, readListFilter } from './list-filter.ts'

const named = (code: string) => ({ code, name: { en: code } })
const leaf = (id: number, code: string): Category => ({
  id,
  ...named(code),
  icon: '',
  path: '',
  picture: null,
  children: [],
})
const root = (id: number, path: string, children: readonly Category[]): Category => ({
  ...leaf(id, path.slice(1)),
  path,
  children,
})

const shop = {
  catalogue: {
    categories: [
      root(1, '/cards', [leaf(11, 'music'), leaf(12, 'home')]),
      root(2, '/top-up', [leaf(21, 'pc-games')]),
      root(3, '/game', [leaf(31, 'moba')]),
    ],
    platforms: [named('pc'), named('mobile')],
    regions: new Map([
      ['us', named('us')],
      ['eu', named('eu')],
    ]),
    redirects: new Map([
      ['category tunes', 'music'],
      ['category gone', 'nowhere'],
    ]),
  },
} as unknown as ShopSnapshot
const currency = { code: 'USD', minorUnits: 2 } as Currency

/** The page of an address, its path cut as the router does. */
function pageAt(address: string): PageContext {
  const url = new URL(address, 'http://shop.test')
  const [, , first, second] = url.pathname.split('/')
  const isPlatform = first === 'platform'
  const params = isPlatform ? { id: second } : { code: first }
  return {
    shop,
    currency,
    language: getLanguage('en'),
    path: url.pathname,
    params,
    query: url.searchParams,
  } as unknown as PageContext
}

const read = (address: string) =>
  readListFilter(pageAt(address), familyOf(new URL(address, 'http://shop.test').pathname)).filter
const addressOf = (address: string) =>
  listAddress(LIST_FAMILIES[familyOf(new URL(address, 'http://shop.test').pathname)], read(address))

describe('what an address asks of a list', () => {
  it('is nothing at the hub', () => {
    expect(addressOf('/cards')).toBe('/cards')
  })

  it('is the category or the platform of its path', () => {
    expect(read('/cards-category/music').categories).toEqual(['music'])
    expect(read('/card/platform/pc').platforms).toEqual(['pc'])
    expect(read('/game-category/moba').categories).toEqual(['moba'])
  })

  it('sorts game products by the categories of games', () => {
    expect(addressOf('/product?category=moba')).toBe('/product?category=moba')
  })

  it('is refused for a code in the path that names nothing here', () => {
    for (const address of [
      '/cards-category/nope',
      '/cards-category/moba',
      '/cards-category/gone',
      '/card/platform/abacus',
      '/game/platform/PC',
    ])
      expect(() => read(address), address).toThrow(PageNotFound)
  })

  it('leads to the hub without a code and to the new address of a renamed one', () => {
    expect(() => read('/top-up-category')).toThrow(new PageRedirect('/top-up', 302))
    expect(() => read('/game/platform')).toThrow(new PageRedirect('/game', 302))
    expect(() => read('/cards-category/tunes?region=us')).toThrow(
      new PageRedirect('/cards-category/music?region=us', 301),
    )
  })

  it('leaves out what the shop does not know and what cannot be read', () => {
    expect(
      addressOf(
        '/cards?region=xx&region=us&platform=abacus&category=nope&price_min=cheap&in_stock=yes&sort=best&page=-3&limit=x',
      ),
    ).toBe('/cards?region=us')
  })

  it('has one spelling', () => {
    expect(addressOf('/cards?platform=pc&page=1&sort=popular&limit=48')).toBe('/card/platform/pc')
    expect(addressOf('/cards?category=music&price_max=5.00')).toBe(
      '/cards-category/music?price_max=5',
    )
    expect(addressOf('/cards?limit=99999')).toBe('/cards?limit=96')
  })

  it('reads back from its own address, whatever was asked', () => {
    const value = fc.oneof(
      fc.constantFrom(
        'us',
        'eu',
        'pc',
        'mobile',
        'music',
        'home',
        '1',
        '0',
        '4.50',
        'new',
        'name',
        '-1',
        '99999',
      ),
      fc.string(),
    )
    const parameter = fc.tuple(
      fc.constantFrom(
        'region',
        'platform',
        'category',
        'price_min',
        'price_max',
        'in_stock',
        'sort',
        'page',
        'limit',
      ),
      value,
    )
    fc.assert(
      fc.property(fc.array(parameter, { maxLength: 12 }), (parameters) => {
        const once = addressOf(`/cards?${new URLSearchParams(parameters)}`)
        expect(addressOf(once)).toBe(once)
      }),
    )
  })
})
