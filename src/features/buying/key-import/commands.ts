export { takeFileAlone } from './write/alone.ts'
export { beginImport, dropUpload, endUpload, storePiece } from './write/receive.ts'
export {
  endCheck,
  endTaking,
  failImport,
  forgetImports,
  noteChecked,
  restartCheck,
  storeTaken,
  type FoundFault,
} from './write/progress.ts'
export { cancelImport, keepWaitingImport, takeImport, takeWaitingImport } from './write/take.ts'
