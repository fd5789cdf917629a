export { judgeOrder, mayDeliver, noteLetGo, ownKeysAreLookedAt } from './write/look.ts'
export {
  noteReleased,
  proveAge,
  refuseByOperator,
  importScreening,
  removeScreening,
  tendRefused,
} from './write/decide.ts'
export { eraseGate, forgetUses } from './write/forget.ts'
