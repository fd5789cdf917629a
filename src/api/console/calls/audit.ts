import { z } from 'zod'
import { recordAct } from '#features/base/audit/commands.ts'
import {
  findHead,
  searchAudit,
  type AuditCursor,
  type AuditFilter,
  type AuditLine,
} from '#features/base/audit/queries.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { CSV_MARK, csvRow } from '#kernel/csv.ts'
import { dayOf } from '#kernel/day.ts'
import { fieldError } from '#kernel/error.ts'
import { transaction } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { operatorCall } from '../call.ts'
import { StreamedFile } from '../streamed-file.ts'
import { moment } from './shapes.ts'

const PAGE = 50
const PAGE_MAX = 200
const text = z.string().min(1).max(300)
const CURSOR = /^(\d{1,16})-([0-9a-f-]{36})$/

const filters = {
  actor: text.optional(),
  action: text.optional(),
  subject: text.optional(),
  subject_code: text.optional(),
  from: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
}

const auditList = operatorCall({
  path: 'console/audit/list',
  summary: 'The trail of every change and every look at a secret, newest first',
  description:
    'A page at a time: `next` is the `cursor` of the following one, null at the end. Where two filters are given of which no index carries both, a page looks through some thousand lines and says back to when.',
  body: z.object({
    ...filters,
    cursor: z.string().max(60).optional(),
    limit: z.coerce.number().int().min(1).max(PAGE_MAX).optional(),
  }),
  data: z.object({
    lines: z.array(
      z.object({
        id: z.string(),
        at: moment,
        actor: z.string(),
        network: z.string(),
        action: z.string(),
        subject: z.string(),
        subject_code: z.string(),
        before: z.unknown(),
        after: z.unknown(),
        request_id: z.string(),
      }),
    ),
    next: z.string().nullable(),
    looked_until: moment.nullable(),
  }),
  example: { actor: 'operator:mara' },
  async answer({ ctx }, given) {
    const page = await searchAudit(
      ctx.db,
      filterOf(given),
      cursorOf(given.cursor),
      given.limit ?? PAGE,
    )
    return {
      lines: page.lines.map(({ at, subjectCode, requestId, ...line }) => ({
        ...line,
        at: at.toISOString(),
        subject_code: subjectCode,
        request_id: requestId,
      })),
      next: page.next && textOf(page.next),
      looked_until: page.lookedUntil?.toISOString() ?? null,
    }
  },
})

const AT_ONCE = 1_000
const HEAD = [
  'at',
  'actor',
  'network',
  'action',
  'subject',
  'subject_code',
  'before',
  'after',
  'request_id',
  'id',
]
const CSV = 'text/csv; charset=utf-8'

const auditExport = operatorCall({
  path: 'console/audit/export',
  summary: 'Where the trail can be taken as CSV, as far as the filters go',
  description: 'Needs `export.personal` as well, as the file does that it leads to.',
  body: z.strictObject(filters),
  data: z.object({ address: z.string() }),
  example: { subject: 'operator' },
  answer({ ctx }, given) {
    requirePermission(ctx, 'export.personal')
    return Promise.resolve({
      address: `/api/console/audit/file?${new URLSearchParams(toldOf(given))}`,
    })
  },
})

const auditFile = operatorCall({
  path: 'console/audit/file',
  summary: 'The trail as CSV, as far as the filters go',
  description:
    'Needs `export.personal` as well. What a spreadsheet would run begins with an apostrophe, and so does what began with one: taking one away gives back what was there.',
  body: z.object(filters),
  data: z.object({}),
  file: CSV,
  example: { subject: 'operator' },
  async answer({ ctx }, given) {
    requirePermission(ctx, 'export.personal')
    await transaction(ctx, (tx) =>
      recordAct(tx, ctx, {
        action: 'export',
        subject: 'audit_log',
        subjectCode: '',
        after: Object.fromEntries(
          Object.entries(given).filter(
            (entry): entry is [string, string] => entry[1] !== undefined,
          ),
        ),
      }),
    )
    const name = `audit-${dayOf(ctx.now())}.csv`
    return new StreamedFile(name, CSV, csvOf(ctx.db, filterOf(given)))
  },
})

const toldOf = (given: Given): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )

async function* csvOf(db: Db, filter: AuditFilter): AsyncGenerator<string> {
  yield CSV_MARK + csvRow(HEAD)
  let cursor: AuditCursor | null = null
  do {
    const page = await searchAudit(db, filter, cursor, AT_ONCE)
    yield page.lines.map(csvLine).join('')
    cursor = page.next
  } while (cursor !== null)
}

const csvLine = (line: AuditLine): string =>
  csvRow([
    line.at.toISOString(),
    line.actor,
    line.network,
    line.action,
    line.subject,
    line.subjectCode,
    jsonOf(line.before),
    jsonOf(line.after),
    line.requestId,
    line.id,
  ])

const jsonOf = (value: unknown): string => (value === null ? '' : JSON.stringify(value))

const auditSeals = operatorCall({
  path: 'console/audit/seals',
  summary: 'The newest seal of the trail',
  description:
    'A batch names the one before by its hash: who keeps the newest can prove that nothing before it was changed. `audit verify` and `doctor` look.',
  body: z.object({}),
  data: z.object({
    batch: z.number().nullable(),
    hash: z.string().nullable(),
    sealed: moment.nullable(),
  }),
  example: {},
  async answer({ ctx }) {
    const head = await findHead(ctx.db)
    return {
      batch: head?.number ?? null,
      hash: head?.hash ?? null,
      sealed: head?.sealedAt.toISOString() ?? null,
    }
  },
})

interface Given extends Omit<AuditFilter, 'subjectCode' | 'from' | 'until'> {
  readonly subject_code?: string | undefined
  readonly from?: string | undefined
  readonly until?: string | undefined
}

function filterOf(given: Given): AuditFilter {
  const { actor, action, subject, from, until } = given
  return {
    actor,
    action,
    subject,
    subjectCode: given.subject_code,
    from: from === undefined ? undefined : new Date(from),
    until: until === undefined ? undefined : new Date(until),
  }
}

const textOf = ({ at, id }: AuditCursor): string => `${at.getTime()}-${id}`

function cursorOf(given: string | undefined): AuditCursor | null {
  if (given === undefined) return null
  const [, at, id] = CURSOR.exec(given) ?? []
  if (at === undefined || id === undefined) throw fieldError('cursor', 'not_allowed')
  return { at: new Date(Number(at)), id }
}

export const AUDIT_CALLS = [auditList, auditExport, auditFile, auditSeals] as const
