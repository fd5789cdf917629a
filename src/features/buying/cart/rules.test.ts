import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Item } from '#features/goods/catalogue/rules.ts'
import { includedTax, taxOfLines } from '#features/goods/tax/rules.ts'
import { convertMinor, rateOf, type Currency } from '#features/goods/currency/rules.ts'
import type { Offer } from '#features/buying/offer/rules.ts'
import { goodsTotal } from '#features/buying/order/rules.ts'
import { parseMajor } from '#kernel/money.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { hasRisen, judgeLines, lineText, totalOf, type CartLine } from './rules.ts'

interface StoredCurrency {
  readonly code: string
  readonly minor_units: number
  readonly per_usd: string
  readonly rounding: string
  readonly margin_percent?: string
  readonly checkout?: boolean
}

const stored = (
  JSON.parse(readFileSync(join(PROJECT_ROOT, 'catalogue/currencies.json'), 'utf8')) as {
    currencies: StoredCurrency[]
  }
).currencies.filter(({ checkout: isCheckout }) => isCheckout)
const currencies = stored.map(
  ({
    code,
    minor_units: minorUnits,
    per_usd: perUsd,
    rounding,
    margin_percent: margin = '0',
  }): Currency => ({
    code,
    name: code,
    symbol: code,
    minorUnits,
    roundingIncrement: parseMajor(rounding, minorUnits) ?? 1n,
    roundingMode: 'half_up',
    marginBasisPoints: Number(margin) * 100,
    isCheckout: true,
    spreadBasisPoints: 0,
    perUsd: rateOf(perUsd),
    rateObservedAt: null,
    rateValidUntil: null,
  }),
)
const us = { code: 'US', isOnSale: true }

function offer(
  code: string,
  priceMinor: bigint | null,
  more: { readonly stock?: number | null } & Partial<Offer> = {},
): Offer {
  const { stock = null, ...rest } = more
  return {
    product: {} as Offer['product'],
    item: { id: code, code, stock } as Item,
    free: null,
    amount: null,
    baseMinor: 0n,
    baseCurrency: 'USD',
    priceMinor,
    withheld: null,
    steps: [],
    buyerCountries: null,
    blockedCountries: [],
    ...rest,
  }
}

function line(itemCode: string, quantity: number, more: Partial<CartLine> = {}): CartLine {
  return {
    id: itemCode,
    publicId: itemCode,
    itemCode,
    product: 'p',
    productName: 'P',
    itemName: 'I',
    quantity,
    fields: {},
    amountMinor: null,
    seenMinor: null,
    shownMinor: null,
    seenCurrency: null,
    ...more,
  }
}

const judge = (
  lines: readonly CartLine[],
  offers: readonly Offer[],
  currency = 'USD',
  fieldsFit = true,
) =>
  judgeLines(lines, new Map(offers.map((each) => [each.item.code, each])), {
    currency,
    country: us,
    fieldsFit: () => fieldsFit,
  })

test('the total of any cart is that of its order, in each of the 66 currencies, and its tax is a part of it', () => {
  expect(currencies).toHaveLength(66)
  const wanted = fc.array(
    fc.record({
      base: fc.bigInt({ min: 1n, max: 10n ** 9n }),
      from: fc.constantFrom(...currencies),
      quantity: fc.integer({ min: 1, max: 100 }),
    }),
    { minLength: 1, maxLength: 50 },
  )
  fc.assert(
    fc.property(wanted, fc.integer({ min: 0, max: 10_000 }), (lines, basisPoints) => {
      for (const currency of currencies) {
        const offers = lines.map(({ base, from }, index) =>
          offer(String(index), convertMinor(base, from, currency)),
        )
        const judged = judge(
          lines.map(({ quantity }, index) => line(String(index), quantity)),
          offers,
          currency.code,
        )
        const ordered = goodsTotal(
          lines.map(({ quantity }, index) => ({
            priceMinor: offers[index]?.priceMinor ?? 0n,
            quantity,
          })),
        )
        expect(totalOf(judged)).toBe(ordered)
        const { minor } = taxOfLines(
          lines.map(({ quantity }, index) => ({
            quantity,
            tax: {
              taxClass: 'service',
              basisPoints,
              minor: includedTax(offers[index]?.priceMinor ?? 0n, basisPoints),
            },
          })),
        )
        expect(minor >= 0n && minor <= ordered).toBe(true)
      }
    }),
    { numRuns: 40 },
  )
})

test.each([
  ['sold out', offer('a', 5n, { stock: 0 }), 'sold_out'],
  ['more than there are', offer('a', 5n, { stock: 2 }), 'limit'],
  ['no rate', offer('a', null), 'no_price'],
  ['another country alone', offer('a', 5n, { buyerCountries: ['JP'] }), 'not_here'],
  ['a country that is blocked', offer('a', 5n, { blockedCountries: ['US'] }), 'not_here'],
  ['all well', offer('a', 5n, { stock: 3 }), 'ok'],
] as const)('%s is told', (_, of, state) => {
  const [judged] = judge([line('a', 3)], [of])
  expect(judged?.state).toBe(state)
  expect(totalOf(judged ? [judged] : [])).toBe(state === 'ok' ? 15n : 0n)
})

test('what is sold no more is gone, and accounts that no longer fit are told', () => {
  expect(judge([line('b', 1)], [offer('a', 5n)])[0]).toMatchObject({ state: 'gone', offer: null })
  expect(judge([line('a', 1)], [offer('a', 5n)], 'USD', false)[0]?.state).toBe('account')
})

test('lines of one item share what there is of it', () => {
  const lines = [line('a', 2, { id: '1' }), line('a', 2, { id: '2' }), line('a', 1, { id: '3' })]
  expect(
    judge(lines, [offer('a', 5n, { stock: 3 })]).map(({ state, limit }) => [state, limit]),
  ).toEqual([
    ['ok', 3],
    ['limit', 1],
    ['ok', 1],
  ])
})

test('a price counts as changed in the currency it was seen in', () => {
  const seen = { seenMinor: 4n, shownMinor: 5n, seenCurrency: 'USD' }
  expect(judge([line('a', 1, seen)], [offer('a', 5n)])[0]).toMatchObject({
    state: 'price_changed',
    wasMinor: 4n,
  })
  expect(judge([line('a', 1, seen)], [offer('a', 5n)], 'EUR')[0]).toMatchObject({
    state: 'ok',
    wasMinor: null,
  })
  expect([4n, 5n, 6n].map((price) => hasRisen(line('a', 1, seen), price, 'USD'))).toEqual([
    false,
    false,
    true,
  ])
  expect(hasRisen(line('a', 1, seen), 9n, 'EUR')).toBe(false)
})

test('fields are the same in any order', () => {
  expect(lineText({ a: '1', b: '2' }, null)).toBe(lineText({ b: '2', a: '1' }, null))
  expect(lineText({ a: '1' }, null)).not.toBe(lineText({ a: '2' }, null))
  expect(lineText({ a: '1' }, 100n)).not.toBe(lineText({ a: '1' }, null))
  expect(lineText({ a: '1' }, 100n)).not.toBe(lineText({ a: '1' }, 200n))
})
