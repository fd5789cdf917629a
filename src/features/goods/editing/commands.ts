export type { AskedChange } from './write/asked.ts'
export { makeAskedChange, makeChange, tryChange } from './write/change.ts'
export { setLocks } from './write/locks.ts'
export { tryUndo, undoChange } from './write/undo.ts'
