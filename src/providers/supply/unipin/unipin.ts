import type { SupplyCapabilities, SupplyOrder, SupplyProvider } from '../provider.ts'
import {
  openUnipinApi,
  openUnipinVoucherApi,
  type UnipinApi,
  type UnipinOptions,
  type UnipinVoucherApi,
} from './api.ts'
import { buyTopup, checkPlayer, findTopup, listTopups, quoteTopup } from './topups.ts'
import {
  buyVouchers,
  findVouchers,
  listVouchers,
  openVoucherStock,
  quoteVouchers,
  readBalances,
  takeVouchers,
  VOUCHERS_MOST,
} from './vouchers.ts'

export const UNIPIN_TIMEOUT_MS = 60_000

const CAPABILITIES: SupplyCapabilities = {
  kinds: ['topup'],
  // That a reference used twice is refused is not verified.
  idempotency: 'lookup',
  // The code of a top-up that is not there is not known, and that of a voucher not verified.
  notFoundIsFinalAfterSeconds: null,
  lookupMayBuyAfterSeconds: null,
  checksAccounts: true,
  sendsNotices: false,
  enforcesMaxCost: false,
  needsBuyerAddress: false,
  maxQuantity: 1,
  limits: { concurrent: 4, perSecond: 4 },
  answersWithinSeconds: (3 * UNIPIN_TIMEOUT_MS) / 1_000,
}

/** In-game top-up and, for who has an account for them, vouchers: two contracts under one partner. */
export function createUnipinSupplier(options: UnipinOptions): SupplyProvider {
  const topups = topupSupplier(openUnipinApi(options))
  const { voucherCurrency } = options
  return voucherCurrency === null
    ? topups
    : withVouchers(topups, openUnipinVoucherApi(options), voucherCurrency, options.now)
}

const topupSupplier = (api: UnipinApi): SupplyProvider => ({
  code: 'unipin',
  capabilities: CAPABILITIES,
  catalogue: (cursor) => listTopups(api, Number(cursor ?? 0)),
  quote: (order) => quoteTopup(api, order),
  validateAccount: (order) => checkPlayer(api, order),
  purchase: (purchase) => buyTopup(api, purchase),
  lookup: (request) => findTopup(api, request),
  cards: async () => ({ kind: 'unknown', why: 'a top-up hands nothing over' }),
  // In-game top-up has no call for it.
  balances: async () => [],
})

const isVoucher = ({ kind }: Pick<SupplyOrder, 'kind'>) => kind === 'voucher'
const VOUCHER_CURSOR = 'voucher:'

function withVouchers(
  topups: SupplyProvider,
  api: UnipinVoucherApi,
  currency: string,
  now: () => Date,
): SupplyProvider {
  const stockOf = openVoucherStock(api, now)
  return {
    ...topups,
    // What is credited is bought one by one, whatever the most is: a top-up of two is refused here.
    capabilities: {
      ...CAPABILITIES,
      kinds: ['topup', 'voucher'],
      maxQuantity: VOUCHERS_MOST,
    },
    /** Games first, then vouchers; the cursor is `3` or `voucher:3`, the place in the list. */
    async catalogue(cursor) {
      if (cursor?.startsWith(VOUCHER_CURSOR)) {
        const page = await listVouchers(api, stockOf, Number(cursor.slice(VOUCHER_CURSOR.length)))
        return { ...page, next: page.next === null ? null : VOUCHER_CURSOR + page.next }
      }
      const page = await topups.catalogue(cursor)
      return { ...page, next: page.next ?? `${VOUCHER_CURSOR}0` }
    },
    quote: (order) => (isVoucher(order) ? quoteVouchers(api, order) : topups.quote(order)),
    validateAccount: async (order) =>
      isVoucher(order)
        ? { kind: 'unchecked', why: 'a voucher has no account' }
        : topups.validateAccount(order),
    purchase: (purchase) =>
      isVoucher(purchase) ? buyVouchers(api, currency, purchase) : topups.purchase(purchase),
    lookup: (request) =>
      isVoucher(request.purchase) ? findVouchers(api, request) : topups.lookup(request),
    cards: (request) =>
      isVoucher(request.purchase) ? takeVouchers(api, request) : topups.cards(request),
    balances: () => readBalances(api, currency),
  }
}
