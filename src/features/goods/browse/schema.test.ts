import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readGoodsQuery, readKeywords } from './schema.ts'

const usd = { minorUnits: 2 }
const read = (query: string) => readGoodsQuery(new URLSearchParams(query), usd)

test('an empty query is the first page of everything', () => {
  expect(read('')).toEqual({
    type: null,
    isHot: false,
    isHome: false,
    inStock: false,
    regions: [],
    platforms: [],
    categories: [],
    priceMin: null,
    priceMax: null,
    keywords: '',
    sort: null,
    page: 1,
    limit: 20,
  })
})

test.each([
  ['limit=99999', { limit: 9999 }],
  ['limit=0', { limit: 1 }],
  ['limit=-5', { limit: 1 }],
  ['limit=abc', { limit: 20 }],
  [`limit=${'9'.repeat(300)}`, { limit: 9999 }],
  ['page=-1', { page: 1 }],
  ['page=1.5', { page: 1 }],
  ['page=3&page=7', { page: 3 }],
  ['type=2', { type: 2 }],
  ['type=9', { type: null }],
  ['sort=price_asc', { sort: 'price_asc' }],
  ['sort=drop%20table', { sort: null }],
  ['price_min=4.99&price_max=10', { priceMin: 499n, priceMax: 1000n }],
  ['price_min=-3&price_max=1e5', { priceMin: null, priceMax: null }],
  ['platform=pc&platform=mobile&platform=pc', { platforms: ['mobile', 'pc'] }],
  ['region=us,eu', { regions: ['eu', 'us'] }],
  ["region='%20or%201=1", { regions: [] }],
  ['in_stock=true', { inStock: false }],
  ['is_hot=1&is_home=1&in_stock=1', { isHot: true, isHome: true, inStock: true }],
])('%s is read', (query, expected) => {
  expect(read(query)).toMatchObject(expected)
})

test('whatever an address says, the query stays within its bounds', () => {
  const name = fc.constantFrom(
    'type',
    'limit',
    'page',
    'region',
    'platform',
    'category',
    'price_min',
    'price_max',
    'keywords',
    'sort',
    'in_stock',
    'x',
  )
  fc.assert(
    fc.property(
      fc.array(fc.tuple(name, fc.string({ unit: 'binary' })), { maxLength: 30 }),
      (pairs) => {
        const query = readGoodsQuery(new URLSearchParams(pairs), usd)
        expect(query.limit).toBeGreaterThanOrEqual(1)
        expect(query.limit).toBeLessThanOrEqual(9_999)
        expect(Number.isSafeInteger(query.page) && query.page >= 1).toBe(true)
        expect(query.keywords.length).toBeLessThanOrEqual(200)
        expect(query.keywords).toBe(query.keywords.toWellFormed())
        for (const codes of [query.regions, query.platforms, query.categories]) {
          expect(codes.length).toBeLessThanOrEqual(20)
          for (const code of codes) expect(code).toMatch(/^[a-z0-9-]+$/)
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('keywords lose control characters and broken halves of letters, not letters', () => {
  expect(readKeywords('  steam\u0000\n \ud800원신 ')).toBe('steam 원신')
  expect(readKeywords(null)).toBe('')
})
