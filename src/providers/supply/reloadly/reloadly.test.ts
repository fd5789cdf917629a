import { secret } from '#platform/secret.ts'
import { supplyContract } from '../../../../test/support/supply-contract.ts'
import type { SupplyContract } from '../../../../test/support/supply-contract.ts'
import { createReloadlySupplier } from './reloadly.ts'

const open: SupplyContract['open'] = ({ origin, secret: key, client }) =>
  createReloadlySupplier({
    clientId: 'sandbox',
    clientSecret: secret(key),
    webhookSecrets: [secret(key)],
    environment: 'sandbox',
    baseUrl: origin,
    client,
    now: () => new Date(),
  })

supplyContract('Reloadly airtime', {
  code: 'reloadly',
  open,
  order: (scenario) => ({
    kind: 'recharge',
    // Telkomsel, by the sandbox's number for it.
    product: '428617994',
    quantity: 1,
    face: { minor: 1_000_000n, currency: 'IDR' },
    fields: { phone: `+62812345${scenario}`, country: 'ID' },
  }),
  namesAccount: true,
  refusals: { 9005: ['customer'], 9006: ['wait'], 9007: ['supplier'], 9008: ['ours'] },
})

supplyContract('Reloadly gift cards', {
  code: 'reloadly',
  open,
  order: (scenario) => ({
    kind: 'giftcard',
    product: String(scenario),
    quantity: 1,
    face: { minor: 1_000n, currency: 'USD' },
    fields: {},
  }),
  refusals: { 9005: ['customer'], 9006: ['wait'], 9007: ['supplier'], 9008: ['ours'] },
  isCards: true,
})
