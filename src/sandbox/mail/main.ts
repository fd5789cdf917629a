/** The demo's mail server: takes what the shop sends and shows it on a page in place of sending it on. */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { present } from '#kernel/assert.ts'
import { withOwnNames } from '#platform/http/own-names.ts'
import { createLogger } from '#platform/log.ts'
import { openMailbox } from './mailbox.ts'
import { receiveMail } from './receiver.ts'
import { createSite } from './site.ts'

// The start command has checked these and always gives them; reading the whole configuration would double this small process.
const setting = (name: string) => present(process.env[name], name)
const smtpPort = Number(
  present(/\bsmtp:(\d+)/.exec(setting('SANDBOX_PORTS'))?.[1], 'SANDBOX_PORTS smtp'),
)

const log = createLogger({ level: 'info', fields: { process: 'sandbox-mail' } })
const mailbox = openMailbox(join(setting('DATA_DIR'), 'sandbox', 'mail'))
const http = createServer(
  { requestTimeout: 10_000 },
  withOwnNames(createSite(mailbox, setting('PUBLIC_URL')), setting('PUBLIC_URL')),
)
const smtp = await receiveMail(mailbox, smtpPort, (error) => log.warn('mail sandbox', { error }))
http.listen(Number(setting('PORT')), '127.0.0.1')

const stop = () => {
  smtp.close()
  http.close(() => process.exit(0))
  http.closeAllConnections()
  setTimeout(() => process.exit(0), 1_000).unref()
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
