export { addUpTallies } from './write/tally.ts'
export {
  changeReport,
  mailReport,
  removeReport,
  saveReport,
  todayIn,
} from './write/saved.ts'
