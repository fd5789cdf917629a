import { mailResetCode, notifyOfPause } from '#features/people/account/jobs.ts'
import { countVisits } from '#features/base/analytics/commands.ts'
import { eraseDue } from '#features/leaving/closure/jobs.ts'
import { cleanAlerts } from '#features/office/alert/commands.ts'
import { forgetOldEvidence, forgetWhatCameToNothing } from '#features/leaving/retention/commands.ts'
import { watchFavourites } from '#features/people/favourite/jobs.ts'
import { measureDeliveryTimes, tendDeliveries } from '#features/buying/fulfilment/jobs.ts'
import { cleanUpMail, resumeMail } from '#features/people/mail/commands.ts'
import { sendMail } from '#features/people/mail/jobs.ts'
import { cleanNotices } from '#features/people/notice/jobs.ts'
import { startSupplying, tendSupply, type Supplying } from '#features/supply/purchase/jobs.ts'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
import { checkEverything, lookAtChanged } from '#features/buying/promise/jobs.ts'
import { expireOrders } from '#features/buying/order/jobs.ts'
import {
  checkPayment,
  expireUnheard,
  sweepPaymentsOf,
  type PaymentServices,
} from '#features/buying/payment/flows.ts'
import { followNotices } from '#features/buying/payment/jobs.ts'
import { cleanSms, sendSms } from '#features/people/phone/jobs.ts'
import { reconcileProvider } from '#features/buying/reconciliation/flows.ts'
import { endHolds } from '#features/buying/refund/commands.ts'
import { submitRefundsOf } from '#features/buying/refund/flows.ts'
import { submitAskedRefund } from '#features/buying/refund/jobs.ts'
import { TO_STORE_CREDIT } from '#features/buying/refund/rules.ts'
import { followReversals } from '#features/buying/store-credit/commands.ts'
import { cleanUp } from '#features/people/session/jobs.ts'
import { followRates } from '#features/goods/currency/commands.ts'
import { fetchRates } from '#features/goods/currency/flows.ts'
import { removeLoosePictures } from '#features/goods/upload/commands.ts'
import { keepCounting, recountStockJob, type Counting } from '#features/goods/stock/jobs.ts'
import { createCoverDrawer } from '#features/goods/picture/flows.ts'
import { createPictureMaker } from '#features/goods/picture/pipeline/make.ts'
import {
  createNotifier,
  notifyAll,
  type Notifier,
} from '#features/buying/order-notification/jobs.ts'
import type { Vault } from '#features/buying/vault/engine/vault.ts'
import { refillBusyShelves, restockDemo } from '#features/buying/vault/jobs.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { socketOf } from '#platform/local-service.ts'
import { createCtx, type Ctx, type CtxOptions } from '#platform/ctx.ts'
import { openDatabase, type Db } from '#platform/db.ts'
import { forgetDeadJobs, forgetJobs, openQueue } from '#platform/jobs.ts'
import { forgetDeadProcesses, keepHeartbeat } from '#platform/running-process.ts'
import { runSweeps, type Sweep, type SweepRunner } from '#platform/sweep-runner.ts'
import type { MailSender } from '#providers/mail/sender.ts'
import { guardProviders } from '#providers/payment/guarded.ts'
import type { OfferedRates } from '#providers/rates/offered.ts'
import type { SmsSender } from '#providers/sms/sender.ts'
import type { Suppliers } from '#providers/supply/provider.ts'
import { startAlerting } from './alerting.ts'

export interface BackgroundParts {
  readonly databaseUrl: string
  /** Of the contexts that it makes, one for each kind of work, each over a pool of its own. */
  readonly context: Pick<CtxOptions, 'keys' | 'log'> & { readonly clock: Clock }
  /** Identifies the process. */
  readonly id: string
  /** Where data and backups lie. */
  readonly disk: Pick<Config, 'dataDirectory' | 'backupDirectory'>
  readonly payments: PaymentServices
  /** Who delivers what the shop has not itself. */
  readonly suppliers: Suppliers
  /** Sources of exchange rates that may be asked. */
  readonly rates: readonly OfferedRates[]
  /** Null: mails wait. */
  readonly mail: MailSender | null
  readonly sms: SmsSender | null
  readonly timeZone: string
  /** Of a demo, which fills its own shelves. */
  readonly demoVault: Vault | null
}

export interface Background {
  /** Resolves when nothing runs any more. */
  readonly stop: () => Promise<void>
}

/** What has places of its own: no backlog of one kind of work keeps another waiting. Connections to the database, and jobs at once. */
const PLACES = {
  mail: { connections: 8, jobs: 4 },
  settling: { connections: 12 },
  supply: { connections: 12 },
  rest: { connections: 10, jobs: 2 },
} as const
const STATEMENT_TIMEOUT_MS = 60_000
/** Jobs of releases before, which are sweeps now: they wait for nobody. */
const RETIRED_JOBS = [
  'resume_mail',
  'tell_buyers',
  'sweep_payments',
  'submit_refunds',
  'tend_deliveries',
  'measure_deliveries',
  'follow_reversals',
  'expire_orders',
  'restock_demo',
  'recount_stock',
  'check_promises',
  'clean_up',
  'clean_mail',
  'clean_sms',
  'erase_accounts',
  'clean_notices',
  'watch_favourites',
] as const

/** Everything a shop does without being asked: jobs that commands have left, notices of payments, and what is done again and again. */
export async function startBackground(parts: BackgroundParts): Promise<Background> {
  const { databaseUrl, context, id } = parts
  const { log } = context
  const open = (connections: number): Db =>
    openDatabase({
      url: databaseUrl,
      poolSize: connections,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    })
  const dbs = {
    mail: open(PLACES.mail.connections),
    settling: open(PLACES.settling.connections),
    supply: open(PLACES.supply.connections),
    rest: open(PLACES.rest.connections),
  }
  const ctxOf = (db: Db): Ctx => createCtx({ ...context, db, actor: 'system' })
  const ctx = ctxOf(dbs.rest)
  const guarded = guardProviders(parts.payments.providers, log)
  const payments = { ...parts.payments, ...guarded }

  const alerting = startAlerting({
    databaseUrl,
    context,
    id,
    publicUrl: payments.publicUrl,
    timeZone: parts.timeZone,
    providers: [...payments.providers.keys()],
    mail: null,
  })
  const heartbeat = keepHeartbeat(ctx, context.clock, 'worker', id, parts.disk)
  const teller = createNotifier(ctxOf(dbs.settling))
  await registerSuppliers(ctx, [...parts.suppliers.keys()])
  const supplying = startSupplying(ctxOf(dbs.supply), parts.suppliers, () => teller.soon())
  const sweeps = runSweeps(ctx, sweepsOf(ctx, parts, payments, { teller, supplying }), id)
  const queues = await openQueues(parts, { mail: ctxOf(dbs.mail), rest: ctx }, sweeps)
  const counting = keepCounting(ctx, async ({ fallen }) => {
    // Something was sold, maybe by a web process whose payer came back before the notice: its buyer hears of it now.
    teller.soon()
    if (parts.demoVault) await refillBusyShelves(ctx, parts.demoVault, fallen)
  })
  const notices = await followNotices(ctxOf(dbs.settling), payments, {
    databaseUrl,
    onSettled: () => {
      teller.soon()
      supplying.soon()
    },
  })
  return {
    stop: () =>
      stop({
        queues,
        notices,
        counting,
        sweeps,
        alerting,
        teller,
        supplying,
        heartbeat,
        dbs: Object.values(dbs),
      }),
  }
}

interface Running {
  readonly queues: Queues
  readonly notices: { readonly stop: () => Promise<void> }
  readonly counting: Counting
  readonly sweeps: SweepRunner
  readonly alerting: { readonly stop: () => Promise<void> }
  readonly teller: Notifier
  readonly supplying: Supplying
  readonly heartbeat: { readonly stop: () => Promise<void> }
  readonly dbs: readonly Db[]
}

async function stop({
  queues,
  notices,
  counting,
  sweeps,
  alerting,
  teller,
  supplying,
  heartbeat,
  dbs,
}: Running): Promise<void> {
  await Promise.allSettled([
    queues.stop(),
    notices.stop(),
    counting.stop(),
    sweeps.stop(),
    supplying.stop(),
    alerting.stop(),
  ])
  await teller.idle()
  await heartbeat.stop()
  await Promise.all(dbs.map((db) => db.destroy()))
}

const MINUTELY = { everySeconds: 60 }
const HOURLY = { everySeconds: 3_600 }

/** What is done again and again; each a kind of its own, and each provider a kind, so that none waits for another. */
function sweepsOf(
  ctx: Ctx,
  parts: BackgroundParts,
  payments: PaymentServices,
  { teller, supplying }: Pick<Running, 'teller' | 'supplying'>,
): Sweep[] {
  const told: Told = (work) => async (signal) => {
    await work(signal)
    teller.soon()
  }
  const { demoVault } = parts
  const checkChanged = lookAtChanged()
  return [
    ...sweepsOfProviders(ctx, payments, told),
    ...sweepsOfSuppliers(ctx, parts, supplying, told),
    ...sweepsOfRates(ctx, parts),
    { name: 'resume_mail', due: MINUTELY, run: () => resumeMail(ctx) },
    { name: 'tell_buyers', due: MINUTELY, run: () => notifyAll(ctx) },
    { name: 'tend_deliveries', due: MINUTELY, run: told(() => tendDeliveries(ctx)) },
    {
      name: 'expire_orders',
      due: { everySeconds: 5 },
      run: (signal) => expireOrders(ctx, signal),
    },
    {
      name: 'expire_unheard',
      due: { everySeconds: 5 },
      run: (signal) => expireUnheard(ctx, signal),
    },
    ...(demoVault
      ? [{ name: 'restock_demo', due: MINUTELY, run: () => restockDemo(ctx, demoVault) }]
      : []),
    { name: 'measure_deliveries', due: HOURLY, run: () => measureDeliveryTimes(ctx) },
    { name: 'end_holds', due: MINUTELY, run: told((signal) => endHolds(ctx, signal)) },
    { name: 'follow_reversals', due: HOURLY, run: () => followReversals(ctx) },
    {
      name: 'check_changed',
      due: { everySeconds: 15 },
      run: (signal) => checkChanged(ctx, signal),
    },
    {
      name: 'check_everything',
      due: { dailyAtMinute: 2 * 60 + 17 },
      run: (signal) => checkEverything(ctx, signal),
    },
    { name: 'erase_accounts', due: HOURLY, run: (signal) => eraseDue(ctx, signal) },
    { name: 'clean_up', due: HOURLY, run: () => cleanUpAll(ctx) },
    // The day on which keys expire begins.
    { name: 'recount_stock', due: { dailyAtMinute: 0 }, run: () => recountStockJob(ctx) },
    {
      name: 'forget_evidence',
      due: { dailyAtMinute: 3 * 60 + 17 },
      run: (signal) => forgetOldEvidence(ctx, signal),
    },
    {
      name: 'forget_unpaid',
      due: { dailyAtMinute: 3 * 60 + 41 },
      run: (signal) => forgetWhatCameToNothing(ctx, signal),
    },
    { name: 'clean_notices', due: { dailyAtMinute: 4 * 60 + 41 }, run: () => cleanNotices(ctx) },
    {
      name: 'watch_favourites',
      due: { dailyAtMinute: 5 * 60 + 23 },
      run: () => watchFavourites(ctx),
    },
  ]
}

type Told = (
  work: (signal: AbortSignal) => Promise<unknown>,
) => (signal: AbortSignal) => Promise<void>

function sweepsOfSuppliers(
  ctx: Ctx,
  { suppliers }: Pick<BackgroundParts, 'suppliers'>,
  supplying: Running['supplying'],
  told: Told,
): Sweep[] {
  return [
    ...[...suppliers.keys()].map((supplier) => ({
      name: `supply:${supplier}`,
      due: { everySeconds: 5 },
      run: told((signal) => supplying.ask(supplier, signal)),
    })),
    { name: 'tend_supply', due: MINUTELY, run: told(() => tendSupply(ctx)) },
  ]
}

function sweepsOfRates(ctx: Ctx, { rates }: Pick<BackgroundParts, 'rates'>): Sweep[] {
  return [
    ...rates.map((offered) => ({
      name: `rates:${offered.service.code}`,
      due: { everySeconds: offered.service.everySeconds },
      run: (signal: AbortSignal) => fetchRates(ctx, offered, signal),
    })),
    { name: 'follow_rates', due: MINUTELY, run: () => followRates(ctx) },
  ]
}

/** Asking about payments, refunds and what was done in a dashboard: what needs an answer from outside. */
function sweepsOfProviders(
  ctx: Ctx,
  payments: PaymentServices,
  told: Told,
): Sweep[] {
  const payees = [...new Set([...payments.providers.keys(), TO_STORE_CREDIT])]
  return [
    ...[...payments.providers.keys()].map((provider) => ({
      name: `payments:${provider}`,
      due: { everySeconds: 10 },
      run: told((signal) => sweepPaymentsOf(ctx, payments, provider, signal)),
    })),
    ...[...payments.providers.values()]
      // What the shop takes itself, in a transaction of its own, it compares too: between two steps a process may die.
      .filter(({ isOwn, takesAtOnce }) => isOwn !== true || takesAtOnce === true)
      .map((provider) => ({
        name: `reconcile:${provider.code}`,
        due: HOURLY,
        run: told((signal) =>
          reconcileProvider(ctx, provider, (id) => checkPayment(ctx, payments, id), signal),
        ),
      })),
    ...payees.map((payee) => ({
      name: `refunds:${payee}`,
      due: { everySeconds: 15 },
      run: told((signal) =>
        submitRefundsOf(ctx, payments.providers, payee, {
          room: () => payments.room?.(payee) ?? 'all',
          signal,
        }),
      ),
    })),
  ]
}

/** A picture that waits for the question it was sent for. */
const LOOSE_PICTURES_MS = 24 * 60 * 60_000

/** Takes away what has run out. */
async function cleanUpAll(ctx: Ctx): Promise<void> {
  await cleanUp(ctx)
  await countVisits(ctx)
  await cleanUpMail(ctx)
  await removeLoosePictures(ctx, new Date(ctx.now().getTime() - LOOSE_PICTURES_MS))
  await cleanSms(ctx)
  await cleanAlerts(ctx)
  await forgetDeadProcesses(ctx)
  await forgetJobs(ctx.db, RETIRED_JOBS)
  await forgetDeadJobs(ctx)
}

interface Queues {
  readonly stop: () => Promise<void>
}

async function openQueues(
  parts: BackgroundParts,
  at: { readonly mail: Ctx; readonly rest: Ctx },
  sweeps: SweepRunner,
): Promise<Queues> {
  const {
    mail,
    sms,
    timeZone,
    databaseUrl,
    payments: { publicUrl },
  } = parts
  const { dataDirectory } = parts.disk
  const { log } = parts.context
  const drawCover = createCoverDrawer(
    createPictureMaker(socketOf(dataDirectory, 'pictures')),
    dataDirectory,
  )
  const opened = [
    await openQueue(databaseUrl, log, PLACES.mail.jobs, {
      // A job without a line here waits in the queue: mails do until there is a server to send them.
      ...(mail
        ? {
            send_mail: (payload: unknown) =>
              sendMail(at.mail, payload, { mail, publicUrl, timeZone, drawCover }),
          }
        : {}),
      mail_reset_code: (payload) => mailResetCode(at.mail, payload),
      sign_in_paused: (payload) => notifyOfPause(at.mail, payload),
    }),
    await openQueue(databaseUrl, log, PLACES.rest.jobs, {
      send_sms: (payload) => sendSms(at.rest, payload, { sms, publicUrl }),
      submit_refund: (payload) =>
        submitAskedRefund(at.rest, payload, (payee) => sweeps.want(`refunds:${payee}`)),
    }),
  ]
  return {
    async stop() {
      await Promise.all(opened.map(({ runner }) => runner.stop()))
      await Promise.all(opened.map(({ pool }) => pool.end()))
    },
  }
}
