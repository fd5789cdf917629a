export { readDeskSheet, type DeskSheet, type DeskUnit } from './read/sheet.ts'
