import { expect, test } from 'vitest'
import type { KnownItem, Listed } from '../rules.ts'
import { createMatcher, wordsOf } from './match.ts'

const item = (code: string, brandName: string, name: string, more: Partial<KnownItem> = {}) =>
  ({
    id: code,
    code,
    name,
    brandName,
    delivery: 'direct_charge',
    brandKind: 'top_up',
    kind: 'pack',
    countries: null,
    face: null,
    units: null,
    reference: null,
    isActive: true,
    isOwn: false,
    offer: null,
    otherOffers: 0,
    ...more,
  }) satisfies KnownItem
const listed = (name: string, more: Partial<Listed> = {}): Listed => ({
  product: 'their-own-name',
  face: null,
  kind: 'topup',
  name,
  brand: null,
  country: null,
  cost: null,
  stock: null,
  fields: [],
  ...more,
})
const ITEMS = [
  item('ml-86', 'Mobile Legends', '86 Diamonds'),
  item('ml-172', 'Mobile Legends', '172 Diamonds', { reference: 'ML172' }),
  item('ff-100', 'Free Fire', '100 Diamonds'),
  item('steam-us', 'Steam', '10 USD', { delivery: 'card_key', countries: ['US'] }),
  item('steam-ca', 'Steam', '10 USD', { delivery: 'card_key', countries: ['CA'] }),
  ...Array.from({ length: 40 }, (_, index) =>
    item(`x-${index}`, `Game ${String.fromCodePoint(97 + (index % 26))}x`, `${index} Coins`),
  ),
]
const find = (of: Listed) => {
  const found = createMatcher(ITEMS, new Map([['USD', 2]])).find(of)
  return found && `${found.by} ${found.item.code}`
}

test('a supplier’s product is found by what identifies it, else by a name that is alike and has the same numbers', () => {
  expect(find(listed('anything', { product: 'ML172' }))).toBe('id ml-172')
  expect(find(listed('anything', { product: 'ff-100' }))).toBe('id ff-100')
  expect(find(listed('MOBILE LEGENDS – 86 diamonds'))).toBe('name ml-86')
  expect(find(listed('Mobile Legends 87 Diamonds'))).toBeNull()
  expect(find(listed('Something else 86 Diamonds'))).toBeNull()
})

test('of two that are as much alike neither is taken, unless the country or the kind tells them apart', () => {
  const card = {
    kind: 'giftcard',
    brand: 'Steam',
    face: { minor: 1_000n, currency: 'USD' },
  } as const
  expect(find(listed('Steam', card))).toBeNull()
  expect(find(listed('Steam', { ...card, country: 'CA' }))).toBe('name steam-ca')
  expect(find(listed('Steam 10 USD'))).toBeNull()
})

test('words are the same in any case and script of digits with separators', () => {
  expect(wordsOf('Pokémon 1,000 Münzen')).toEqual(wordsOf('pokemon 1000 MUNZEN'))
})

test('what is worth something else is not taken for it, however alike the names are', () => {
  const face = { minor: 1_000n, currency: 'EUR' }
  const names = 'Legends of the Dragon Mobile Chronicle Reborn'
  const goods = [...ITEMS, item('euro', names, '10 EUR', { face })]
  const digits = new Map([
    ['EUR', 2],
    ['USD', 2],
  ])
  const of = (currency: string, minor: bigint, name = names) =>
    createMatcher(goods, digits).find(listed(name, { face: { currency, minor } }))?.item.code
  expect(of('EUR', 1_000n)).toBe('euro')
  expect(of('USD', 1_000n)).toBeUndefined()
  expect(of('EUR', 10_000n, `${names} 10`)).toBeUndefined()
})

test('what works in one country is not taken for what is sold to the whole world', () => {
  expect(find(listed('Mobile Legends 86 Diamonds', { country: 'ID' }))).toBeNull()
  expect(find(listed('Mobile Legends 86 Diamonds'))).toBe('name ml-86')
})
