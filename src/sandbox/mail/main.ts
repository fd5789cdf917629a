/** The demo's mail server: takes what the shop sends and shows it on a page in place of sending it on. */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { present } from '#kernel/assert.ts'
import { configFromEnvironment } from '#platform/config.ts'
import { createLogger } from '#platform/log.ts'
import { openMailbox } from './mailbox.ts'
import { receiveMail } from './receiver.ts'
import { createSite } from './site.ts'

const config = configFromEnvironment()
const log = createLogger({ level: config.logLevel, fields: { process: 'sandbox-mail' } })
const mailbox = openMailbox(join(config.dataDirectory, 'sandbox', 'mail'))
const smtp = await receiveMail(mailbox, present(config.sandboxPorts.smtp, 'SANDBOX_PORTS smtp'), (error) => log.warn('mail sandbox', { error }))
const http = createServer({ requestTimeout: 10_000 }, createSite(mailbox, config.publicUrl))
http.listen(config.port, '127.0.0.1', () => log.debug('ready for mails'))

const stop = () => {
  smtp.close()
  http.close(() => process.exit(0))
  http.closeAllConnections()
  setTimeout(() => process.exit(0), 1_000).unref()
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
