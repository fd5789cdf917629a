export { type AskedRefund, askForRefund, type GoodsRefund, requestRefund } from './write/request.ts'
export { returnHeldMoney, returnSurplus } from './write/surplus.ts'
export { recordReversal, type ReversedPayment, undoReversal } from './write/chargeback.ts'
export {
  beginRefund,
  lookAtRefunds,
  recordRefund,
  type RefundAnswer,
  type SubmittedRefund,
} from './write/submission.ts'
export {
  approveRefund,
  isAboveOwnLimit,
  type OperatorAsked,
  type OperatorRefund,
  refundByOperator,
  repeatRefund,
  returnMoneyByOperator,
} from './write/by-operator.ts'
