import { z } from 'zod'
import { retryDeadJobs } from '#features/office/health/commands.ts'
import { askForChecks, retryMails } from '#features/office/system/commands.ts'
import {
  listChecks,
  listJobs,
  listNotices,
  listWebhookNotices,
  listUnsentMails,
  readMachine,
} from '#features/office/system/queries.ts'
import { JOB_STATES } from '#features/office/system/rules.ts'
import { replayDeliveries } from '#features/buying/webhook/commands.ts'
import { listSuppliers } from '#features/supply/routing/queries.ts'
import { AppError } from '#kernel/error.ts'
import { pageOf } from '#kernel/page.ts'
import { PROGRAM_VERSION } from '#platform/version.ts'
import { operatorCall } from '../call.ts'
import { moment, nothing, publicId } from './shapes.ts'
import { timeCursorOf, timeCursorText } from './time-cursor.ts'

const PAGE = 50
const PAGE_MAX = 200
const AT_ONCE = 200
const listed = { limit: z.coerce.number().int().min(1).max(PAGE_MAX).optional() }
const since = moment.nullable()
const jobId = z.string().regex(/^\d{1,18}$/)
const timeCursor = z.string().max(400).optional()
const tried = z.object({ tried: z.number() })

const systemHealth = operatorCall({
  path: 'console/system/health',
  summary: 'How web, worker, database, queue, mails, notices and suppliers stand now',
  body: z.object({}),
  data: z.object({
    version: z.string(),
    processes: z.array(
      z.object({
        kind: z.enum(['web', 'worker']),
        started: moment,
        seen: moment,
        clock_skew_ms: z.number(),
        disk_low: z.string().nullable(),
      }),
    ),
    database: z.object({
      version: z.string(),
      migration: z.string(),
      bytes: z.string(),
      connections: z.number(),
      connections_max: z.number(),
    }),
    jobs: z.object({
      waiting: z.number(),
      running: z.number(),
      failed: z.number(),
      due_since: since,
    }),
    mails: z.object({ waiting: z.number(), since, given_up: z.number() }),
    notices_in: z.object({ waiting: z.number(), since }),
    notices_out: z.object({ waiting: z.number(), since }),
    suppliers: z.array(
      z.object({
        code: z.string(),
        status: z.enum(['on', 'off']),
        rests_until: since,
        rests_code: z.string().nullable(),
        failures: z.number(),
        queued: z.number(),
        in_doubt: z.number(),
      }),
    ),
  }),
  example: {},
  async answer({ ctx }) {
    const [machine, suppliers] = await Promise.all([
      readMachine(ctx.db, ctx.now()),
      listSuppliers(ctx.db),
    ])
    const { database, jobs, mails, notices, told } = machine
    return {
      version: PROGRAM_VERSION,
      processes: machine.processes.map((process) => ({
        kind: process.kind,
        started: process.startedAt.toISOString(),
        seen: process.seenAt.toISOString(),
        clock_skew_ms: process.clockSkewMs,
        disk_low: process.diskLow,
      })),
      database: {
        version: database.version,
        migration: database.migration,
        bytes: database.bytes.toString(),
        connections: database.connections,
        connections_max: database.connectionsMax,
      },
      jobs: {
        waiting: jobs.waiting,
        running: jobs.running,
        failed: jobs.failed,
        due_since: iso(jobs.oldestDueAt),
      },
      mails: { waiting: mails.waiting, since: iso(mails.oldestAt), given_up: mails.lost },
      notices_in: { waiting: notices.waiting, since: iso(notices.oldestAt) },
      notices_out: { waiting: told.waiting, since: iso(told.oldestAt) },
      suppliers: suppliers.map((supplier) => ({
        code: supplier.code,
        status: supplier.status,
        rests_until: iso(supplier.restsUntil),
        rests_code: supplier.restsCode,
        failures: supplier.failures,
        queued: supplier.queued,
        in_doubt: supplier.inDoubt,
      })),
    }
  },
})

const iso = (at: Date | null) => at?.toISOString() ?? null

const systemChecks = operatorCall({
  path: 'console/system/checks',
  summary: 'What the doctor found when the worker last looked, each finding with what to do',
  body: z.object({}),
  data: z.array(
    z.object({
      subject: z.string(),
      problems: z.array(z.string()),
      work: z.array(z.string()),
      note: z.string(),
      looked: moment,
    }),
  ),
  example: {},
  async answer({ ctx }) {
    const checks = await listChecks(ctx.db)
    return checks.map(({ subject, problems, work, note, lookedAt }) => ({
      subject,
      problems: [...problems],
      work: [...work],
      note,
      looked: lookedAt.toISOString(),
    }))
  },
})

const systemChecksRun = operatorCall({
  path: 'console/system/checks/run',
  summary: 'Have the worker look at everything now; `console/system/checks` tells what it finds',
  body: z.strictObject({}),
  data: nothing,
  example: {},
  async answer({ ctx }) {
    await askForChecks(ctx)
    return {}
  },
})

const systemJobs = operatorCall({
  path: 'console/system/jobs',
  summary: 'Jobs that wait, or that failed as often as they may, oldest first',
  description: 'What a job is to do may tell of people and is left out. `next` is the `cursor`.',
  body: z.object({
    state: z.enum(JOB_STATES),
    cursor: jobId.optional(),
    ...listed,
  }),
  data: z.object({
    jobs: z.array(
      z.object({
        id: z.string(),
        task: z.string(),
        attempts: z.number(),
        attempts_max: z.number(),
        since: moment,
        next_try: moment,
        is_running: z.boolean(),
        failure: z.string(),
      }),
    ),
    next: z.string().nullable(),
  }),
  example: { state: 'failed' },
  async answer({ ctx }, { state, cursor, limit = PAGE }) {
    const found = await listJobs(ctx.db, state, cursor ?? null, limit + 1)
    const { shown: jobs, last } = pageOf(found, limit)
    return {
      jobs: jobs.map((job) => ({
        id: job.id,
        task: job.task,
        attempts: job.attempts,
        attempts_max: job.attemptsMost,
        since: job.since.toISOString(),
        next_try: job.nextAt.toISOString(),
        is_running: job.isRunning,
        failure: job.failure,
      })),
      next: last?.id ?? null,
    }
  },
})

const systemJobsRetry = operatorCall({
  path: 'console/system/jobs/retry',
  summary: 'Have jobs tried again that failed as often as they may',
  body: z.strictObject({ ids: z.array(jobId).min(1).max(AT_ONCE) }),
  data: tried,
  example: { ids: ['812'] },
  async answer({ ctx }, { ids }) {
    const count = await retryDeadJobs(ctx, ids)
    if (count === 0) throw new AppError('changed_meanwhile')
    return { tried: count }
  },
})

const systemMails = operatorCall({
  path: 'console/system/mails',
  summary: 'Mails that are not sent: those that wait, or those that failed, oldest first',
  description:
    'Addresses are masked. A mail without one was given up, and is not sent any more. `next` is the `cursor`.',
  body: z.object({ state: z.enum(JOB_STATES), cursor: z.uuid().optional(), ...listed }),
  data: z.object({
    mails: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        language: z.string(),
        to: z.string().nullable(),
        since: moment,
        attempts: z.number(),
        next_try: since,
        failure: z.string(),
      }),
    ),
    next: z.string().nullable(),
  }),
  example: { state: 'failed' },
  async answer({ ctx }, { state, cursor, limit = PAGE }) {
    const found = await listUnsentMails(ctx.db, state, cursor ?? null, limit + 1)
    const { shown: mails, last } = pageOf(found, limit)
    return {
      mails: mails.map((mail) => ({
        id: mail.id,
        kind: mail.kind,
        language: mail.language,
        to: mail.to,
        since: mail.createdAt.toISOString(),
        attempts: mail.attempts,
        next_try: iso(mail.nextAt),
        failure: mail.failure,
      })),
      next: last?.id ?? null,
    }
  },
})

const systemMailsRetry = operatorCall({
  path: 'console/system/mails/retry',
  summary: 'Have mails tried now that are not sent yet',
  body: z.strictObject({ ids: z.array(z.uuid()).min(1).max(AT_ONCE) }),
  data: tried,
  example: { ids: ['019ab0de-7c1e-7f3a-9a51-2f1f6d3a7c11'] },
  answer: async ({ ctx }, { ids }) => ({ tried: await retryMails(ctx, ids) }),
})

const systemNoticesIn = operatorCall({
  path: 'console/system/notices_in',
  summary: 'Notices of payment providers, newest first; what stands in them is left out',
  body: z.object({ cursor: timeCursor, ...listed }),
  data: z.object({
    notices: z.array(
      z.object({
        provider: z.string(),
        event: z.string(),
        kind: z.string(),
        received: moment,
        processed: since,
        outcome: z.string().nullable(),
        tries: z.number(),
      }),
    ),
    next: z.string().nullable(),
  }),
  example: {},
  async answer({ ctx }, { cursor, limit = PAGE }) {
    const found = await listNotices(ctx.db, timeCursorOf(cursor), limit + 1)
    const { shown: notices, last } = pageOf(found, limit)
    return {
      notices: notices.map(({ receivedAt, processedAt, ...notice }) => ({
        provider: notice.provider,
        event: notice.event,
        kind: notice.kind,
        received: receivedAt.toISOString(),
        processed: iso(processedAt),
        outcome: notice.outcome,
        tries: notice.tries,
      })),
      next: last
        ? timeCursorText({ at: last.receivedAt, id: `${last.provider}/${last.event}` })
        : null,
    }
  },
})

const systemNoticesOut = operatorCall({
  path: 'console/system/notices_out',
  summary: 'What resellers were told by webhook, newest first',
  body: z.object({ cursor: z.uuid().optional(), ...listed }),
  data: z.object({
    notices: z.array(
      z.object({
        id: publicId,
        host: z.string(),
        order: z.string(),
        order_status: z.string(),
        state: z.enum(['waiting', 'delivered', 'given_up']),
        attempts: z.number(),
        answer: z.string().nullable(),
        since: moment,
        next_try: since,
      }),
    ),
    next: z.string().nullable(),
  }),
  example: {},
  async answer({ ctx }, { cursor, limit = PAGE }) {
    const found = await listWebhookNotices(ctx.db, cursor ?? null, limit + 1)
    const { shown: notices, last } = pageOf(found, limit)
    return {
      notices: notices.map((notice) => ({
        id: notice.publicId,
        host: notice.host,
        order: notice.orderNumber,
        order_status: notice.orderStatus,
        state: notice.state,
        attempts: notice.attempts,
        answer: notice.answer,
        since: notice.createdAt.toISOString(),
        next_try: notice.state === 'waiting' ? notice.dueAt.toISOString() : null,
      })),
      next: last?.id ?? null,
    }
  },
})

const systemNoticesReplay = operatorCall({
  path: 'console/system/notices_out/replay',
  summary: 'Tell a reseller once more what was told or given up',
  body: z.strictObject({ id: publicId }),
  data: tried,
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  answer: async ({ ctx }, { id }) => ({ tried: await replayDeliveries(ctx, id) }),
})

export const SYSTEM_CALLS = [
  systemHealth,
  systemChecks,
  systemChecksRun,
  systemJobs,
  systemJobsRetry,
  systemMails,
  systemMailsRetry,
  systemNoticesIn,
  systemNoticesOut,
  systemNoticesReplay,
] as const
