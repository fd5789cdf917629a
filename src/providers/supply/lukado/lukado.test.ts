import { randomUUID } from 'node:crypto'
import { secret } from '#platform/secret.ts'
import { supplyContract } from '../../../../test/support/supply-contract.ts'
import type { SupplyContract } from '../../../../test/support/supply-contract.ts'
import { createLukadoSupplier } from './lukado.ts'

const open: SupplyContract['open'] = ({ origin, secret: shared, client }) =>
  createLukadoSupplier({
    origin,
    key: 'sandbox-key-0',
    secret: secret(shared),
    currency: 'USD',
    webhookSecret: secret(shared),
    client,
    now: () => new Date(),
    newNonce: randomUUID,
  })
const refusals = { 9005: ['customer'], 9006: ['wait'], 9007: ['stock'], 9008: ['ours'] }

supplyContract('Another Lukado, top-ups', {
  code: 'lukado',
  open,
  order: (scenario) => ({
    kind: 'topup',
    product: 'game:17live:jp:100',
    quantity: 1,
    face: null,
    fields: { live_id: `sunny${scenario}` },
  }),
  refusals,
})

supplyContract('Another Lukado, cards', {
  code: 'lukado',
  open,
  order: (scenario) => ({
    kind: 'giftcard',
    product: String(scenario),
    quantity: 1,
    face: null,
    fields: {},
  }),
  refusals,
  isCards: true,
})
