import { secret } from '#platform/secret.ts'
import { supplyContract } from '../../../../test/support/supply-contract.ts'
import { createUnipinSupplier } from './unipin.ts'

supplyContract('UniPin', {
  code: 'unipin',
  open: ({ origin, secret: key, client }) =>
    createUnipinSupplier({
      partnerId: 'sandbox',
      secret: secret(key),
      baseUrl: origin,
      client,
      now: () => new Date(),
    }),
  order: (scenario) => ({
    kind: 'topup',
    product: '17live-jp/game:17live:jp:100',
    quantity: 1,
    face: null,
    fields: { live_id: `sunny${scenario}` },
  }),
  refusals: { 9005: ['customer'], 9006: ['unknown'], 9007: ['unknown'], 9008: ['unknown'] },
  isAtOnce: true,
  hasNoNotices: true,
})
