import { describe, expect, test } from 'vitest'
import { secret } from '#platform/secret.ts'
import { useHttpService, type Asked, type Reply } from '../../../test/support/http-service.ts'
import { DIGIFLAZZ_CODES } from './digiflazz/codes.ts'
import { createDigiflazzSupplier } from './digiflazz/digiflazz.ts'
import { DTONE_CODES, DTONE_STATUSES } from './dtone/codes.ts'
import { createDtoneSupplier } from './dtone/dtone.ts'
import { KINGUIN_KINDS } from './kinguin/codes.ts'
import { createKinguinSupplier } from './kinguin/kinguin.ts'
import {
  SupplyUnavailable,
  type SupplyOrder,
  type SupplyProvider,
  type SupplyPurchase,
} from './provider.ts'
import { RELOADLY_CODES } from './reloadly/codes.ts'
import { createReloadlySupplier } from './reloadly/reloadly.ts'
import { SEAGM_CODES } from './seagm/api.ts'
import { createSeagmSupplier } from './seagm/seagm.ts'
import { UNIPIN_CODES, UNIPIN_VOUCHER_CODES } from './unipin/codes.ts'
import { createUnipinSupplier } from './unipin/unipin.ts'
import { openSupplyClient } from './wire/client.ts'
import type { CodeTable } from './wire/outcome.ts'

const service = useHttpService()
const NOW = new Date('2026-11-26T12:00:00Z')
const now = () => NOW
const key = secret('key-of-tests')
const client = openSupplyClient({ timeoutMs: 2_000 })
const REFERENCE = '0191d1a8-0000-7000-8000-000000000001'
/** What a status of the answer may be: none of them says anything. */
const STATUSES = [200, 201, 400, 404, 409, 422, 429, 500, 503]

interface Subject {
  readonly name: string
  readonly table: CodeTable
  readonly open: () => SupplyProvider
  readonly order: SupplyOrder
  /** What is read before the purchase; null when it is the purchase itself. */
  readonly before: (asked: Asked) => unknown
  readonly refuse: (code: string) => unknown
}

const phone: SupplyOrder = {
  kind: 'recharge',
  product: '1',
  quantity: 1,
  face: { minor: 500n, currency: 'USD' },
  fields: { phone: '+6281234567890', country: 'ID' },
}
const game: SupplyOrder = {
  kind: 'topup',
  product: '1',
  quantity: 1,
  face: null,
  fields: { player: '1' },
}

const SUBJECTS: readonly Subject[] = [
  {
    name: 'Reloadly',
    table: RELOADLY_CODES,
    open: () =>
      createReloadlySupplier({
        clientId: 'x',
        clientSecret: key,
        webhookSecrets: [],
        environment: 'sandbox',
        baseUrl: service.origin,
        client,
        now,
      }),
    order: phone,
    before: ({ path }) =>
      path === '/oauth/token'
        ? { access_token: 'token', expires_in: 86_400 }
        : path === '/operators/1'
          ? {
              operatorId: 1,
              name: 'Operator',
              denominationType: 'FIXED',
              senderCurrencyCode: 'USD',
              destinationCurrencyCode: 'IDR',
              country: { isoName: 'ID' },
              fixedAmounts: [5],
            }
          : null,
    refuse: (errorCode) => ({
      timeStamp: '',
      message: 'no',
      path: '/topups',
      errorCode,
      details: [],
    }),
  },
  {
    name: 'DT One',
    table: DTONE_CODES,
    open: () =>
      createDtoneSupplier({
        key: 'x',
        secret: key,
        callbackCredentials: null,
        baseUrl: service.origin,
        client,
      }),
    order: phone,
    before: ({ path }) =>
      path === '/v1/products/1' ? { id: 1, name: 'Product', type: 'FIXED_VALUE_RECHARGE' } : null,
    refuse: (code) => [{ code: Number(code), message: 'no' }],
  },
  {
    name: 'SEAGM',
    table: SEAGM_CODES,
    open: () =>
      createSeagmSupplier({ uid: 'x', secret: key, baseUrl: service.origin, client, now }),
    order: game,
    before: ({ path }) =>
      path === '/v1/recharge-types/1'
        ? { code: 200, data: { id: 1, name: 'Type', unit_price: '5.00', currency: 'USD' } }
        : path === '/v1/me'
          ? { code: 200, data: { balance: '100', currency: 'USD' } }
          : null,
    refuse: (code) => ({
      code: Number(code),
      msg: 'no',
      error_info: { info_code: 1, info_message: 'no' },
    }),
  },
  {
    name: 'Kinguin',
    table: { ...KINGUIN_KINDS, ConstraintViolation: 'unknown' },
    open: () =>
      createKinguinSupplier({ apiKey: key, eventSecret: null, baseUrl: service.origin, client }),
    order: { ...game, kind: 'key', fields: {} },
    before: ({ path }) =>
      path === '/v2/products/1' ? { productId: '1', name: 'Key', price: 5.25, qty: 3 } : null,
    refuse: (kind) => ({ kind, status: 400, title: 'no', detail: 'no' }),
  },
  {
    name: 'UniPin',
    table: UNIPIN_CODES,
    open: () =>
      createUnipinSupplier({
        partnerId: 'x',
        secret: key,
        baseUrl: service.origin,
        voucherCurrency: null,
        client,
        now,
      }),
    order: { ...game, product: 'game/1' },
    before: ({ path }) =>
      path === '/in-game-topup/detail'
        ? { status: 1, denominations: [{ id: '1', name: 'One', currency: 'USD', amount: '5.00' }] }
        : path === '/in-game-topup/user/validate'
          ? { status: 1, validation_token: 'token', username: 'Ann' }
          : null,
    refuse: (code) => ({ status: 0, error: { code: Number(code), message: 'no' } }),
  },
  {
    name: 'UniPin vouchers',
    // What is read before may say more than the purchase: there these leave it open.
    table: { ...UNIPIN_VOUCHER_CODES, '701': 'unknown', '704': 'unknown', '716': 'unknown' },
    open: () =>
      createUnipinSupplier({
        partnerId: 'x',
        secret: key,
        baseUrl: service.origin,
        voucherCurrency: 'IDR',
        client,
        now,
      }),
    order: { ...game, kind: 'voucher', product: 'voucher:STEAM/STEAM-60', fields: {} },
    before: ({ path }) =>
      path === '/voucher/details'
        ? {
            status: 1,
            denominations: [
              {
                denomination_code: 'STEAM-60',
                denomination_name: 'Steam 60.000',
                denomination_currency: 'IDR',
                denomination_amount: '60000',
              },
            ],
          }
        : path === '/voucher/balance'
          ? { status: 1, balance: 100_000 }
          : null,
    refuse: (code) => ({ status: 0, error: { message: 'no', error_code: Number(code) } }),
  },
  {
    name: 'Digiflazz',
    table: DIGIFLAZZ_CODES,
    open: () =>
      createDigiflazzSupplier({
        username: 'x',
        apiKey: key,
        webhookSecret: null,
        isTest: true,
        baseUrl: service.origin,
        client,
        now,
      }),
    order: phone,
    before: () => null,
    refuse: (rc) => ({ data: { ref_id: REFERENCE, status: 'Gagal', rc, message: 'no' } }),
  },
]

const purchaseOf = (order: SupplyOrder): SupplyPurchase => ({
  ...order,
  reference: REFERENCE,
  maxCost: null,
  token: null,
  buyerAddress: null,
})

function answering({ before }: Subject, told: Reply): void {
  service.answer = (asked) => {
    const read = before(asked)
    return read === null ? told : { body: read }
  }
}

describe.each(SUBJECTS)('$name', (subject) => {
  const { name, table, open, order, refuse } = subject

  test.each(Object.entries(table))(
    'code %s is %s, whatever the status of the answer',
    async (code, expected) => {
      for (const status of STATUSES) {
        answering(subject, { status, body: refuse(code) })
        const outcome = await open().purchase(purchaseOf(order))
        expect(outcome.kind === 'failed' ? outcome.class : outcome.kind).toBe(expected)
      }
    },
  )

  test.each([
    ['a code that is in no table', refuse('4242')],
    ['a code that is a name of JavaScript', refuse('constructor')],
    ['no object', []],
    ['an object of nothing', {}],
    ['null', 'null'],
    ['a number', '7'],
    ['HTML', '<h1>OK</h1>'],
    ['what is cut off', '{"transactionId": 1, "sta'],
    ['very deep nesting', '['.repeat(100_000)],
  ])('%s leaves it open, whatever the status of the answer', async (_, body) => {
    for (const status of STATUSES) {
      answering(subject, { status, body })
      expect((await open().purchase(purchaseOf(order))).kind).toBe('unknown')
    }
  })

  test.each([
    ['an object of nothing', {}],
    ['null', 'null'],
    ['a list of something else', [{ a: 1 }]],
    ['HTML', '<h1>OK</h1>'],
    ['what is cut off', '{"content": [{"transactionId": 1, "sta'],
  ])('%s tells nothing of a purchase, of cards, of balances or of prices', async (_, body) => {
    for (const status of STATUSES) {
      answering(subject, { status, body })
      for (const supplierId of [null, '77']) {
        const request = { purchase: purchaseOf(order), supplierId }
        expect((await open().lookup(request)).kind).toBe('unknown')
        expect((await open().cards(request)).kind).toBe('unknown')
      }
      service.answer = () => ({ status, body })
      if (name !== 'UniPin') await expect(open().balances()).rejects.toThrow(SupplyUnavailable)
      expect((await open().quote(order)).kind).not.toBe('quote')
      expect((await open().validateAccount(order)).kind).toBe('unchecked')
    }
  })

  test('a failure before the purchase buys nothing, and says so', async () => {
    // Digiflazz is asked nothing before.
    if (name === 'Digiflazz') return
    service.answer = () => ({ status: 500, body: '<h1>500</h1>' })
    expect(await open().purchase(purchaseOf(order))).toMatchObject({
      kind: 'failed',
      code: 'not_sent',
    })
  })
})

test('what is to be waited for says until when', async () => {
  const [reloadly] = SUBJECTS
  if (!reloadly) throw new Error('no subject')
  answering(reloadly, { status: 400, body: reloadly.refuse('PHONE_RECENTLY_RECHARGED') })
  expect(await reloadly.open().purchase(purchaseOf(reloadly.order))).toMatchObject({
    class: 'wait',
    until: new Date(NOW.getTime() + 120_000),
  })
})

test('a refusal of Kinguin is about the price, about our reference, or about the request', async () => {
  const kinguin = SUBJECTS.find(({ name }) => name === 'Kinguin')
  if (!kinguin) throw new Error('no subject')
  const told = async (propertyPath: string | null) => {
    answering(kinguin, {
      status: 400,
      body: { kind: 'ConstraintViolation', detail: 'no', propertyPath },
    })
    const outcome = await kinguin.open().purchase(purchaseOf(kinguin.order))
    return outcome.kind === 'failed' ? outcome.class : outcome.kind
  }
  expect([
    await told('products[0].price'),
    await told('orderExternalId'),
    await told('products[0].qty'),
    await told(null),
  ]).toEqual(['price', 'unknown', 'ours', 'unknown'])
})

test('an error of Reloadly without a code is known by its published message alone', async () => {
  const [reloadly] = SUBJECTS
  if (!reloadly) throw new Error('no subject')
  const told = async (message: string) => {
    answering(reloadly, { status: 400, body: { message, errorCode: null } })
    const outcome = await reloadly.open().purchase(purchaseOf(reloadly.order))
    return outcome.kind === 'failed' ? outcome.class : outcome.kind
  }
  expect(await told('Invalid price, please ensure you selected the right price.')).toBe('price')
  expect(await told('Something else')).toBe('unknown')
})

test.each(Object.entries({ ...DTONE_STATUSES, '6': 'unknown', '10': 'unknown' }))(
  'status %s of DT One is %s',
  async (id, expected) => {
    const dtone = SUBJECTS.find(({ name }) => name === 'DT One')
    if (!dtone) throw new Error('no subject')
    answering(dtone, {
      status: 201,
      body: {
        id: 77,
        external_id: REFERENCE,
        product: { id: 1 },
        status: { id: Number(id), message: 'x' },
      },
    })
    const outcome = await dtone.open().purchase(purchaseOf(dtone.order))
    if (expected === 'reversed') expect(outcome).toMatchObject({ kind: 'failed', wasDone: true })
    else expect(outcome.kind).toBe(expected)
  },
)

test.each([
  ['Sukses', '00', 'done'],
  ['Pending', '03', 'accepted'],
  ['Sukses', '03', 'unknown'],
  ['Sukses', '54', 'unknown'],
  ['Pending', '00', 'unknown'],
  ['Gagal', '00', 'unknown'],
  ['Gagal', '03', 'unknown'],
  ['sukses', '00', 'unknown'],
])('Digiflazz: %s with %s is %s', async (status, rc, expected) => {
  const digiflazz = SUBJECTS.find(({ name }) => name === 'Digiflazz')
  if (!digiflazz) throw new Error('no subject')
  const data = {
    ref_id: REFERENCE,
    buyer_sku_code: '1',
    customer_no: '081234567890',
    status,
    rc,
    price: 10_000,
  }
  answering(digiflazz, { body: { data } })
  expect((await digiflazz.open().purchase(purchaseOf(digiflazz.order))).kind).toBe(expected)
})

test.each([
  ...['02', '51', '52', '53', '54', '55', '57', '59'].map((rc) => [rc, 'failed']),
  ...['01', '40', '41', '42', '43', '44', '45', '47', '49', '50', '58', '99'].map((rc) => [
    rc,
    'unknown',
  ]),
])('Digiflazz: asked about a purchase, %s leaves it %s', async (rc = '', expected = '') => {
  const digiflazz = SUBJECTS.find(({ name }) => name === 'Digiflazz')
  if (!digiflazz) throw new Error('no subject')
  for (const status of STATUSES)
    for (const supplierId of [null, REFERENCE]) {
      answering(digiflazz, { status, body: digiflazz.refuse(rc) })
      const request = { purchase: purchaseOf(digiflazz.order), supplierId }
      expect((await digiflazz.open().lookup(request)).kind).toBe(expected)
    }
})
