import { expect, test } from 'vitest'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { createSitemap } from './sitemap.ts'

const product = (type: number, code: string, recharge: unknown = null) => ({
  type,
  code,
  index: 0,
  brand: { code, popularity: 1, recharge },
})

function shopOf(products: readonly unknown[]): ShopSnapshot {
  return {
    catalogue: {
      categories: [
        { path: '/cards', children: [{ path: '/cards-category/gaming', children: [] }] },
      ],
      games: [{ code: 'mobile-legends' }],
      products,
    },
    contents: new Map([
      [
        'en',
        {
          categories: [
            { kind: 'news', code: 'guides' },
            { kind: 'faq', code: 'ordering' },
          ],
          news: [{ code: 'first', publishedAt: new Date('2026-11-18T00:00:00Z') }],
          faq: [{ code: 'how-to-order' }],
        },
      ],
    ]),
  } as unknown as ShopSnapshot
}

const shop = shopOf([
  product(1, 'steam-us'),
  product(2, 'mobile-legends-global'),
  product(4, 'hades-eu'),
  product(3, 'in-airtel', { country: 'IN' }),
])
const sitemap = createSitemap({ snapshot: () => shop, publicUrl: 'https://shop.example' })
const text = async (path: string) => String((await sitemap(path, 'identity'))?.body)
const addresses = (xml: string) =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address)

test('robots.txt names the sitemap and leaves pages to be read', async () => {
  const robots = await text('/robots.txt')
  expect(robots).toContain('Sitemap: https://shop.example/sitemap.xml')
  expect(robots).toContain('Disallow: /api/')
  expect(robots).not.toMatch(/^Disallow: \/$/m)
})

test('the index lists one file for each of the 21 languages', async () => {
  const files = addresses(await text('/sitemap.xml'))
  expect(files).toHaveLength(21)
  expect(files).toContain('https://shop.example/sitemap-zh-tw-1.xml')
})

test('a file lists every canonical address of its language once', async () => {
  const english = addresses(await text('/sitemap-en-1.xml'))
  expect(new Set(english).size).toBe(english.length)
  for (const path of [
    '/',
    '/cards/steam-us',
    '/top-up/mobile-legends-global',
    '/product/hades-eu',
    '/game/mobile-legends',
    '/cards-category/gaming',
    '/news/first',
    '/news-category/guides',
  ])
    expect(english).toContain(`https://shop.example${path}`)
  expect(english).toContain(
    'https://shop.example/mobile-recharge/airtime?country=IN&amp;operator=in-airtel',
  )
  const german = addresses(await text('/sitemap-de-1.xml'))
  expect(german).toContain('https://shop.example/de')
  expect(german).toContain('https://shop.example/de/cards/steam-us')
  expect(german).toHaveLength(english.length)
})

test('more than 50,000 addresses are cut into several files', async () => {
  const large = shopOf(Array.from({ length: 60_000 }, (_, index) => product(1, `card-${index}`)))
  const many = createSitemap({ snapshot: () => large, publicUrl: 'https://shop.example' })
  const read = async (path: string) => addresses(String((await many(path, 'identity'))?.body))
  expect(await read('/sitemap.xml')).toHaveLength(42)
  expect(await read('/sitemap-en-1.xml')).toHaveLength(50_000)
  expect((await read('/sitemap-en-2.xml')).length).toBeGreaterThan(10_000)
  expect(await many('/sitemap-en-3.xml', 'identity')).toBeNull()
})

test.each([
  '/',
  '/sitemap-xx-1.xml',
  '/sitemap-de-0.xml',
  '/sitemap-de-2.xml',
  '/sitemap-de-1.xml/',
  '/robots.txt/',
])('%s is none of its files', async (path) => {
  expect(await sitemap(path, 'identity')).toBeNull()
})
