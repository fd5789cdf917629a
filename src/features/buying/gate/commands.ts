export {
  judgeOrder,
  mayDeliver,
  mayDeliverSoon,
  noteLetGo,
  ownKeysAreLookedAt,
} from './write/look.ts'
export { forgetScreenings, holdAfterRisk } from './write/screening.ts'
export {
  noteReleased,
  proveAge,
  refuseByOperator,
  refuseInTurn,
  importScreening,
  removeScreening,
  tendRefused,
} from './write/decide.ts'
export { eraseGate, forgetUses } from './write/forget.ts'
