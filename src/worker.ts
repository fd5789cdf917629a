import { ANSWER_MAX_BYTES, WEBHOOK_TIMEOUT_MS } from '#features/buying/webhook/rules.ts'
import { createVaultClient } from '#features/buying/vault/engine/vault-process.ts'
import { present } from '#kernel/assert.ts'
import { openClock } from '#platform/clock.ts'
import { configFromEnvironment } from '#platform/config.ts'
import { createCtx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { openKeys } from '#platform/keys.ts'
import { offerDemoGoods, orderDemoKeys } from '#features/supply/routing/commands.ts'
import { DEMO_SUPPLIER } from '#features/supply/routing/rules.ts'
import { onSettingFault } from '#features/base/setting/queries.ts'
import { PROMISES_WITHIN_MS } from '#features/office/system/rules.ts'
import { socketOf } from '#platform/local-service.ts'
import { createLogger } from '#platform/log.ts'
import { createSmtpSender } from '#providers/mail/smtp/smtp-sender.ts'
import { offeredRates } from '#providers/rates/offered.ts'
import { offeredScreening } from '#providers/screening/offered.ts'
import { offeredSmsSender } from '#providers/sms/offered.ts'
import { openHookClient } from '#providers/supply/hook/client.ts'
import { SUPPLY_SERVICES } from '#providers/supply/services.ts'
import { startBackground } from './background.ts'
import { examineHere } from './cli/doctor.ts'
import { followPayments } from './payment-providers.ts'
import { followSuppliers } from './supply-services.ts'
import { followTexts } from './text-overrides.ts'

/** The jobs process. Run by Node from its sources; nothing here is built. */
const config = configFromEnvironment()
const log = createLogger({ level: config.logLevel, fields: { process: 'worker' } })
const databaseUrl = present(config.databaseUrl, 'DATABASE_URL').reveal()
/** Of the clock, and of what the shop itself takes. */
const db = openDatabase({ url: databaseUrl, poolSize: 4, statementTimeoutMs: 60_000 })
onSettingFault((key, fault) =>
  log.warn('a setting cannot be read, its default holds', { key, fault }),
)
const clock = await openClock(db, log)
const keys = openKeys(config)
const ctx = createCtx({ db, clock, keys, log, actor: 'system' })

const mail = config.smtpUrl
  ? createSmtpSender({ url: config.smtpUrl, from: config.mailFrom })
  : null
if (!mail) log.warn('SMTP_URL is not set: mails wait in the database, and nobody can get a code')
const sms = offeredSmsSender(config)
const vault = createVaultClient(socketOf(config.dataDirectory, 'vault'), log)
const followed = await followSuppliers(config, ctx, databaseUrl)
const { suppliers } = followed
if (config.demo && suppliers.has(DEMO_SUPPLIER)) {
  await offerDemoGoods(ctx, DEMO_SUPPLIER)
  await orderDemoKeys(ctx, DEMO_SUPPLIER)
}
const payments = await followPayments(config, ctx, databaseUrl)
const texts = await followTexts(ctx, databaseUrl)
const background = await startBackground({
  databaseUrl,
  context: { clock, keys, log },
  id: ctx.newId(),
  disk: config,
  mail,
  sms,
  timeZone: config.shopTimeZone,
  vault,
  demoVault: config.demo ? vault : null,
  suppliers,
  suppliersMayCome: SUPPLY_SERVICES.map(({ code }) => code),
  onSuppliersChange: followed.onChange,
  webhooks: openHookClient(WEBHOOK_TIMEOUT_MS, config.webhookLoopback, ANSWER_MAX_BYTES),
  consoleUrl: config.consoleOrigin,
  payments: { ...payments, publicUrl: config.publicUrl },
  rates: await offeredRates(config.rates),
  screening: await offeredScreening(config.screening),
  examine: () => examineHere(config, PROMISES_WITHIN_MS),
})
log.info('ready for jobs')

const stop = () =>
  void background.stop().finally(async () => {
    mail?.close()
    sms?.close()
    await payments.close()
    await followed.close()
    await texts.close()
    clock.stop()
    await db.destroy()
    process.exit(0)
  })
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
