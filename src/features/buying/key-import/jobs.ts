export { createImportWorker } from './flow/work.ts'
