import { expect, test } from 'vitest'
import { secret } from '#platform/secret.ts'
import { createDtoneSupplier } from './dtone/dtone.ts'
import { createHookSupplier } from './hook/hook.ts'
import { createKinguinSupplier } from './kinguin/kinguin.ts'
import { createReloadlySupplier } from './reloadly/reloadly.ts'
import type { SupplyProvider } from './provider.ts'
import type { Exchange, SupplyClient } from './wire/client.ts'

/** Answers as a supplier would: numbers of its JSON are texts. */
const answering =
  (answer: (url: string) => unknown): SupplyClient =>
  async ({ url }) =>
    ({ kind: 'answer', status: 200, headers: {}, json: answer(url) }) as Exchange
const now = () => new Date('2026-11-27T10:00:00Z')
const key = secret('a-secret-that-is-long-enough-for-it')
const usd = (minor: bigint) => ({ minor, currency: 'USD' })
const firstOf = async (supplier: Pick<SupplyProvider, 'catalogue'>, cursor: string | null = null) =>
  (await supplier.catalogue(cursor)).products[0]

test('a service of one’s own tells ranges, and who may buy; one that contradicts itself is not read', async () => {
  const told = (more: object) =>
    createHookSupplier({
      url: 'https://supplier.example',
      secret: key,
      now,
      client: answering(() => ({
        products: [{ id: 'p', kind: 'recharge', name: 'Any', country: 'MX', ...more }],
        next: null,
      })),
    })
  const range = { min: '5', max: '500', step: '0.5', currency: 'MXN', of: '100' }
  const cost = { amount: '4.70', currency: 'USD' }
  const mxn = (minor: bigint) => ({ minor, currency: 'MXN' })
  expect(
    await firstOf(
      told({ range, cost, buyer_countries: ['MX'], blocked_countries: ['US'], min_age: '18' }),
    ),
  ).toMatchObject({
    country: 'MX',
    faces: {
      kind: 'range',
      min: mxn(500n),
      max: mxn(50_000n),
      step: mxn(50n),
      price: { face: mxn(10_000n), cost: usd(470n), feeMinor: 0n },
    },
    limits: { buyerCountries: ['MX'], blockedCountries: ['US'], minAge: 18 },
  })
  expect(await firstOf(told({ cost }))).toMatchObject({
    faces: { kind: 'single', face: null },
    limits: { buyerCountries: null, blockedCountries: [], minAge: null },
  })
  for (const wrong of [
    { range: { ...range, max: '5' } },
    { range: { ...range, step: '0' } },
    { range: { ...range, of: 'much' } },
    { buyer_countries: [] },
    { buyer_countries: ['Mexico'] },
    { min_age: '0' },
  ])
    expect(await firstOf(told({ cost, ...wrong }))).toBeUndefined()
})

test('Kinguin tells countries that may not buy, and an age; what is written otherwise says nothing', async () => {
  const told = (more: object) =>
    createKinguinSupplier({
      apiKey: key,
      eventSecret: key,
      baseUrl: 'https://kinguin.example',
      client: answering(() => ({
        results: [{ productId: 'k', name: 'Star Raid', price: '7.00', ...more }],
      })),
    })
  expect(
    await firstOf(told({ countryLimitation: ['RU', 'Narnia'], ageRating: 'PEGI 18' })),
  ).toMatchObject({ limits: { buyerCountries: null, blockedCountries: ['RU'], minAge: 18 } })
  expect(await firstOf(told({ countryLimitation: 'RU', ageRating: 'all' }))).toMatchObject({
    limits: { blockedCountries: [], minAge: null },
  })
})

test('DT One names countries by three letters', async () => {
  const supplier = createDtoneSupplier({
    key: 'key',
    secret: key,
    callbackCredentials: null,
    baseUrl: 'https://dtone.example',
    client: answering(() => [
      {
        id: '1',
        name: 'Telcel 50 MXN',
        type: 'FIXED_VALUE_RECHARGE',
        operator: { name: 'Telcel', country: { iso_code: 'MEX' } },
        required_credit_party_identifier_fields: [['mobile_number']],
      },
    ]),
  })
  expect(await firstOf(supplier)).toMatchObject({ country: 'MEX', brand: 'Telcel' })
})

test('Reloadly tells what bundles hold, and what amounts of a range cost; of cards with the fee of each', async () => {
  const operator = {
    operatorId: '7',
    name: 'Telcel',
    senderCurrencyCode: 'USD',
    destinationCurrencyCode: 'MXN',
    internationalDiscount: '10',
    country: { isoName: 'MX' },
    fx: { rate: '20' },
  }
  const told = (content: object) =>
    createReloadlySupplier({
      clientId: 'id',
      clientSecret: key,
      webhookSecrets: [],
      environment: 'live',
      baseUrl: 'https://reloadly.example',
      now,
      client: answering((url) =>
        url.endsWith('/oauth/token')
          ? { access_token: 'token', expires_in: '3600' }
          : { content: [content], totalPages: '1' },
      ),
    })
  const bundles = { denominationType: 'FIXED', data: true, fixedAmounts: ['3.5', '9'] }
  const described = {
    ...operator,
    ...bundles,
    fixedAmountsDescriptions: { '3.50': '2 GB, 7 days' },
  }
  expect(await firstOf(told(described))).toMatchObject({
    kind: 'data',
    faces: {
      amounts: [{ face: usd(350n), cost: usd(315n), name: '2 GB, 7 days' }, { face: usd(900n) }],
    },
  })
  // What is described in another form is listed all the same.
  const oddly = { ...operator, ...bundles, fixedAmountsDescriptions: ['2 GB'] }
  expect(await firstOf(told(oddly))).toMatchObject({ kind: 'data' })
  const ranged = { ...operator, denominationType: 'RANGE', minAmount: '1', maxAmount: '50' }
  expect(await firstOf(told(ranged))).toMatchObject({
    faces: {
      kind: 'range',
      min: usd(100n),
      max: usd(5_000n),
      price: { face: usd(5_000n), cost: usd(4_500n) },
    },
  })
  const card = {
    productId: '9',
    productName: 'Moon US',
    denominationType: 'RANGE',
    recipientCurrencyCode: 'USD',
    senderCurrencyCode: 'USD',
    minRecipientDenomination: '5',
    maxRecipientDenomination: '100',
    discountPercentage: '4',
    senderFee: '0.5',
    country: { isoName: 'US' },
  }
  expect(await firstOf(told(card), 'giftcards:1')).toMatchObject({
    faces: { price: { face: usd(10_000n), cost: usd(9_600n), feeMinor: 50n } },
  })
})
