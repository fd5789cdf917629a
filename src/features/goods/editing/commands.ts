export type { AskedChange } from './write/asked.ts'
export { makeChange, tryChange } from './write/change.ts'
export { setLocks } from './write/locks.ts'
export { tryUndo, undoChange } from './write/undo.ts'
