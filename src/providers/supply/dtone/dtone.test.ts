import { expect, test } from 'vitest'
import { secret } from '#platform/secret.ts'
import { supplyContract } from '../../../../test/support/supply-contract.ts'
import type { SupplyContract } from '../../../../test/support/supply-contract.ts'
import { createDtoneSupplier } from './dtone.ts'
import { fieldsOf, readDtoneProduct } from './products.ts'
import { dtoneError } from './transactions.ts'

const open: SupplyContract['open'] = ({ origin, secret: key, client }) =>
  createDtoneSupplier({
    key: 'sandbox',
    secret: secret(key),
    callbackCredentials: secret(`sandbox:${key}`),
    baseUrl: origin,
    client,
  })
const refusals = { 9005: ['customer'], 9006: ['unknown'], 9007: ['ours'], 9008: ['ours'] }

supplyContract('DT One airtime', {
  code: 'dtone',
  open,
  order: (scenario) => ({
    kind: 'recharge',
    // AXIS 10,000, by the sandbox's number for it.
    product: '32910849',
    quantity: 1,
    face: { minor: 1_000_000n, currency: 'IDR' },
    fields: { phone: `+62831234${scenario}`, country: 'ID' },
  }),
  namesAccount: true,
  refusals,
})

supplyContract('DT One PINs', {
  code: 'dtone',
  open,
  order: (scenario) => ({
    kind: 'voucher',
    product: String(scenario),
    quantity: 1,
    face: null,
    fields: {},
  }),
  refusals,
  isCards: true,
})

const product = (credit: unknown, sender: unknown = []) =>
  readDtoneProduct({
    id: '1',
    name: 'x',
    type: 'FIXED_VALUE_RECHARGE',
    required_credit_party_identifier_fields: credit,
    required_sender_fields: sender,
  })

test('of alternatives the first that we can give is asked for; papers of people are not', () => {
  const fields = (credit: unknown, sender?: unknown) => {
    const known = product(credit, sender)
    return known && fieldsOf(known)
  }
  expect(fields([['iban'], ['account_number', 'account_qualifier']])).toEqual([
    'account_number',
    'account_qualifier',
  ])
  expect(fields([['iban']])).toBeNull()
  expect(fields([['mobile_number']], [['lastname', 'id_number']])).toBeNull()
  expect(fields([])).toEqual([])
})

test('errors that say different things say nothing', () => {
  const told = (...codes: string[]) =>
    dtoneError({
      kind: 'answer',
      status: 400,
      headers: {},
      text: '',
      json: codes.map((code) => ({ code, message: 'x' })),
    })
  expect(told('1005003')).toMatchObject({ kind: 'failed', class: 'customer' })
  expect(told('1006001', '1006003')).toMatchObject({ kind: 'failed', class: 'ours' })
  expect(told('1005003', '1006001').kind).toBe('unknown')
  expect(told('1005003', '1009001').kind).toBe('unknown')
  expect(told().kind).toBe('unknown')
})
