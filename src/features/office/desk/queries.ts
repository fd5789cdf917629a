export { readDeskSheet, type DeskSheet, type DeskUnit } from './read/sheet.ts'
export { listColumns, listViews } from './read/view.ts'
