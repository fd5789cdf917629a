export { readEffect } from './write/effect.ts'
export {
  acceptMoneyAtDesk,
  refundAtDesk,
  repeatRefundAtDesk,
  replaceAtDesk,
  returnMoneyAtDesk,
} from './write/money.ts'
export {
  completeAtDesk,
  decideDoubtAtDesk,
  failAtDesk,
  leadUnitAtDesk,
  noteAtDesk,
  refuseAtDesk,
  releaseAtDesk,
  requeueAtDesk,
  sendMailAtDesk,
} from './write/delivery.ts'
export { chooseColumns, removeView, saveView } from './write/view.ts'
export { findOrdersOf, openSearch, searchOrders } from './write/search.ts'
