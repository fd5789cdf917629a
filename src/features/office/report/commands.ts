export { addUpTallies } from './write/tally.ts'
export {
  changeReport,
  choiceOfSaved,
  mailReport,
  removeReport,
  saveReport,
  todayIn,
  type ReportWish,
} from './write/saved.ts'
