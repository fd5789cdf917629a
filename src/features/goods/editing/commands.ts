export type { AskedChange } from './write/asked.ts'
export { makeAskedChange, makeChange, tryChange, type HoldPriceEffect } from './write/change.ts'
export { setLocks } from './write/locks.ts'
export { makeAskedUndo, tryUndo, undoChange } from './write/undo.ts'
