export {
  judgeOrder,
  mayDeliver,
  mayDeliverSoon,
  mayHandOver,
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
