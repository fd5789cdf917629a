import {
  findHead,
  searchAudit,
  type AuditFilter,
  type AuditLine,
} from '#features/base/audit/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import { actorName } from '../kit/actor-name.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import { actionName, subjectName } from './names.ts'

export interface AuditData {
  /** As they were typed. */
  readonly filters: Readonly<Record<FilterName, string>>
  /** The same as the call of the export takes them. */
  readonly exported: Readonly<Record<string, string>>
  readonly mayExport: boolean
  readonly lines: readonly {
    readonly id: string
    readonly at: string
    readonly actor: string
    readonly network: string
    readonly action: string
    /** What it is called. */
    readonly actionName: string
    readonly subject: string
    readonly subjectName: string
    readonly code: string
    readonly before: string | null
    readonly after: string | null
    readonly requestId: string
  }[]
  /** Address of the lines before these; null at the end. */
  readonly older: string | null
  /** Back to when was looked, where that was not far enough for a whole page. */
  readonly lookedUntil: string | null
  /** Null before the first seal. */
  readonly sealed: { readonly batch: number; readonly at: string; readonly hash: string } | null
}

const FILTERS = ['actor', 'action', 'subject', 'code', 'from', 'until'] as const
export type FilterName = (typeof FILTERS)[number]

const LISTED = 50
const DAY_MS = 86_400_000

export async function load(context: ConsoleContext): Promise<Loaded<AuditData>> {
  const { ctx, t, query, language, timeZone } = context
  const filters = Object.fromEntries(
    FILTERS.map((name) => [name, query.get(name)?.trim().slice(0, 300) ?? '']),
  ) as AuditData['filters']
  const filter = filterOf(filters)
  const [page, head] = await Promise.all([
    searchAudit(ctx.db, filter, cursorOf(query.get('after')), LISTED),
    findHead(ctx.db),
  ])
  const address = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''))
  if (page.next) address.set('after', `${page.next.at.getTime()}-${page.next.id}`)
  const moment = (at: Date) => formatShortMoment(language.code, at, timeZone)
  return {
    title: t('console.audit.nav'),
    data: {
      filters,
      exported: exportedOf(filter),
      mayExport: mayDo(ctx.operator, 'export.personal'),
      lines: page.lines.map((line) => ({
        ...lineTexts(line),
        at: moment(line.at),
        actionName: actionName(t, line.action),
        subjectName: subjectName(t, line.subject),
      })),
      older: page.next && `/audit?${address.toString()}`,
      lookedUntil: page.lookedUntil && moment(page.lookedUntil),
      sealed: head && { batch: head.number, at: moment(head.sealedAt), hash: head.hash },
    },
  }
}

/** A plain name is an operator's; days are UTC, the last one whole. */
function filterOf({
  actor,
  action,
  subject,
  code,
  from,
  until,
}: AuditData['filters']): AuditFilter {
  const [begin, end] = [dayOf(from), dayOf(until)]
  return {
    actor: actor === '' ? undefined : isWhole(actor) ? actor : `operator:${actor}`,
    action: action === '' ? undefined : action,
    subject: subject === '' ? undefined : subject,
    subjectCode: code === '' ? undefined : code,
    from: begin ?? undefined,
    until: end ? new Date(end.getTime() + DAY_MS) : undefined,
  }
}

const isWhole = (actor: string) => actor.includes(':') || ['system', 'shell'].includes(actor)

function dayOf(text: string): Date | null {
  const day = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime()) ? day : null
}

function exportedOf({ actor, action, subject, subjectCode, from, until }: AuditFilter) {
  return Object.fromEntries(
    [
      ['actor', actor],
      ['action', action],
      ['subject', subject],
      ['subject_code', subjectCode],
      ['from', from?.toISOString()],
      ['until', until?.toISOString()],
    ].filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

function lineTexts({
  id,
  actor,
  network,
  action,
  subject,
  subjectCode,
  before,
  after,
  requestId,
}: AuditLine) {
  const text = (value: unknown) => (value === null ? null : JSON.stringify(value, null, 1))
  return {
    id,
    actor: actorName(actor),
    network,
    action,
    subject,
    code: subjectCode,
    before: text(before),
    after: text(after),
    requestId,
  }
}

const CURSOR = /^(\d{1,16})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** An address that somebody changed begins with the newest line. */
function cursorOf(given: string | null) {
  const [, at, id] = CURSOR.exec(given ?? '') ?? []
  return at === undefined || id === undefined ? null : { at: new Date(Number(at)), id }
}
