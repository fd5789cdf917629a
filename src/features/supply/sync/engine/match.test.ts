import { expect, test } from 'vitest'
import type { KnownItem, Listed } from '../rules.ts'
import { createMatcher } from './match.ts'
import { bundleOf } from './brands.ts'
import { costAt, gridOf, referenceOf, usualAmounts } from './range.ts'
import { wordsOf } from './words.ts'

const item = (code: string, brandName: string, name: string, more: Partial<KnownItem> = {}) =>
  ({
    id: code,
    code,
    name,
    brandName,
    delivery: 'direct_charge',
    brandKind: 'top_up',
    kind: 'pack',
    product: `${brandName}-product`,
    brand: `${brandName}`,
    countries: null,
    rechargeCountry: null,
    faceCurrency: null,
    face: null,
    free: null,
    isFreeLocked: false,
    dataMb: null,
    days: null,
    limits: { buyerCountries: null, blockedCountries: [], minAge: null },
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
  range: null,
  limits: null,
  face: null,
  worth: more.face ?? null,
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
const usd = (minor: bigint) => ({ minor, currency: 'USD' })
const mxn = (minor: bigint) => ({ minor, currency: 'MXN' })
const ground = {
  digits: new Map([
    ['USD', 2],
    ['EUR', 2],
    ['MXN', 2],
  ]),
  countries: new Map([
    ['MX', { name: 'Mexico', alpha3: 'MEX' }],
    ['US', { name: 'United States', alpha3: 'USA' }],
  ]),
}
const find = (of: Listed, items: readonly KnownItem[] = ITEMS) => {
  const found = createMatcher(items, ground).find(of)
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
  const of = (currency: string, minor: bigint, name = names) =>
    createMatcher(goods, ground).find(listed(name, { worth: { currency, minor } }))?.item.code
  expect(of('EUR', 1_000n)).toBe('euro')
  expect(of('USD', 1_000n)).toBeUndefined()
  expect(of('EUR', 10_000n, `${names} 10`)).toBeUndefined()
})

test('what works in one country is never taken for what works anywhere, in another or in several, nor the reverse, by name or by what identifies it', () => {
  const places = { one: ['ID'], other: ['BR'], several: ['ID', 'BR'], anywhere: null }
  const goods = Object.entries(places).map(([code, countries]) =>
    item(code, 'Star Saga', '86 Gems', { countries, reference: `ref-${code}` }),
  )
  const named = (country: string | null) => find(listed('Star Saga 86 Gems', { country }), goods)
  expect(named('ID')).toBe('name one')
  expect(named('BR')).toBe('name other')
  expect(named('US')).toBeNull()
  expect(named(null)).toBe('name anywhere')
  const identified = (code: string, country: string | null) =>
    find(listed('x', { product: `ref-${code}`, country }), goods)
  expect(identified('one', 'ID')).toBe('id one')
  expect(identified('one', null)).toBeNull()
  expect(identified('one', 'BR')).toBeNull()
  expect(identified('anywhere', null)).toBe('id anywhere')
  expect(identified('anywhere', 'ID')).toBeNull()
  expect(identified('several', null)).toBe('id several')
  expect(identified('several', 'ID')).toBeNull()
})

test('what a shop buys there already is that, until it says another country', () => {
  const offer = { product: 'p', face: null, cost: usd(100n), isOn: true }
  const goods = [item('mine', 'Star Saga', '86 Gems', { countries: ['ID'], offer })]
  expect(find(listed('whatever', { product: 'p' }), goods)).toBe('id mine')
  expect(find(listed('whatever', { product: 'p', country: 'ID' }), goods)).toBe('id mine')
  expect(find(listed('whatever', { product: 'p', country: 'BR' }), goods)).toBeNull()
})

const operator = (code: string, name: string, more: Partial<KnownItem>) =>
  item(code, name, '', {
    brandKind: 'recharge',
    kind: 'airtime',
    countries: ['MX'],
    rechargeCountry: 'MX',
    faceCurrency: 'MXN',
    ...more,
  })
const PHONES = [
  operator('att-100', 'AT&T México', { face: mxn(10_000n) }),
  operator('att-200', 'AT&T México', { face: mxn(20_000n) }),
  operator('att-any', 'AT&T México', {
    face: mxn(10_000n),
    free: { min: 1_000n, max: 50_000n, step: 100n },
  }),
  operator('att-2gb', 'AT&T México', { kind: 'data', dataMb: 2_000, days: 7 }),
  operator('bait-100', 'Bait', { face: mxn(10_000n) }),
  operator('br-100', 'AT&T', { countries: ['BR'], rechargeCountry: 'BR', face: mxn(10_000n) }),
]

test('an operator’s amounts are found by its name without its country, the amount and the country; bundles by volume and days', () => {
  const airtime = { kind: 'recharge', brand: 'AT&T Mexico', country: 'MX' } as const
  const of = (name: string, more: Partial<Listed>) =>
    find(listed(name, { ...airtime, ...more }), PHONES)
  expect(of('AT&T Mexico', { face: mxn(10_000n) })).toBe('name att-100')
  expect(of('AT&T Mexico', { face: mxn(30_000n) })).toBeNull()
  expect(of('AT&T Mexico', { face: usd(10_000n) })).toBeNull()
  expect(of('AT&T Mexico', { face: mxn(10_000n), country: null })).toBeNull()
  expect(of('Bait', { brand: 'BAIT Prepaid', face: mxn(10_000n) })).toBe('name bait-100')
  const data = { kind: 'data', face: usd(350n) } as const
  expect(of('2GB / 7 Days', data)).toBe('name att-2gb')
  expect(of('2 GB', data)).toBeNull()
  expect(of('2 GB, 30 days', data)).toBeNull()
  expect(bundleOf('1,5 GB for 2 weeks')).toEqual({ megabytes: 1_500, days: 14 })
  expect(bundleOf('1 GB + 500 MB, 7 days')).toBeNull()
})

test('a range is the item that is sold at any amount, where the supplier takes each of these', () => {
  const range = (from: bigint, to: bigint, step: bigint | null = null) => ({
    min: mxn(from),
    max: mxn(to),
    step: step === null ? null : mxn(step),
    price: null,
  })
  const of = (told: Listed['range']) =>
    find(
      listed('AT&T', { kind: 'recharge', brand: 'AT&T Mexico', country: 'MX', range: told }),
      PHONES,
    )
  expect(of(range(1_000n, 50_000n))).toBe('name att-any')
  expect(of(range(1_000n, 40_000n))).toBeNull()
  expect(of(range(1_000n, 50_000n, 100n))).toBe('name att-any')
  expect(of(range(1_000n, 50_000n, 500n))).toBeNull()
})

test('what can be sold of a range lies inside of it, in whole units where there is room', () => {
  const range = (from: bigint, to: bigint, step: bigint | null = null) => ({
    min: usd(from),
    max: usd(to),
    step: step === null ? null : usd(step),
  })
  expect(gridOf(range(36n, 7_421n), 2)).toEqual({ min: 100n, max: 7_400n, step: 100n })
  expect(gridOf(range(36n, 90n), 2)).toEqual({ min: 36n, max: 90n, step: 1n })
  expect(gridOf(range(30n, 100n, 25n), 2)).toEqual({ min: 30n, max: 80n, step: 25n })
  expect(gridOf(range(100n, 100n), 2)).toBeNull()
  expect(gridOf(range(0n, 100n), 2)).toBeNull()
  expect(referenceOf({ min: 100n, max: 7_400n, step: 100n })).toBe(1_000n)
  expect(referenceOf({ min: 2_000n, max: 7_400n, step: 100n })).toBe(7_400n)
  expect(usualAmounts({ ...range(700n, 6_000n), price: null }, 2)).toEqual([
    1_000n,
    1_500n,
    2_000n,
    2_500n,
    5_000n,
  ])
  const price = { face: usd(1_000n), cost: { minor: 333n, currency: 'EUR' }, feeMinor: 50n }
  expect(costAt(price, usd(100n))).toEqual({ minor: 84n, currency: 'EUR' })
  expect(costAt(price, mxn(100n))).toBeNull()
})
