import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rateOf, type Currency } from '#features/goods/currency/rules.ts'
import {
  changedMethods,
  feeOf,
  listMethods,
  priceMethod,
  type PayableGoods,
  type PayMethod,
} from './rules.ts'
import { DEFAULT_METHODS, paymentMethods } from './schema.ts'

function currency(
  code: string,
  minorUnits: number,
  perUsd: string | null,
  more: Partial<Currency> = {},
): Currency {
  return {
    code,
    name: code,
    symbol: code,
    minorUnits,
    roundingIncrement: 1n,
    roundingMode: 'half_up',
    marginBasisPoints: 0,
    spreadBasisPoints: 0,
    isCheckout: true,
    perUsd: perUsd === null ? null : rateOf(perUsd),
    rateObservedAt: null,
    rateValidUntil: null,
    ...more,
  }
}
const usd = currency('USD', 2, '1')
const all = [
  usd,
  currency('EUR', 2, '0.92'),
  currency('JPY', 0, '150'),
  currency('KWD', 3, '0.3072'),
  currency('IDR', 2, '15750.5', { roundingIncrement: 10_000n, marginBasisPoints: 150 }),
]
const currencies = new Map(all.map((entry) => [entry.code, entry]))

function method(more: Partial<PayMethod>): PayMethod {
  return {
    code: 'm',
    provider: 'p',
    group: 'card',
    icon: 'card',
    name: { text: 'M' },
    text: { text: '' },
    refundText: { text: '' },
    fee: { minor: 0n, currency: 'USD', basisPoints: 0 },
    minMinor: null,
    maxMinor: null,
    currencies: null,
    countries: null,
    notFor: [],
    ...more,
  }
}
const ANY = { min: 1n, max: 10n ** 18n, step: 1n }
const goods = (more: Partial<PayableGoods> = {}): PayableGoods => ({
  goodsMinor: 1_000n,
  currency: usd,
  country: 'DE',
  kinds: [1],
  creditMinor: 0n,
  ...more,
})
const money = (code: string) => currencies.get(code) ?? usd

test.each([
  ['a share', { minor: 0n, currency: 'USD', basisPoints: 290 }, 'USD', 869n, 26n],
  ['a fixed part', { minor: 30n, currency: 'USD', basisPoints: 0 }, 'EUR', 1_000n, 28n],
  ['both', { minor: 30n, currency: 'USD', basisPoints: 290 }, 'USD', 1_000n, 59n],
  [
    'both without minor units',
    { minor: 30n, currency: 'USD', basisPoints: 290 },
    'JPY',
    1_500n,
    89n,
  ],
  [
    'both with three digits',
    { minor: 30n, currency: 'USD', basisPoints: 290 },
    'KWD',
    3_000n,
    180n,
  ],
  [
    'a share rounded to whole rupiah',
    { minor: 0n, currency: 'USD', basisPoints: 70 },
    'IDR',
    15_000_000n,
    110_000n,
  ],
  ['nothing', { minor: 0n, currency: 'USD', basisPoints: 0 }, 'EUR', 1_000n, 0n],
] as const)('a fee of %s', (_, fee, code, goodsMinor, expected) => {
  expect(feeOf({ fee }, goodsMinor, money(code), currencies)).toBe(expected)
})

test('limits are of their own currency: compared as such in it, converted in every other', () => {
  const limited = method({ minMinor: 500n, maxMinor: 920n, limitCurrency: 'EUR' })
  const refusal = (code: string, goodsMinor: bigint) =>
    priceMethod(limited, goods({ currency: money(code), goodsMinor }), currencies, ANY)
  expect(refusal('EUR', 499n)).toMatchObject({ refusal: 'too_small', limitMinor: 500n })
  expect(refusal('EUR', 920n).refusal).toBeNull()
  expect(refusal('USD', 1_001n)).toMatchObject({ refusal: 'too_large', limitMinor: 1_000n })
  expect(refusal('USD', 1_000n).refusal).toBeNull()
})

test('the total is the goods and the fee, and the fee is never less than what it is of, in steps that the currency can be paid in', () => {
  const anyMethod = fc.record({
    minor: fc.bigInt({ min: 0n, max: 10_000n }),
    basisPoints: fc.integer({ min: 0, max: 5_000 }),
  })
  fc.assert(
    fc.property(
      anyMethod,
      fc.constantFrom(...all),
      fc.bigInt({ min: 1n, max: 10n ** 12n }),
      ({ minor, basisPoints }, of, goodsMinor) => {
        const priced = priceMethod(
          method({ fee: { minor, currency: 'USD', basisPoints } }),
          goods({ goodsMinor, currency: of }),
          currencies,
          ANY,
        )
        expect(priced.totalMinor).toBe(goodsMinor + priced.feeMinor)
        expect(priced.feeMinor % of.roundingIncrement).toBe(0n)
        expect(priced.feeMinor * 10_000n).toBeGreaterThanOrEqual(goodsMinor * BigInt(basisPoints))
        const fixed =
          feeOf({ fee: { minor, currency: 'USD', basisPoints: 0 } }, goodsMinor, of, currencies) ??
          0n
        if (priced.feeMinor > 0n)
          expect((priced.feeMinor - of.roundingIncrement) * 10_000n).toBeLessThan(
            fixed * 10_000n + goodsMinor * BigInt(basisPoints),
          )
      },
    ),
  )
})

test.each([
  ['too little', method({ minMinor: 1_001n }), {}, 'too_small', 1_001n],
  ['too much', method({ maxMinor: 999n }), {}, 'too_large', 999n],
  ['exactly the most', method({ maxMinor: 1_000n }), {}, null, null],
  [
    'a fee above the most',
    method({ maxMinor: 1_000n, fee: { minor: 1n, currency: 'USD', basisPoints: 0 } }),
    {},
    'too_large',
    1_000n,
  ],
  [
    'limits in another currency',
    method({ minMinor: 100n }),
    { currency: money('JPY'), goodsMinor: 149n },
    'too_small',
    150n,
  ],
  ['another currency', method({ currencies: ['EUR'] }), {}, 'currency', null],
  [
    'a fee without a rate',
    method({ fee: { minor: 5n, currency: 'XXX', basisPoints: 0 } }),
    {},
    'currency',
    null,
  ],
  ['another country', method({ countries: ['ID'] }), {}, 'country', null],
  ['no country', method({ countries: ['ID'] }), { country: null }, 'country', null],
  [
    'goods it may not buy',
    method({ notFor: ['store_credit'] }),
    { kinds: [1, 'store_credit'] },
    'goods',
    null,
  ],
  [
    'not enough credit',
    method({ provider: 'store-credit' }),
    { creditMinor: 999n },
    'no_credit',
    999n,
  ],
  ['enough credit', method({ provider: 'store-credit' }), { creditMinor: 1_000n }, null, null],
] as const)('%s', (_, of, more, refusal, limitMinor) => {
  expect(priceMethod(of, goods(more as Partial<PayableGoods>), currencies, ANY)).toMatchObject({
    refusal,
    limitMinor,
  })
})

test('what cannot pay is listed where the reason helps, and left out where it does not', () => {
  const methods = [
    method({ code: 'a' }),
    method({ code: 'b', minMinor: 9_000n }),
    method({ code: 'c', countries: ['ID'] }),
    method({ code: 'd', provider: 'store-credit' }),
    method({ code: 'e', provider: 'not-set-up' }),
  ]
  const providers = new Map(['p', 'store-credit'].map((code) => [code, { limits: () => ANY }]))
  expect(
    listMethods(methods, providers, goods(), currencies).map(({ method: { code }, refusal }) => [
      code,
      refusal,
    ]),
  ).toEqual([
    ['a', null],
    ['b', 'too_small'],
    ['d', 'no_credit'],
  ])
})

test.each([
  ['its least', { ...ANY, min: 1_001n }, 'too_small', 1_001n, 0n],
  ['its most', { ...ANY, max: 999n }, 'too_large', 999n, 0n],
  ['round amounts', { ...ANY, step: 300n }, null, null, 200n],
  ['not this currency', null, 'currency', null, 0n],
] as const)('a provider takes %s', (_, limits, refusal, limitMinor, feeMinor) => {
  expect(priceMethod(method({}), goods(), currencies, limits)).toMatchObject({
    refusal,
    limitMinor,
    feeMinor,
    totalMinor: 1_000n + feeMinor,
  })
})

test('store credit never buys store credit', () => {
  const credit = DEFAULT_METHODS.find(({ code }) => code === 'store-credit')
  expect(
    credit &&
      priceMethod(
        credit,
        goods({ kinds: ['store_credit'], creditMinor: 10n ** 9n }),
        currencies,
        ANY,
      ).refusal,
  ).toBe('goods')
})

test('codes of the default methods are unique', () => {
  expect(new Set(DEFAULT_METHODS.map(({ code }) => code)).size).toBe(DEFAULT_METHODS.length)
})

test('of the methods that go to a bank each has a sign of its own', () => {
  const banks = DEFAULT_METHODS.filter(({ group }) => group === 'bank')
  expect(banks.length).toBeGreaterThan(1)
  expect(new Set(banks.map(({ icon }) => icon)).size).toBe(banks.length)
})

test('an operator changes fees and limits, puts methods first, takes them away and adds new ones', () => {
  const methods = paymentMethods.parse([
    { code: 'qr', name: 'QRIS', countries: ['ID'], fee: { basis_points: 70 } },
    { code: 'card', enabled: false },
    {
      code: 'pix',
      provider: 'sandbox',
      name: 'Pix',
      group: 'local',
      icon: 'qr',
      currencies: ['BRL'],
      max_usd_minor: 50_000,
    },
    { code: 'wallet', fee: { minor: 5, currency: 'EUR' }, min_usd_minor: null },
  ])
  expect(methods.slice(0, 3).map(({ code }) => code)).toEqual(['qr', 'pix', 'wallet'])
  expect(methods.some(({ code }) => code === 'card')).toBe(false)
  expect(methods[0]).toMatchObject({
    provider: 'sandbox',
    name: { text: 'QRIS' },
    countries: ['ID'],
    fee: { minor: 0n, currency: 'USD', basisPoints: 70 },
  })
  expect(methods[1]).toMatchObject({ maxMinor: 50_000n, currencies: ['BRL'] })
  expect(methods[2]).toMatchObject({
    minMinor: null,
    fee: { minor: 5n, currency: 'EUR', basisPoints: 0 },
  })
})

test('a new method without provider or name is none, and nothing said changes nothing', () => {
  const half = [{ code: 'new', isOffered: true, change: { provider: 'p' } }]
  expect(changedMethods(DEFAULT_METHODS, half)).toEqual(DEFAULT_METHODS)
  expect(paymentMethods.parse([])).toEqual(DEFAULT_METHODS)
})

test.each([
  [[{ code: 'A b' }]],
  [[{ code: 'qr', fee: { minor: -1 } }]],
  [[{ code: 'qr', fee: { basis_points: 5_001 } }]],
  [[{ code: 'qr', fee: { minor: 0.5 } }]],
  [[{ code: 'qr', colour: 'red' }]],
  [[{ code: 'qr', currencies: ['euro'] }]],
  [{ code: 'qr' }],
  [null],
])('broken settings are refused: %j', (value) => {
  expect(paymentMethods.safeParse(value).success).toBe(false)
})

test('no way to pay costs its payer more unless the owner of the shop says so', () => {
  for (const { code, fee } of DEFAULT_METHODS)
    expect([code, fee.minor, fee.basisPoints]).toEqual([code, 0n, 0])
  const [card] = paymentMethods.parse([{ code: 'card', fee: { basis_points: 120 } }])
  expect(card?.fee.basisPoints).toBe(120)
})
