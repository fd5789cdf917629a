import { listAudit, type AuditLine } from '#features/base/audit/queries.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import type { ConsoleContext } from '../page.ts'

export interface AuditData {
  readonly actor: string
  readonly subject: string
  readonly lines: readonly {
    readonly id: string
    readonly at: string
    readonly actor: string
    readonly action: string
    readonly subject: string
    readonly code: string
    readonly before: string | null
    readonly after: string | null
    readonly requestId: string
  }[]
  /** Address of the lines before these; null at the end. */
  readonly older: string | null
}

const LISTED = 50

export async function load({
  ctx,
  t,
  query,
  language,
  timeZone,
}: ConsoleContext): Promise<{ readonly title: string; readonly data: AuditData }> {
  const [actor, subject] = ['actor', 'subject'].map((name) => query.get(name)?.trim() ?? '') as [
    string,
    string,
  ]
  const filter = {
    ...(actor === '' ? {} : { actor: actor.includes(':') ? actor : `operator:${actor}` }),
    ...(subject === '' ? {} : { subject }),
  }
  const found = await listAudit(ctx.db, filter, cursorOf(query.get('after')), LISTED + 1)
  const shown = found.slice(0, LISTED)
  const last = found.length > LISTED ? shown.at(-1) : undefined
  const address = new URLSearchParams({ ...(actor && { actor }), ...(subject && { subject }) })
  if (last) address.set('after', `${last.at.getTime()}-${last.id}`)
  return {
    title: t('console.audit.nav'),
    data: {
      actor,
      subject,
      lines: shown.map((line) => ({
        ...lineTexts(line),
        at: formatShortMoment(language.code, line.at, timeZone),
      })),
      older: last ? `/audit?${address.toString()}` : null,
    },
  }
}

function lineTexts({
  id,
  actor,
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
    actor: actor.replace(/^operator:/, ''),
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
