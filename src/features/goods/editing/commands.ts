export type { AskedChange } from './write/asked.ts'
export {
  makeChange,
  tryChange,
  type GivenChange,
  type HoldPriceEffect,
  type MadeChange,
} from './write/change.ts'
export { setLocks, type GivenLocks } from './write/locks.ts'
export { tryUndo, undoChange, type GivenUndo } from './write/undo.ts'
