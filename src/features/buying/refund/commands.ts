export { askForRefund, planRefund, requestRefund, type PlannedRefund } from './write/request.ts'
export { endHolds } from './write/held.ts'
export { returnHeldMoney, returnSurplus } from './write/surplus.ts'
export { recordReversal, undoReversal } from './write/chargeback.ts'
export {
  ACCEPTING,
  hasRecallable,
  listKeepable,
  recallReturns,
  releaseReturns,
} from './write/recall.ts'
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
  approveWaitingRefund,
  previewRefund,
  refundByOperator,
  refundInTurn,
  refuseRefund,
  rejectWaitingRefund,
} from './write/by-operator.ts'
export {
  countHeldMoney,
  returnMoneyByOperator,
  returnMoneyInTurn,
  returnWaitingMoney,
} from './write/held-by-operator.ts'
export { repeatRefund, repeatRefundIn } from './write/repeat.ts'
