import { run, type TaskList } from 'graphile-worker'
import pg from 'pg'
import { mailResetCode, tellOfPause } from '#features/account/jobs.ts'
import { eraseDue } from '#features/closure/jobs.ts'
import { watchFavourites } from '#features/favourite/jobs.ts'
import { measureDeliveryTimes, tendDeliveries } from '#features/fulfilment/jobs.ts'
import { cleanUpMail, resumeMail } from '#features/mail/commands.ts'
import { sendMail } from '#features/mail/jobs.ts'
import { cleanNotices } from '#features/notice/jobs.ts'
import { checkPromises, expireOrders } from '#features/order/jobs.ts'
import { sweepPayments } from '#features/payment/flows.ts'
import { followNotices } from '#features/payment/jobs.ts'
import { cleanSms, sendSms } from '#features/phone/jobs.ts'
import { submitRefunds } from '#features/refund/flows.ts'
import { submitAskedRefund } from '#features/refund/jobs.ts'
import { cleanUp } from '#features/session/jobs.ts'
import { createTeller, tellAll } from '#features/telling/jobs.ts'
import { keepCounting, recountStockJob } from '#features/stock/jobs.ts'
import { refillBusyShelves, restockDemo } from '#features/vault/jobs.ts'
import { present } from '#kernel/assert.ts'
import { configFromEnvironment } from '#platform/config.ts'
import { createCtx, type Ctx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { jobLogger } from '#platform/jobs.ts'
import { openKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { openVaultKeys } from '#platform/vault-keys.ts'
import { createSmtpSender } from '#providers/mail/smtp/smtp-sender.ts'
import { offeredSmsSender } from '#providers/sms/offered.ts'
import { paymentProviders } from './payment-providers.ts'

interface Job {
  readonly run: (ctx: Ctx, payload: unknown) => Promise<void>
  /** When it comes by itself, as a line of a crontab has it (UTC). */
  readonly at?: string
  /** Whether buyers may have to be told of what it did. */
  readonly isToTell?: boolean
}

/** Payments wait for their provider and for the disk, not for this process: enough at once that 80 a second are settled. */
const CONCURRENCY = 8

/** The jobs process: runs what commands have enqueued, and the sweeps. Run by Node from its sources; nothing here is built. */
const config = configFromEnvironment()
const { publicUrl, shopTimeZone: timeZone } = config
const log = createLogger({ level: config.logLevel, fields: { process: 'worker' } })
const connectionString = present(config.databaseUrl, 'DATABASE_URL').reveal()
const db = openDatabase({
  url: connectionString,
  poolSize: CONCURRENCY + 2,
  statementTimeoutMs: 60_000,
})
const ctx = createCtx({ db, keys: openKeys(config), log, actor: 'system' })

const mail = config.smtpUrl && createSmtpSender({ url: config.smtpUrl, from: config.mailFrom })
if (!mail) log.warn('SMTP_URL is not set: mails wait in the database, and nobody can get a code')
const sms = offeredSmsSender(config)

const vaultKeys = openVaultKeys(config)
const payments = { ...(await paymentProviders(config, ctx)), publicUrl }

const jobs: Readonly<Record<string, Job>> = {
  // A job without a line here waits in the queue: mails do until there is a server to send them.
  ...(mail
    ? { send_mail: { run: (at, payload) => sendMail(at, payload, { mail, publicUrl, timeZone }) } }
    : {}),
  send_sms: { run: (at, payload) => sendSms(at, payload, { sms, publicUrl }) },
  mail_reset_code: { run: mailResetCode },
  sign_in_paused: { run: tellOfPause },
  resume_mail: { at: '* * * * *', run: resumeMail },
  tell_buyers: { at: '* * * * *', run: tellAll },
  sweep_payments: { isToTell: true, at: '* * * * *', run: (at) => sweepPayments(at, payments) },
  submit_refund: {
    isToTell: true,
    run: (at, payload) => submitAskedRefund(at, payload, payments.providers),
  },
  submit_refunds: {
    isToTell: true,
    at: '* * * * *',
    run: (at) => submitRefunds(at, payments.providers),
  },
  tend_deliveries: { isToTell: true, at: '* * * * *', run: tendDeliveries },
  measure_deliveries: { at: '23 * * * *', run: measureDeliveryTimes },
  expire_orders: { at: '* * * * *', run: expireOrders },
  ...(config.demo
    ? { restock_demo: { at: '* * * * *', run: (at) => restockDemo(at, vaultKeys) } }
    : {}),
  recount_stock: { at: '0 0 * * *', run: recountStockJob },
  check_promises: { at: '19 * * * *', run: checkPromises },
  clean_up: { at: '7 * * * *', run: cleanUp },
  clean_mail: { at: '11 * * * *', run: cleanUpMail },
  clean_sms: { at: '13 * * * *', run: cleanSms },
  erase_accounts: { at: '37 * * * *', run: eraseDue },
  clean_notices: { at: '41 4 * * *', run: cleanNotices },
  watch_favourites: { at: '23 5 * * *', run: watchFavourites },
}

const teller = createTeller(ctx)
const taskList: TaskList = Object.fromEntries(
  Object.entries(jobs).map(([name, job]) => [
    name,
    async (payload: unknown) => {
      await job.run(ctx, payload)
      if (job.isToTell) teller.soon()
    },
  ]),
)
// For the queue's own books alone, which do not wait for the disk: should the server's machine fail, what is lost of them is a job that
// is run again, and every job may be. What jobs themselves write goes over `db`.
const queuePool = new pg.Pool({
  connectionString,
  max: CONCURRENCY,
  application_name: 'lukado queue',
  options: '-c synchronous_commit=off',
})
const onBroken = (error: Error) => log.warn('a connection of the queue broke', { error })
queuePool.on('error', onBroken).on('connect', (client) => void client.on('error', onBroken))
const runner = await run({
  pgPool: queuePool,
  concurrency: CONCURRENCY,
  noHandleSignals: true,
  // A job is found by notification at once; the poll is for what was missed.
  pollInterval: 2_000,
  logger: jobLogger(log),
  taskList,
  crontab: Object.entries(jobs)
    .flatMap(([name, { at }]) => (at ? [`${at} ${name}`] : []))
    .join('\n'),
})
const counting = keepCounting(ctx, async ({ fallen }) => {
  // Something was sold, maybe by a web process whose payer came back before the notice: its buyer hears of it now.
  teller.soon()
  if (config.demo) await refillBusyShelves(ctx, vaultKeys, fallen)
})
const notices = await followNotices(ctx, payments, {
  databaseUrl: connectionString,
  onSettled: () => teller.soon(),
})
log.info('ready for jobs')

const stop = () =>
  void Promise.all([runner.stop(), notices.stop(), counting.stop()]).finally(async () => {
    mail?.close()
    sms?.close()
    await teller.idle()
    await Promise.all([queuePool.end(), db.destroy()])
    process.exit(0)
  })
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
await runner.promise
