import { CONSOLE_PATH } from '../routes.ts'

/** Where reports are. */
export const REPORTS_PATH = `${CONSOLE_PATH}/reports`
