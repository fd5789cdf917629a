import { mailResetCode, notifyOfPause } from '#features/people/account/jobs.ts'
import { sendMail } from '#features/people/mail/jobs.ts'
import { startSupplying, type Supplying } from '#features/supply/purchase/jobs.ts'
import { registerSuppliers } from '#features/supply/routing/commands.ts'
import { type PaymentServices } from '#features/buying/payment/flows.ts'
import { followNotices } from '#features/buying/payment/jobs.ts'
import { sendSms } from '#features/people/phone/jobs.ts'
import { submitAskedRefund } from '#features/buying/refund/jobs.ts'
import { keepCounting, type Counting } from '#features/goods/stock/jobs.ts'
import { createCoverDrawer } from '#features/goods/picture/flows.ts'
import { createPictureMaker } from '#features/goods/picture/pipeline/make.ts'
import { sentPictures } from '#features/goods/picture/queries.ts'
import { createNotifier, type Notifier } from '#features/buying/order-notification/jobs.ts'
import { TEST_OUTBOX } from '#features/buying/reseller-sandbox/jobs.ts'
import { startDispatching, type Dispatching } from '#features/buying/webhook/jobs.ts'
import { refillBusyShelves } from '#features/buying/vault/jobs.ts'
import type { Clock } from '#platform/clock.ts'
import { socketOf } from '#platform/local-service.ts'
import { createCtx, type Ctx, type CtxOptions } from '#platform/ctx.ts'
import { openDatabase, type Db } from '#platform/db.ts'
import { openQueue } from '#platform/jobs.ts'
import { keepHeartbeat } from '#platform/running-process.ts'
import { runSweeps, type SweepRunner } from '#platform/sweep-runner.ts'
import type { MailSender } from '#providers/mail/sender.ts'
import { guardProviders } from '#providers/payment/guarded.ts'
import type { SmsSender } from '#providers/sms/sender.ts'
import type { SupplyClient } from '#providers/supply/wire/client.ts'
import { startAlerting } from './alerting.ts'
import { sweepsOf, type SweepParts } from './sweeps.ts'

export interface BackgroundParts extends SweepParts {
  readonly databaseUrl: string
  /** Of the contexts that it makes, one for each kind of work, each over a pool of its own. */
  readonly context: Pick<CtxOptions, 'keys' | 'log'> & { readonly clock: Clock }
  /** Identifies the process. */
  readonly id: string
  readonly payments: PaymentServices & {
    readonly onChange?: (then: () => void) => void
    readonly mayCome?: readonly string[]
  }
  /** Null: mails wait. */
  readonly mail: MailSender | null
  readonly sms: SmsSender | null
  /** Calls resellers' endpoints; without it what they are to be told waits. */
  readonly webhooks?: SupplyClient
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
  webhooks: { connections: 4 },
} as const
const STATEMENT_TIMEOUT_MS = 60_000

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
    webhooks: open(PLACES.webhooks.connections),
  }
  const ctxOf = (db: Db): Ctx => createCtx({ ...context, db, actor: 'system' })
  const ctx = ctxOf(dbs.rest)
  const guarded = guardProviders(parts.payments.providers, log, parts.payments.onChange)
  const payments = { ...parts.payments, ...guarded }

  const alerting = startAlerting({
    databaseUrl,
    context,
    id,
    publicUrl: payments.publicUrl,
    timeZone: parts.timeZone,
    providers: () => [...payments.providers.keys()],
    mail: null,
  })
  const heartbeat = keepHeartbeat(ctx, context.clock, 'worker', id, parts.disk)
  const teller = createNotifier(ctxOf(dbs.settling))
  await registerSuppliers(ctx, [...parts.suppliers.keys()])
  const supplying = startBuying(ctxOf(dbs.supply), parts, teller)
  const dispatching = parts.webhooks ? startWebhooks(ctxOf(dbs.webhooks), parts.webhooks) : []
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
        dispatching,
        heartbeat,
        dbs: Object.values(dbs),
      }),
  }
}

const startBuying = (
  ctx: Ctx,
  { suppliers, vault, onSuppliersChange }: BackgroundParts,
  teller: Notifier,
): Supplying => startSupplying(ctx, suppliers, () => teller.soon(), vault, onSuppliersChange)

const startWebhooks = (ctx: Ctx, client: SupplyClient): readonly Dispatching[] => [
  startDispatching(ctx, client),
  startDispatching(ctx, client, TEST_OUTBOX),
]

interface Running {
  readonly queues: Queues
  readonly notices: { readonly stop: () => Promise<void> }
  readonly counting: Counting
  readonly sweeps: SweepRunner
  readonly alerting: { readonly stop: () => Promise<void> }
  readonly teller: Notifier
  readonly supplying: Supplying
  readonly dispatching: readonly Dispatching[]
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
  dispatching,
  heartbeat,
  dbs,
}: Running): Promise<void> {
  await Promise.allSettled([
    queues.stop(),
    notices.stop(),
    counting.stop(),
    sweeps.stop(),
    supplying.stop(),
    ...dispatching.map((each) => each.stop()),
    alerting.stop(),
  ])
  await teller.idle()
  await heartbeat.stop()
  await Promise.all(dbs.map((db) => db.destroy()))
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
    consoleUrl,
    databaseUrl,
    payments: { publicUrl },
  } = parts
  const { dataDirectory } = parts.disk
  const { log } = parts.context
  const drawCover = createCoverDrawer(
    createPictureMaker(socketOf(dataDirectory, 'pictures'), sentPictures(at.mail.db)),
    dataDirectory,
  )
  const opened = [
    await openQueue(databaseUrl, log, PLACES.mail.jobs, {
      // A job without a line here waits in the queue: mails do until there is a server to send them.
      ...(mail
        ? {
            send_mail: (payload: unknown) =>
              sendMail(at.mail, payload, { mail, publicUrl, consoleUrl, timeZone, drawCover }),
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
