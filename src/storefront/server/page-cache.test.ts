import { expect, test } from 'vitest'
import { encodeBody } from '#platform/http/encoding.ts'
import { PageCache } from './page-cache.ts'

test('pages are kept by address and currency within the bound, the oldest going first', async () => {
  const body = await encodeBody('<p>page</p>'.repeat(100))
  const cache = new PageCache(2_000)
  cache.set('/cards', 'USD', { body, etag: 'a', says: 'x', headers: new Map() })
  expect(cache.get('/cards', 'USD')?.etag).toBe('a')
  expect(cache.get('/cards', 'EUR')).toBeUndefined()
  for (let page = 0; page < 20; page += 1)
    cache.set(`/cards?page=${page}`, 'USD', {
      body,
      etag: String(page),
      says: 'x',
      headers: new Map(),
    })
  expect(cache.get('/cards', 'USD')).toBeUndefined()
  expect(cache.get('/cards?page=19', 'USD')?.etag).toBe('19')
  cache.doubtAll()
  expect(cache.get('/cards?page=19', 'USD')).toBeUndefined()
})

test('the pages of a product are in doubt in every language and currency, and one begun before is known by its generation', async () => {
  const body = await encodeBody('<p>page</p>')
  const cache = new PageCache(1_000_000)
  const addresses = [
    '/cards/steam-us',
    '/de/cards/steam-us',
    '/zh-tw/cards/steam-us?item=20',
    '/cards/steam-us-2',
    '/cards',
    '/de/cards',
  ]
  for (const address of addresses)
    for (const currency of ['USD', 'EUR'])
      cache.set(address, currency, { body, etag: address, says: 'x', headers: new Map() })
  const { generation } = cache
  cache.doubt((path) => path === '/cards/steam-us')
  expect(cache.generation).toBeGreaterThan(generation)
  expect(addresses.filter((address) => cache.get(address, 'EUR'))).toEqual([
    '/cards/steam-us-2',
    '/cards',
    '/de/cards',
  ])
})

test('a page in doubt is sent again, as it was, once it is seen to say the same; one that says something else goes', async () => {
  const body = await encodeBody('<p>page</p>')
  const cache = new PageCache(1_000_000)
  const page = { body, etag: 'a', says: 'ten goods', headers: new Map() }
  cache.set('/cards', 'USD', page)
  cache.doubtAll()
  expect(cache.get('/cards', 'USD')).toBeUndefined()
  expect(cache.confirm('/cards', 'USD', 'ten goods')).toBe(page)
  expect(cache.get('/cards', 'USD')).toBe(page)
  cache.doubt((path) => path === '/cards')
  expect(cache.get('/cards', 'USD')).toBeUndefined()
  expect(cache.confirm('/cards', 'USD', 'nine goods')).toBeUndefined()
  expect(cache.confirm('/cards', 'USD', 'ten goods')).toBeUndefined()
})
