import {
  listJobs,
  listNotices,
  listWebhookNotices,
  listUnsentMails,
} from '#features/office/system/queries.ts'
import { JOB_STATES, type JobState } from '#features/office/system/rules.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { pageOf } from '#kernel/page.ts'
import { isUuid } from '#kernel/uuid.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import { providerName } from '../kit/provider-name.ts'
import { groupedNumber } from '../kit/grouped-number.ts'
import type { StateLook } from '../kit/state.tsx'
import type { ConsoleContext } from '../page.ts'
import { jobName, mailName } from './job-name.ts'
import type { SystemView } from './views.ts'

/** A job, a mail or a notice, and what can be done about it. */
export interface WorkRow {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly look: StateLook
  readonly state: string
  readonly tries: number
  readonly at: string
  /** The call that has it tried again; null where there is nothing to try. */
  readonly retry: 'jobs' | 'mails' | 'notices_out' | null
}

export interface WorkView {
  readonly view: Exclude<SystemView, 'health'>
  /** Null where the list has no states to choose from. */
  readonly state: JobState | null
  readonly rows: readonly WorkRow[]
  /** Address of the page after this one; null at the end. */
  readonly next: string | null
}

const LISTED = 50

export async function loadWork(context: ConsoleContext, view: WorkView['view']): Promise<WorkView> {
  const { query } = context
  const state = JOB_STATES.find((one) => one === query.get('state')) ?? 'failed'
  const after = query.get('after')
  const hasStates = view === 'jobs' || view === 'mails'
  const { rows, next } = await LISTS[view](context, state, after)
  const address = new URLSearchParams({ view, ...(hasStates ? { state } : {}), after: next ?? '' })
  return {
    view,
    state: hasStates ? state : null,
    rows,
    next: next === null ? null : `/system?${address.toString()}`,
  }
}

interface Listed {
  readonly rows: readonly WorkRow[]
  readonly next: string | null
}

type List = (context: ConsoleContext, state: JobState, after: string | null) => Promise<Listed>

const LISTS: Readonly<Record<WorkView['view'], List>> = {
  jobs: jobRows,
  mails: mailRows,
  in: noticeRows,
  out: toldRows,
}

function listedOf<Row>(
  found: readonly Row[],
  rowOf: (row: Row) => WorkRow,
  keyOf: (row: Row) => string,
): Listed {
  const { shown, last } = pageOf(found, LISTED)
  return { rows: shown.map(rowOf), next: last === undefined ? null : keyOf(last) }
}

const JOB_ID = /^\d{1,18}$/

async function jobRows(
  { ctx, t, language, timeZone }: ConsoleContext,
  state: JobState,
  after: string | null,
): Promise<Listed> {
  const from = after !== null && JOB_ID.test(after) ? after : null
  const isFailed = state === 'failed'
  const mayRetry = isFailed && mayDo(ctx.operator, 'system.manage')
  return listedOf(
    await listJobs(ctx.db, state, from, LISTED + 1),
    (job) => ({
      id: job.id,
      title: jobName(t, job.task),
      about: job.failure,
      look: isFailed ? 'badge warn' : job.isRunning ? 'way' : '',
      state: t(
        isFailed
          ? 'console.system.stopped'
          : job.isRunning
            ? 'console.system.running'
            : 'console.system.state.waiting',
      ),
      tries: job.attempts,
      at: formatShortMoment(language.code, isFailed ? job.since : job.nextAt, timeZone),
      retry: mayRetry ? 'jobs' : null,
    }),
    ({ id }) => id,
  )
}

async function mailRows(
  { ctx, t, language, timeZone, shop }: ConsoleContext,
  state: JobState,
  after: string | null,
): Promise<Listed> {
  const from = after !== null && isUuid(after) ? after : null
  const mayRetry = mayDo(ctx.operator, 'system.manage')
  return listedOf(
    await listUnsentMails(ctx.db, state, from, LISTED + 1),
    (mail) => ({
      id: mail.id,
      title: [mailName(t, mail.kind, shop.name), ...(mail.to === null ? [] : [mail.to])].join(', '),
      about: mail.failure,
      look: mail.to === null ? 'gone' : mail.isJobDead ? 'badge warn' : 'pay',
      state: t(
        mail.to === null
          ? 'console.system.givenUp'
          : mail.isJobDead
            ? 'console.system.stopped'
            : 'console.system.state.waiting',
      ),
      tries: mail.attempts,
      at: formatShortMoment(language.code, mail.nextAt ?? mail.createdAt, timeZone),
      retry: mayRetry && mail.to !== null ? 'mails' : null,
    }),
    ({ id }) => id,
  )
}

const NOTICE_KEY = /^(\d{1,14})~([a-z0-9-]{1,100}\/.{1,255})$/

async function noticeRows(
  { ctx, t, language, timeZone }: ConsoleContext,
  _: JobState,
  after: string | null,
): Promise<Listed> {
  const [, at, id] = NOTICE_KEY.exec(after ?? '') ?? []
  const before = at === undefined || id === undefined ? null : { at: new Date(Number(at)), id }
  return listedOf(
    await listNotices(ctx.db, before, LISTED + 1),
    (notice) => ({
      id: `${notice.provider}/${notice.event}`,
      title: `${providerName(t, notice.provider)}, ${notice.kind}`,
      about: notice.outcome ?? notice.event,
      look: notice.processedAt === null ? 'pay' : 'done',
      state: t(
        notice.processedAt === null ? 'console.system.state.waiting' : 'console.system.done',
      ),
      tries: notice.tries,
      at: formatShortMoment(language.code, notice.receivedAt, timeZone),
      retry: null,
    }),
    ({ receivedAt, provider, event }) => `${receivedAt.getTime()}~${provider}/${event}`,
  )
}

const TOLD_LOOKS: Readonly<Record<'waiting' | 'delivered' | 'given_up', StateLook>> = {
  waiting: 'pay',
  delivered: 'done',
  given_up: 'badge warn',
}

async function toldRows(
  { ctx, t, language, timeZone }: ConsoleContext,
  _: JobState,
  after: string | null,
): Promise<Listed> {
  const before = after !== null && isUuid(after) ? after : null
  const mayRetry = mayDo(ctx.operator, 'reseller.manage')
  return listedOf(
    await listWebhookNotices(ctx.db, before, LISTED + 1),
    (told) => ({
      id: told.publicId,
      title: `${told.host}, ${told.orderStatus}`,
      about: `${groupedNumber(told.orderNumber)} ${told.answer ?? ''}`.trim(),
      look: TOLD_LOOKS[told.state],
      state: t(
        told.state === 'waiting'
          ? 'console.system.state.waiting'
          : told.state === 'delivered'
            ? 'console.system.done'
            : 'console.system.givenUp',
      ),
      tries: told.attempts,
      at: formatShortMoment(language.code, told.createdAt, timeZone),
      retry: mayRetry && told.state !== 'waiting' ? 'notices_out' : null,
    }),
    ({ id }) => id,
  )
}
