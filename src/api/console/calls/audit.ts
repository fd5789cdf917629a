import { z } from 'zod'
import { listAudit, type AuditCursor } from '#features/base/audit/queries.ts'
import { fieldError } from '#kernel/error.ts'
import { operatorCall } from '../call.ts'
import { moment } from './shapes.ts'

const PAGE = 50
const PAGE_MAX = 200
const text = z.string().min(1).max(300)
const CURSOR = /^(\d{1,16})-([0-9a-f-]{36})$/

export const auditList = operatorCall({
  path: 'console/audit/list',
  summary: 'The trail of every change and every look at a secret, newest first',
  description: 'A page at a time: `next` is the `cursor` of the following one, null at the end.',
  body: z.object({
    actor: text.optional(),
    action: text.optional(),
    subject: text.optional(),
    subject_code: text.optional(),
    from: z.iso.datetime().optional(),
    until: z.iso.datetime().optional(),
    cursor: z.string().max(60).optional(),
    limit: z.coerce.number().int().min(1).max(PAGE_MAX).optional(),
  }),
  data: z.object({
    lines: z.array(
      z.object({
        id: z.string(),
        at: moment,
        actor: z.string(),
        action: z.string(),
        subject: z.string(),
        subject_code: z.string(),
        before: z.unknown(),
        after: z.unknown(),
        request_id: z.string(),
      }),
    ),
    next: z.string().nullable(),
  }),
  example: { actor: 'operator:mara' },
  async answer({ ctx }, given) {
    const limit = given.limit ?? PAGE
    const filter = {
      actor: given.actor,
      action: given.action,
      subject: given.subject,
      subjectCode: given.subject_code,
      from: given.from === undefined ? undefined : new Date(given.from),
      until: given.until === undefined ? undefined : new Date(given.until),
    }
    const lines = await listAudit(ctx.db, filter, cursorOf(given.cursor), limit + 1)
    const shown = lines.slice(0, limit)
    const last = lines.length > limit ? shown.at(-1) : undefined
    return {
      lines: shown.map(({ at, subjectCode, requestId, ...line }) => ({
        id: line.id,
        at: at.toISOString(),
        actor: line.actor,
        action: line.action,
        subject: line.subject,
        subject_code: subjectCode,
        before: line.before,
        after: line.after,
        request_id: requestId,
      })),
      next: last ? `${last.at.getTime()}-${last.id}` : null,
    }
  },
})

function cursorOf(given: string | undefined): AuditCursor | null {
  if (given === undefined) return null
  const [, at, id] = CURSOR.exec(given) ?? []
  if (at === undefined || id === undefined) throw fieldError('cursor', 'not_allowed')
  return { at: new Date(Number(at)), id }
}
