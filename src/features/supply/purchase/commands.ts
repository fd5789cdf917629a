export { isHealthy } from './write/answer.ts'
export { askAgain, askNoMore, followNotice, putOffAsk, takeDueAsks } from './write/asking.ts'
export {
  allowCost,
  allowCostIn,
  bookDeposit,
  closeCase,
  previewCost,
  resumeSupplier,
  settleAsDecided,
  settlePurchase,
  switchSupplier,
  takeByHand,
  takeByHandIn,
  tryNowIn,
} from './write/by-operator.ts'
export { correctUnits, expireInputs } from './write/input.ts'
export { recordOutcome, type Recorded } from './write/outcome.ts'
export { deliverFastPath } from './write/delivery-fast-path.ts'
export { preparePurchase } from './write/prepare.ts'
export { takeQueued, type TakenUnit } from './write/queue.ts'
export { giveToShelf } from './write/shelf.ts'
export { refundTakenBack } from './write/taken-back.ts'
