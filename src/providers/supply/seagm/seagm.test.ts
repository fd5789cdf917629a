import { secret } from '#platform/secret.ts'
import { supplyContract } from '../../../../test/support/supply-contract.ts'
import type { SupplyContract } from '../../../../test/support/supply-contract.ts'
import { createSeagmSupplier } from './seagm.ts'

const open: SupplyContract['open'] = ({ origin, secret: key, client }) =>
  createSeagmSupplier({
    uid: 'sandbox',
    secret: secret(key),
    baseUrl: origin,
    client,
    now: () => new Date(),
  })

supplyContract('SEAGM top-ups', {
  code: 'seagm',
  open,
  order: (scenario) => ({
    kind: 'topup',
    product: 'game:17live:jp:100',
    quantity: 1,
    face: null,
    fields: { live_id: `sunny${scenario}` },
  }),
  refusals: { 9005: ['unknown'], 9006: ['wait'], 9007: ['unknown'], 9008: ['unknown', 'ours'] },
})

supplyContract('SEAGM cards', {
  code: 'seagm',
  open,
  order: (scenario) => ({
    kind: 'giftcard',
    product: String(scenario),
    quantity: 1,
    face: null,
    fields: {},
  }),
  refusals: { 9005: ['unknown'], 9006: ['wait'], 9007: ['stock'], 9008: ['unknown', 'ours'] },
  isCards: true,
})
