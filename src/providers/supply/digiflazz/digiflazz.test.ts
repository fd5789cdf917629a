import { secret } from '#platform/secret.ts'
import { supplyContract } from '../../../../test/support/supply-contract.ts'
import { createDigiflazzSupplier } from './digiflazz.ts'

supplyContract('Digiflazz', {
  code: 'digiflazz',
  open: ({ origin, secret: key, client }) =>
    createDigiflazzSupplier({
      username: 'sandbox',
      apiKey: secret(key),
      webhookSecret: secret(key),
      isTest: true,
      baseUrl: origin,
      client,
      now: () => new Date(),
    }),
  order: (scenario) => ({
    kind: 'recharge',
    product: 'air:id-axis:10000',
    quantity: 1,
    face: null,
    fields: { phone: `+62831234${scenario}`, country: 'ID' },
  }),
  namesAccount: true,
  refusals: { 9005: ['customer'], 9006: ['wait'], 9007: ['stock'], 9008: ['ours'] },
})
