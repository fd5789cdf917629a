export { askForRefund, requestRefund } from './write/request.ts'
export { endHolds } from './write/held.ts'
export { returnHeldMoney, returnSurplus } from './write/surplus.ts'
export { recordReversal, undoReversal } from './write/chargeback.ts'
export { wakeRefunds } from './write/waiting.ts'
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
  refundByOperator,
  repeatRefund,
  returnMoneyByOperator,
} from './write/by-operator.ts'
