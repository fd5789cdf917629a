import { Logger } from 'graphile-worker'
import type { Log } from './log.ts'

/** The job queue's own lines, in the shop's log. */
export function jobLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    const fields = meta === undefined ? {} : { meta }
    if (level === 'error') log.error(message, fields)
    else if (level === 'warning') log.warn(message, fields)
    else log.debug(message, fields)
  })
}
