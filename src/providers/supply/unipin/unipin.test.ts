import { secret } from '#platform/secret.ts'
import { supplyContract, type SupplyContract } from '../../../../test/support/supply-contract.ts'
import { createUnipinSupplier } from './unipin.ts'

const opened =
  (voucherCurrency: string | null): SupplyContract['open'] =>
  ({ origin, secret: key, client }) =>
    createUnipinSupplier({
      partnerId: 'sandbox',
      secret: secret(key),
      baseUrl: origin,
      voucherCurrency,
      client,
      now: () => new Date(),
    })

const TOPUPS: Omit<SupplyContract, 'open'> = {
  code: 'unipin',
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
}

supplyContract('UniPin', { ...TOPUPS, open: opened(null) })
supplyContract('UniPin top-ups beside vouchers', { ...TOPUPS, open: opened('USD') })
supplyContract('UniPin vouchers', {
  code: 'unipin',
  open: opened('USD'),
  order: (scenario) => ({
    kind: 'voucher',
    product: `voucher:sandbox-cards/${scenario}`,
    quantity: 1,
    face: null,
    fields: {},
  }),
  refusals: { 9005: ['unknown'], 9006: ['unknown'], 9007: ['stock'], 9008: ['unknown', 'ours'] },
  isAtOnce: true,
  hasNoNotices: true,
  isCards: true,
  namesNoProduct: true,
})
