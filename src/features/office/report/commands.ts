export { addUpTallies } from './write/tally.ts'
export { changeReport, mailReport, removeReport, saveReport } from './write/saved.ts'
