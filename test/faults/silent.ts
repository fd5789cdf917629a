import { fork } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { startPaying, type PaymentServices } from '#features/buying/payment/flows.ts'
import { recordNotice } from '#features/buying/payment/commands.ts'
import { openClock } from '#platform/clock.ts'
import { createCtx, type Ctx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { secret } from '#platform/secret.ts'
import { createSmtpSender } from '#providers/mail/smtp/smtp-sender.ts'
import { sandboxPayments } from '#providers/payment/sandbox/sandbox.ts'
import { startBackground } from '../../src/background.ts'
import { addCurrencies, addItem, buy, stock, type TestItem } from '../support/buying.ts'
import { createFakePayments, type FakePayments } from '../support/fake-payment.ts'
import { startMailServer, type MailServer } from '../support/mail-server.ts'
import { writeAbandoned } from './abandoned.ts'
import { brokenPromises, unbalanced } from './verdict.ts'
import { removeDataFolder } from '../support/data-folder.ts'

export interface Silent {
  /** Payments begun at the silent provider and left. */
  readonly abandoned: number
  /** Payments a second it may be asked about. */
  readonly perSecond: number
  /** How long it says nothing. */
  readonly silentSeconds: number
  /** Seconds by which nobody else's delivery or mail may come later. */
  readonly lateAtMost: number
  readonly say: (line: string) => void
}

export interface SilentReport {
  /** Seconds from a notice of a payment at another provider to the order's delivery, and to its mail at the mail server. */
  readonly deliverySeconds: Spread
  readonly mailSeconds: Spread
  /** Seconds between the time of an order of which the provider never told and its end. */
  readonly unheardSeconds: Spread
  /** Seconds from the provider's first answer until the last order past its time is over. */
  readonly drainedSeconds: number
  readonly faults: readonly string[]
}

interface Spread {
  readonly count: number
  readonly median: number
  readonly p99: number
  readonly most: number
}

const DRAIN_SLACK_SECONDS = 300
/** After the last of those that end by themselves is past its time; how late they were is reported. */
const UNHEARD_SLACK_SECONDS = 120
const UNHEARD = sql<boolean>`p.provider_reference is null`
/** Another buyer pays this often. */
const BUYS_EVERY_MS = 250
const ANSWER_MS = 2_000
/** Half of the abandoned, whose time comes over so long, a second each this many. */
const UNHEARD_PER_SECOND = 200

/** One provider says nothing while many payments wait for it; others pay, are delivered and get their mails as ever. */
export function runSilent(wanted: Silent): Promise<SilentReport> {
  return withParts(wanted, async (parts) => {
    const { ctx, mute, others } = parts
    const lead = Math.max(5, wanted.abandoned / 4_000)
    await writeAbandoned(ctx, {
      item: parts.left,
      provider: 'mute',
      count: wanted.abandoned,
      endsWithin: [lead, lead + wanted.abandoned / 2 / UNHEARD_PER_SECOND],
    })
    wanted.say(`silent: ${wanted.abandoned} payments are left at a provider that says nothing`)
    await stock(ctx, parts.item, 'S', 20_000)
    const background = await startBackground(parts.background)
    const buyers = buyOn(parts)
    try {
      await sleep(
        Math.max(wanted.silentSeconds, lead + wanted.abandoned / 2 / UNHEARD_PER_SECOND) * 1_000,
      )
      const ended = performance.now() + UNHEARD_SLACK_SECONDS * 1_000
      while ((await count(ctx, UNHEARD)) > 0 && performance.now() < ended) await sleep(500)
      const unheardLeft = await count(ctx, UNHEARD)
      const expired = await unheardSeconds(ctx)
      wanted.say(
        `silent: ${JSON.stringify(expired)} ended by themselves, ${unheardLeft} are left; it answers now`,
      )
      await mute('answer')
      const began = performance.now()
      const limit = wanted.abandoned / 2 / wanted.perSecond + DRAIN_SLACK_SECONDS
      while ((await count(ctx, sql`true`)) > 0 && (performance.now() - began) / 1_000 < limit + 60)
        await sleep(1_000)
      const drainedSeconds = (performance.now() - began) / 1_000
      await buyers.stop()
      const [deliverySeconds, mailSeconds] = [spread(others.delivered()), spread(others.mailed())]
      const left = await count(ctx, sql`true`)
      const faults = [
        ...(deliverySeconds.p99 <= wanted.lateAtMost
          ? []
          : [`deliveries were ${deliverySeconds.p99} s late`]),
        ...(mailSeconds.p99 <= wanted.lateAtMost ? [] : [`mails were ${mailSeconds.p99} s late`]),
        ...(unheardLeft === 0
          ? []
          : [`${unheardLeft} orders of which nobody was told are still there`]),
        ...(left === 0 && drainedSeconds <= limit
          ? []
          : [`${left} orders are left after ${drainedSeconds} s`]),
        ...others.lost(),
        ...(await brokenPromises(ctx)),
        ...(await unbalanced(ctx)),
      ]
      return { deliverySeconds, mailSeconds, unheardSeconds: expired, drainedSeconds, faults }
    } finally {
      await buyers.stop()
      await background.stop()
    }
  })
}

const count = async (ctx: Ctx, which: ReturnType<typeof sql<boolean>>): Promise<number> => {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::integer as count from shop_order o join payment_attempt p on p.order_id = o.id
    where p.provider = 'mute' and o.status = 'waiting_for_payment' and ${which}`.execute(ctx.db)
  return rows[0]?.count ?? 0
}

async function unheardSeconds(ctx: Ctx): Promise<Spread> {
  const { rows } = await sql<{
    seconds: number
  }>`select extract(epoch from e.at - o.expires_at)::double precision as seconds from shop_order o join order_event e on e.order_id = o.id and e.reason = 'expired'
    join payment_attempt p on p.order_id = o.id where p.provider = 'mute' and p.provider_reference is null`.execute(
    ctx.db,
  )
  return spread(rows.map(({ seconds }) => seconds))
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) =>
    Math.round(
      (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN) *
        1_000,
    ) / 1_000
  return { count: sorted.length, median: at(0.5), p99: at(0.99), most: at(1) }
}

interface Parts {
  readonly ctx: Ctx
  readonly services: PaymentServices
  readonly good: FakePayments
  readonly item: TestItem
  readonly left: TestItem
  readonly mails: MailServer
  readonly others: Others
  readonly mute: (what: 'mute' | 'answer') => Promise<unknown>
  readonly background: Parameters<typeof startBackground>[0]
}

/** Buyers of others, by order number: when their payment was told of, their goods were there, and their mail was. */
interface Others {
  readonly paid: Map<
    string,
    { readonly id: string; readonly at: number; delivered?: number; mailed?: number }
  >
  readonly delivered: () => number[]
  readonly mailed: () => number[]
  readonly lost: () => string[]
}

function newOthers(): Others {
  const paid: Others['paid'] = new Map()
  const all = () => [...paid.values()]
  return {
    paid,
    delivered: () =>
      all().flatMap(({ at, delivered }) =>
        delivered === undefined ? [] : [(delivered - at) / 1_000],
      ),
    mailed: () =>
      all().flatMap(({ at, mailed }) => (mailed === undefined ? [] : [(mailed - at) / 1_000])),
    lost: () =>
      [...paid].flatMap(([number, { delivered, mailed }]) => [
        ...(delivered === undefined ? [`${number} was paid and never delivered`] : []),
        ...(mailed === undefined ? [`${number} was never mailed about`] : []),
      ]),
  }
}

/** Others buy at a provider that answers; a notice tells of each payment, as their web process stores it. */
function buyOn({ ctx, services, good, item, mails, others }: Parts): {
  readonly stop: () => Promise<void>
} {
  const stopping = new AbortController()
  let seen = 0
  const look = async () => {
    const waiting = [...others.paid.values()].filter(({ delivered }) => delivered === undefined)
    if (waiting.length > 0) {
      const { rows } = await sql<{
        id: string
      }>`select id from shop_order where id = any(${waiting.map(({ id }) => id)}::uuid[]) and status = 'completed'`.execute(
        ctx.db,
      )
      const done = new Set(rows.map(({ id }) => id))
      for (const order of waiting) if (done.has(order.id)) order.delivered = performance.now()
    }
    for (; seen < mails.raw.length; seen += 1) {
      for (const [number] of (mails.raw[seen] ?? '').matchAll(/\d{13}/g)) {
        const order = others.paid.get(number)
        if (order) order.mailed ??= performance.now()
      }
    }
  }
  const watch = async () => {
    while (!stopping.signal.aborted) {
      await look()
      await sleep(50)
    }
  }
  const trade = async () => {
    while (!stopping.signal.aborted) {
      const made = await buy(ctx, [{ item }])
      const { attempt } = await startPaying(ctx, services, {
        order: made.publicId,
        accountId: made.accountId,
        provider: 'good',
        method: 'card',
        feeMinor: 0n,
      })
      const { id, provider_reference: reference } = await ctx.db
        .selectFrom('payment_attempt')
        .select(['id', 'provider_reference'])
        .where('public_id', '=', attempt)
        .executeTakeFirstOrThrow()
      good.pay(id, { minor: 1_000n, currency: 'USD' })
      others.paid.set(made.number, { id: made.id, at: performance.now() })
      await recordNotice(
        ctx,
        'good',
        { eventId: `evt_${id}`, kind: 'captured', paymentReference: reference },
        Buffer.from('{}'),
      )
      await sleep(BUYS_EVERY_MS)
    }
  }
  const watching = watch()
  const trading = trade()
  let stopped: Promise<void> | null = null
  const stop = async () => {
    const isDone = () =>
      [...others.paid.values()].every(
        ({ delivered, mailed }) => delivered !== undefined && mailed !== undefined,
      )
    stopping.abort()
    await Promise.all([watching, trading])
    for (let time = 0; time < 200 && !isDone(); time += 1) {
      await sleep(100)
      await look()
    }
  }
  return { stop: () => (stopped ??= stop()) }
}

async function withParts<T>(wanted: Silent, work: (parts: Parts) => Promise<T>): Promise<T> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'lukado-silent-'))
  const log = createLogger({ level: 'error' })
  const server = await startEmbeddedPostgres({ dataDirectory, log })
  const mails = await startMailServer()
  const service = fork(join(PROJECT_ROOT, 'test/faults/mute-service.ts'))
  const port = await new Promise<number>((resolve) =>
    service.once('message', (message) => resolve(Number(message))),
  )
  try {
    await migrate(server.url)
    const db = openDatabase({ url: server.url, poolSize: 8, statementTimeoutMs: 600_000 })
    const clock = await openClock(db, log)
    const keys = createKeys(Buffer.alloc(32, 7))
    const ctx = createCtx({ db, clock, keys, log, actor: 'system' })
    const mail = createSmtpSender({ url: secret(mails.url), from: 'shop@shop.example' })
    try {
      await addCurrencies(ctx)
      const left = await addItem(ctx)
      await stock(ctx, left, 'L', 1)
      const good = createFakePayments('good')
      const origin = `http://127.0.0.1:${port}`
      const silent = {
        ...sandboxPayments({ origin, secret: secret('s'.repeat(40)), timeoutMs: ANSWER_MS }),
        code: 'mute',
        checksPerSecond: wanted.perSecond,
      }
      const services = {
        providers: new Map([
          ['mute', silent],
          ['good', good.provider],
        ]),
        publicUrl: 'https://shop.example',
      }
      return await work({
        ctx,
        services,
        good,
        left,
        mails,
        item: await addItem(ctx),
        others: newOthers(),
        mute: (what) => fetch(`${origin}/${what}`),
        background: {
          databaseUrl: server.url,
          context: { clock, keys, log },
          id: ctx.newId(),
          disk: { dataDirectory: tmpdir(), backupDirectory: undefined },
          payments: services,
          suppliers: new Map(),
          rates: [],
          screening: null,
          mail,
          sms: null,
          timeZone: 'UTC',
          vault: null,
          demoVault: null,
        },
      })
    } finally {
      mail.close()
      clock.stop()
      await db.destroy()
    }
  } finally {
    service.disconnect()
    await mails.stop()
    await server.stop()
    removeDataFolder(dataDirectory)
  }
}
