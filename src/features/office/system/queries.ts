import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import { redactText } from '#platform/redaction.ts'
import { maskedAddress, type JobState, type LookedAt } from './rules.ts'

/** What the worker's doctor found when it last looked, in the doctor's order. */
export async function listChecks(db: Db): Promise<LookedAt[]> {
  const rows = await db.selectFrom('system_check').selectAll().orderBy('place').execute()
  return rows.map(({ subject, problems, work, note, looked_at }) => ({
    subject,
    problems,
    work,
    note,
    lookedAt: looked_at,
  }))
}

export interface MachineParts {
  readonly processes: readonly {
    readonly kind: 'web' | 'worker'
    readonly startedAt: Date
    readonly seenAt: Date
    readonly clockSkewMs: number
    readonly diskLow: string | null
  }[]
  readonly database: {
    readonly version: string
    readonly bytes: bigint
    readonly connections: number
    readonly connectionsMax: number
    readonly migration: string
  }
  readonly jobs: {
    readonly waiting: number
    readonly running: number
    readonly failed: number
    readonly oldestDueAt: Date | null
  }
  readonly mails: {
    readonly waiting: number
    readonly oldestAt: Date | null
    readonly lost: number
  }
  readonly notices: { readonly waiting: number; readonly oldestAt: Date | null }
  readonly told: { readonly waiting: number; readonly oldestAt: Date | null }
}

/** How each part of the machine stands now. */
export async function readMachine(db: Db, now: Date): Promise<MachineParts> {
  const [processes, database, jobs, mails, notices, told] = await Promise.all([
    listProcesses(db),
    readDatabase(db),
    one<MachineParts['jobs']>(
      db,
      sql`select count(*) filter (where attempts < max_attempts and locked_at is null)::integer as waiting, count(*) filter (where locked_at is not null)::integer as running,
        count(*) filter (where attempts >= max_attempts and locked_at is null)::integer as failed,
        min(run_at) filter (where attempts < max_attempts and locked_at is null and run_at <= ${now}) as "oldestDueAt" from graphile_worker.jobs`,
    ),
    one<MachineParts['mails']>(
      db,
      sql`select count(*) filter (where recipient is not null)::integer as waiting, min(created_at) filter (where recipient is not null) as "oldestAt",
        count(*) filter (where recipient is null)::integer as lost from outgoing_mail where sent_at is null`,
    ),
    one<MachineParts['notices']>(
      db,
      sql`select count(*)::integer as waiting, min(received_at) as "oldestAt" from provider_event where processed_at is null`,
    ),
    one<MachineParts['told']>(
      db,
      sql`select count(*)::integer as waiting, min(created_at) as "oldestAt" from webhook_delivery where state = 'waiting'`,
    ),
  ])
  return { processes, database, jobs, mails, notices, told }
}

async function one<Row>(db: Db, query: ReturnType<typeof sql>): Promise<Row> {
  const { rows } = await query.execute(db)
  return rows[0] as Row
}

async function listProcesses(db: Db): Promise<MachineParts['processes']> {
  const { rows } = await sql<MachineParts['processes'][number]>`
    select kind, started_at as "startedAt", seen_at as "seenAt", clock_skew_ms::double precision as "clockSkewMs", disk_low as "diskLow"
    from running_process order by kind, seen_at desc`.execute(db)
  return rows
}

async function readDatabase(db: Db): Promise<MachineParts['database']> {
  const row = await one<Omit<MachineParts['database'], 'bytes'> & { readonly bytes: string }>(
    db,
    sql`select current_setting('server_version') as version, pg_database_size(current_database())::text as bytes,
      (select count(*)::integer from pg_stat_activity where datname = current_database()) as connections,
      current_setting('max_connections')::integer as "connectionsMax", (select coalesce(max(name), '') from migration) as migration`,
  )
  return { ...row, bytes: BigInt(row.bytes) }
}

export interface ListedJob {
  readonly id: string
  readonly task: string
  readonly attempts: number
  readonly attemptsMost: number
  readonly since: Date
  readonly nextAt: Date
  readonly isRunning: boolean
  /** Why it failed last, without addresses of people; empty where it has not been tried. */
  readonly failure: string
}

/** Jobs by id, oldest first. What they are to do may tell of people and is left out. @param after the last of the page before */
export async function listJobs(
  db: Db,
  state: JobState,
  after: string | null,
  limit: number,
): Promise<ListedJob[]> {
  const { rows } = await sql<ListedJob>`
    select j.id::text as id, task_identifier as task, attempts::integer as attempts, max_attempts::integer as "attemptsMost", created_at as since, run_at as "nextAt",
      locked_at is not null as "isRunning", left(coalesce(last_error, ''), 300) as failure
    from graphile_worker.jobs j where (attempts >= max_attempts and locked_at is null) = ${state === 'failed'}
      and j.id > ${after ?? '0'}::bigint order by j.id limit ${limit}`.execute(db)
  return rows.map((job) => ({ ...job, failure: safeFailure(job.failure) }))
}

export interface ListedMail {
  readonly id: string
  readonly kind: string
  readonly language: string
  /** Masked; null where the mail was given up, which keeps no address. */
  readonly to: string | null
  readonly createdAt: Date
  readonly attempts: number
  readonly nextAt: Date | null
  readonly isJobDead: boolean
  readonly failure: string
}

/** Mails that are not sent, oldest first: those that wait, and those that failed or will never be sent. */
export async function listUnsentMails(
  db: Db,
  state: JobState,
  after: string | null,
  limit: number,
): Promise<ListedMail[]> {
  const { rows } = await sql<Omit<ListedMail, 'to'> & { readonly recipient: string | null }>`
    select m.id, m.kind, m.language, m.recipient, m.created_at as "createdAt", coalesce(j.attempts, 0)::integer as attempts,
      case when j.attempts < j.max_attempts then j.run_at end as "nextAt", coalesce(j.attempts >= j.max_attempts and j.locked_at is null, false) as "isJobDead",
      left(coalesce(j.last_error, ''), 300) as failure
    from outgoing_mail m left join graphile_worker.jobs j on j.key = coalesce(m.job_key, 'mail:' || m.id)
    where m.sent_at is null and (${after}::uuid is null or m.id > ${after}::uuid)
      and (m.recipient is null or j.last_error is not null) = ${state === 'failed'} order by m.id limit ${limit}`.execute(
    db,
  )
  return rows.map(({ recipient, failure, ...mail }) => ({
    ...mail,
    to: recipient === null ? null : maskedAddress(recipient),
    failure: safeFailure(failure),
  }))
}

/** A server's refusal quotes the address that it refuses. */
const safeFailure = (failure: string) => redactText(failure)

export interface ListedNotice {
  readonly provider: string
  readonly event: string
  readonly kind: string
  readonly receivedAt: Date
  readonly processedAt: Date | null
  readonly outcome: string | null
  readonly tries: number
}

/** Where a page of a list by time begins: beyond which moment, and which row of it. */
export interface TimeCursor {
  readonly at: Date
  readonly id: string
}

/** A provider's code has no slash, the name of an event may. */
function splitEvent(id: string): readonly [provider: string, event: string] {
  const at = id.indexOf('/')
  return [id.slice(0, at), id.slice(at + 1)]
}

/** Notices of payment providers, newest first. What stands in them is left out. */
export async function listNotices(
  db: Db,
  before: TimeCursor | null,
  limit: number,
): Promise<ListedNotice[]> {
  const [provider = '', event = ''] = before ? splitEvent(before.id) : []
  const { rows } = await sql<ListedNotice>`
    select provider, event_id as event, kind, received_at as "receivedAt", processed_at as "processedAt", outcome, tries::integer as tries from provider_event
    where ${before === null}::boolean or (received_at, provider::text, event_id) < (${before?.at ?? null}::timestamptz, ${provider}::text, ${event}::text)
    order by received_at desc, provider::text desc, event_id desc limit ${limit}`.execute(db)
  return rows
}

export interface ListedWebhookNotice {
  readonly id: string
  readonly publicId: string
  readonly host: string
  readonly orderNumber: string
  readonly orderStatus: string
  readonly state: 'waiting' | 'delivered' | 'given_up'
  readonly attempts: number
  readonly answer: string | null
  readonly createdAt: Date
  readonly dueAt: Date
}

/** What resellers were told, newest first: ids are in the order of time. Of the address, its host. @param before the last of the page before */
export async function listWebhookNotices(
  db: Db,
  before: string | null,
  limit: number,
): Promise<ListedWebhookNotice[]> {
  const { rows } = await sql<ListedWebhookNotice>`
    select d.id, d.public_id as "publicId", substring(e.url from '^[a-z]+://([^/?#]+)') as host, o.number as "orderNumber", d.order_status as "orderStatus",
      d.state, d.attempts::integer as attempts, d.answer, d.created_at as "createdAt", d.due_at as "dueAt"
    from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id join shop_order o on o.id = d.order_id
    where ${before}::uuid is null or d.id < ${before}::uuid order by d.id desc limit ${limit}`.execute(
    db,
  )
  return rows
}
