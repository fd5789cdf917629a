import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { secret } from '#platform/secret.ts'
import { supplyContract } from '../../../../test/support/supply-contract.ts'
import type { SupplyContract } from '../../../../test/support/supply-contract.ts'
import {
  SANDBOX_SECRET,
  startSupplySandbox,
  type RunningSupplySandbox,
} from '../../../../test/support/supply-sandbox.ts'
import { openSupplyClient } from '../wire/client.ts'
import { keyOf } from './keys.ts'
import { createKinguinSupplier } from './kinguin.ts'

const open: SupplyContract['open'] = ({ origin, secret: key, client }) =>
  createKinguinSupplier({
    apiKey: secret(key),
    eventSecret: secret(key),
    baseUrl: `${origin}/esa/api`,
    client,
  })
const order = (scenario: number) =>
  ({ kind: 'key', product: String(scenario), quantity: 1, face: null, fields: {} }) as const

supplyContract('Kinguin', {
  code: 'kinguin',
  open,
  order,
  refusals: { 9005: ['supplier'], 9006: ['unknown'], 9007: ['stock'], 9008: ['ours'] },
  isCards: true,
})

let sandbox: RunningSupplySandbox
beforeAll(async () => {
  sandbox = await startSupplySandbox()
})
afterAll(() => sandbox.stop())

test('keys go back once, and are then no longer bought', async () => {
  const provider = open({
    origin: sandbox.originOf('kinguin'),
    secret: SANDBOX_SECRET,
    client: openSupplyClient({ timeoutMs: 1_500 }),
  })
  const purchase = {
    ...order(9001),
    reference: randomUUID(),
    maxCost: null,
    token: null,
    buyerAddress: null,
  }
  const bought = await provider.purchase(purchase)
  expect(bought.kind).toBe('done')
  const request = { purchase, supplierId: bought.kind === 'done' ? bought.supplierId : null }
  expect(await provider.returnCards?.(request)).toEqual({ kind: 'accepted' })
  expect(await provider.returnCards?.(request)).toMatchObject({
    kind: 'failed',
    code: 'NoKeysToReturn',
  })
  expect((await provider.lookup(request)).kind).toBe('failed')
})

test('a key is a text or a picture, and nothing else', () => {
  expect(keyOf({ id: '1', serial: 'ABC', type: 'text/plain' })?.code?.reveal()).toBe('ABC')
  expect(keyOf({ id: '1', serial: 'aGk=', type: 'image/png' })?.image).toEqual({
    type: 'image/png',
    bytes: Buffer.from('hi'),
  })
  for (const wrong of [
    { id: '1', serial: 'ABC', type: 'image/svg+xml' },
    { id: '1', serial: 'not base64!', type: 'image/png' },
    { id: '1', serial: '', type: 'text/plain' },
    { id: '1', serial: 'ABC', type: 'text/html' },
    { serial: 'ABC', type: 'text/plain' },
    'ABC',
  ])
    expect(keyOf(wrong)).toBeNull()
})
