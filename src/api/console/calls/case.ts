import { z } from 'zod'
import {
  findCasePicture,
  listDeskCases,
  type DeskCase,
  type CaseFile,
} from '#features/buying/after-sales/queries.ts'
import { CASE_REASONS, CASE_VIEWS } from '#features/buying/after-sales/rules.ts'
import { UNIT_STATUSES } from '#features/buying/order/rules.ts'
import { openCaseFile } from '#features/office/case/commands.ts'
import { AppError } from '#kernel/error.ts'
import { pageOf } from '#kernel/page.ts'
import { operatorCall } from '../call.ts'
import { language, moment, operatorName, publicId } from './shapes.ts'

const PAGE = 50
const PAGE_MAX = 200
const CASE = 'Zt3qN0f5Qy2mB7sJ1kVx9A'

const kind = z.enum(['refund_request', 'faulty_key', 'dispute'])
const status = z.enum(['open', 'accepted', 'declined', 'withdrawn'])
const reason = z.enum([...CASE_REASONS, 'disputed'])
const listed = z.object({
  id: publicId,
  kind,
  reason,
  status,
  order: z.string(),
  shopper: z.string().nullable(),
  goods: z.string().nullable(),
  claimed_by: z.string().nullable(),
  due: moment.nullable(),
  opened: moment,
  decided: moment.nullable(),
})

const iso = (at: Date | null) => at?.toISOString() ?? null

const viewOf = (found: DeskCase): z.input<typeof listed> => ({
  id: found.id,
  kind: found.kind,
  reason: found.reason,
  status: found.status,
  order: found.orderNumber,
  shopper: found.shopper,
  goods: found.goods,
  claimed_by: found.claimedBy,
  due: iso(found.dueAt),
  opened: found.createdAt.toISOString(),
  decided: iso(found.decidedAt),
})

const casesList = operatorCall({
  path: 'console/cases/list',
  summary: 'Cases: open ones oldest first, closed ones newest first',
  description: 'A page at a time: `next` is the `after` of the following one, null at the end.',
  body: z.object({
    view: z.enum(CASE_VIEWS).default('open'),
    after: publicId.optional(),
    limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(PAGE),
  }),
  data: z.object({ cases: z.array(listed), next: publicId.nullable() }),
  example: { view: 'faulty' },
  async answer({ ctx }, { view, after = null, limit }) {
    const found = await listDeskCases(ctx.db, {
      view,
      operator: ctx.operator.name,
      after,
      limit: limit + 1,
    })
    const { shown, last } = pageOf(found, limit)
    return {
      cases: shown.map(viewOf),
      next: last?.id ?? null,
    }
  },
})

const amount = z.string()
const counted = z
  .number()
  .nullable()
  .meta({ examples: [null] })

const casesOne = operatorCall({
  path: 'console/cases/one',
  summary: 'A case with its evidence, and what the rules say of it',
  description: 'That it was looked at is written to the audit trail. Never a code.',
  body: z.object({ id: publicId }),
  data: listed.omit({ goods: true, shopper: true, order: true }).extend({
    text: z.string(),
    has_picture: z.boolean(),
    destination: z.enum(['original', 'store_credit']),
    note: z.string(),
    decided_by: operatorName.nullable(),
    shopper: z.object({
      id: publicId,
      nickname: z.string().nullable(),
      language,
      registered: moment,
    }),
    order: z.object({
      number: z.string(),
      currency: z.string(),
      total_minor: amount,
      captured_minor: amount,
      refunded_minor: amount,
      created: moment,
      paid: moment.nullable(),
    }),
    units: z.array(
      z.object({
        id: publicId,
        name: z.string(),
        delivery: z.string(),
        status: z.enum(UNIT_STATUSES),
        price_minor: amount,
        delivered: moment.nullable(),
        code_shown: moment.nullable(),
        last_four: z.string().nullable(),
        batch_reports: counted,
        batch_size: counted,
        has_spare: z.boolean(),
        replaced: moment.nullable(),
        looks: z.array(z.object({ at: moment, network: z.string() })),
      }),
    ),
    before: z.object({
      asked: z.number(),
      accepted: z.number(),
      disputes: z.number(),
      paid_orders: z.number(),
    }),
    findings: z.array(
      z.object({
        name: z.string(),
        speaks: z.enum(['for', 'against', 'neither']),
        count: z.number(),
      }),
    ),
  }),
  example: { id: CASE },
  answer: async ({ ctx }, { id }) => fileView(await openCaseFile(ctx, id)),
})

function fileView(file: CaseFile) {
  return {
    id: file.id,
    kind: file.kind,
    reason: file.reason,
    status: file.status,
    text: file.text,
    has_picture: file.hasPicture,
    destination: file.destination,
    note: file.note,
    claimed_by: file.claimedBy,
    due: iso(file.dueAt),
    opened: file.createdAt.toISOString(),
    decided: iso(file.decidedAt),
    decided_by: file.decidedBy,
    shopper: {
      id: file.shopper.id,
      nickname: file.shopper.nickname,
      language: file.shopper.language,
      registered: file.shopper.registeredAt.toISOString(),
    },
    order: {
      number: file.order.number,
      currency: file.order.currency,
      total_minor: file.order.totalMinor.toString(),
      captured_minor: file.order.capturedMinor.toString(),
      refunded_minor: file.order.refundedMinor.toString(),
      created: file.order.createdAt.toISOString(),
      paid: iso(file.order.settledAt),
    },
    units: file.units.map((unit) => ({
      id: unit.publicId,
      name: unit.name,
      delivery: unit.delivery,
      status: unit.status,
      price_minor: unit.priceMinor.toString(),
      delivered: iso(unit.deliveredAt),
      code_shown: iso(unit.shownAt),
      last_four: unit.lastFour,
      batch_reports: unit.batchReports,
      batch_size: unit.batchSize,
      has_spare: unit.hasSpare,
      replaced: iso(unit.replacedAt),
      looks: unit.looks.map(({ at, network }) => ({ at: at.toISOString(), network })),
    })),
    before: {
      asked: file.before.asked,
      accepted: file.before.accepted,
      disputes: file.before.disputes,
      paid_orders: file.before.paidOrders,
    },
    findings: file.findings.map((finding) => ({ ...finding })),
  }
}

const casesPicture = operatorCall({
  path: 'console/cases/picture',
  summary: 'The picture a shopper sent with a case (WebP)',
  body: z.object({ id: publicId }),
  data: z.object({ type: z.literal('image/webp'), base64: z.string() }),
  example: { id: CASE },
  async answer({ ctx }, { id }) {
    const picture = await findCasePicture(ctx.db, id)
    if (!picture) throw new AppError('not_found')
    return { type: 'image/webp' as const, base64: picture.toString('base64') }
  },
})

export const CASE_CALLS = [casesList, casesOne, casesPicture] as const
