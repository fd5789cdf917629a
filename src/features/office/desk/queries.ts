export { readDeskSheet, type DeskSheet, type DeskUnit } from './read/sheet.ts'
export { listViews } from './read/view.ts'
