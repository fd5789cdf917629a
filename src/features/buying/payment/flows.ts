export type { PaymentServices } from './flow/provider.ts'
export {
  cancelUnpaid,
  endOpenPayment,
  payOrder,
  startPaying,
} from './flow/begin.ts'
export {
  receiveNotice,
  settleNotice,
  settleNotices,
  settleNoticesOf,
} from './flow/notices.ts'
export { checkPayment, expireUnheard, sweepPayments, sweepPaymentsOf } from './flow/checks.ts'
export { type AskAbout, createAsking } from './flow/asking.ts'
