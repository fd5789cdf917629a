import { z } from 'zod'
import { ORDER_STATUSES } from '#features/buying/order/rules.ts'
import { noteFind, openFile } from '#features/office/shopper/commands.ts'
import {
  findShoppers,
  listShoppers,
  type ListedShopper,
  type ShopperFile,
} from '#features/office/shopper/queries.ts'
import {
  FIND_MIN,
  maySendAgain,
  SHOPPER_VIEWS,
  STATUS_OF,
  type ShopperView,
} from '#features/office/shopper/rules.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { pageOf } from '#kernel/page.ts'
import { operatorCall } from '../call.ts'
import { language, moment, publicId } from './shapes.ts'

const PAGE = 50
const PAGE_MAX = 200

const status = z.enum(['active', 'frozen', 'cancelling'])
const listed = z.object({
  id: publicId,
  uid: z.string(),
  nickname: z.string(),
  username: z.string(),
  email: z.string(),
  status,
  level: z.number(),
  registered: moment,
  last_order: moment.nullable(),
})

const viewOf = (shopper: ListedShopper): z.input<typeof listed> => ({
  id: shopper.id,
  uid: shopper.uid,
  nickname: shopper.nickname,
  username: shopper.userName,
  email: shopper.email,
  status: status.parse(shopper.status),
  level: shopper.level,
  registered: shopper.registeredAt.toISOString(),
  last_order: shopper.lastOrderAt?.toISOString() ?? null,
})

const shoppersList = operatorCall({
  path: 'console/shoppers/list',
  summary: 'Shoppers, newest first',
  description: 'A page at a time: `next` is the `after` of the following one, null at the end.',
  body: z.object({
    view: z.enum(SHOPPER_VIEWS as unknown as [ShopperView, ...ShopperView[]]).default('all'),
    after: publicId.optional(),
    limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(PAGE),
  }),
  data: z.object({ shoppers: z.array(listed), next: publicId.nullable() }),
  example: { view: 'frozen' },
  async answer({ ctx }, { view, after, limit }) {
    const found = await listShoppers(ctx.db, {
      status: STATUS_OF[view],
      from: after === undefined ? null : { id: after, direction: 'older' },
      limit: limit + 1,
    })
    const { shown, last } = pageOf(found, limit)
    return {
      shoppers: shown.map(viewOf),
      next: last?.id ?? null,
    }
  },
})

const shoppersFind = operatorCall({
  path: 'console/shoppers/find',
  summary: 'Find shoppers by e-mail address, name, phone or uid',
  description:
    'By how it begins; up to 50 are answered. It is a POST although it changes nothing: what is looked for stands in no address and no log.',
  body: z.strictObject({ text: z.string().trim().min(FIND_MIN).max(254) }),
  data: z.array(listed),
  example: { text: 'jonas.keller@' },
  async answer({ ctx }, { text }) {
    const found = await findShoppers(ctx.db, text)
    await noteFind(ctx, found.length)
    return found.map(viewOf)
  },
})

const money = z.object({ currency: z.string(), minor: z.string() })

const shoppersOne = operatorCall({
  path: 'console/shoppers/one',
  summary: 'A shopper and their story: the newest of each kind',
  description: 'That it was looked at is written to the audit trail.',
  body: z.object({ id: publicId }),
  data: z.object({
    facts: listed.omit({ last_order: true }).extend({
      mobile: z.string().nullable(),
      language,
      frozen: moment.nullable(),
      erased_from: moment.nullable(),
      has_password: z.boolean(),
      passkeys: z.number(),
      has_second_factor: z.boolean(),
      services: z.array(z.string()),
    }),
    /** Of the newest 1,000 orders. */
    figures: z.object({
      orders: z.number(),
      disputes: z.number(),
      paid: z.array(money.extend({ refunded_minor: z.string() })),
    }),
    credit: z.array(money.extend({ held_back_minor: z.string(), owed_minor: z.string() })),
    orders: z.array(
      z.object({
        number: z.string(),
        status: z.enum(ORDER_STATUSES),
        hold: z.string().nullable(),
        total: money,
        created: moment,
        goods: z.string(),
        method: z.string().nullable(),
      }),
    ),
    money: z.array(
      money.extend({
        kind: z.enum(['payment', 'refund', 'credit', 'reclaim', 'repay']),
        at: moment,
        order: z.string().nullable(),
        method: z.string().nullable(),
      }),
    ),
    cases: z.array(
      z.object({
        id: publicId,
        kind: z.string(),
        reason: z.string(),
        status: z.string(),
        order: z.string(),
        opened: moment,
      }),
    ),
    mails: z.array(
      z.object({
        id: z.uuid().meta({ examples: ['0198c0de-5a1e-7000-8000-5d0c6a0f2b11'] }),
        kind: z.string(),
        order: z.string().nullable(),
        created: moment,
        sent: moment.nullable(),
        may_repeat: z.boolean(),
      }),
    ),
    sessions: z.array(
      z.object({
        id: z.string(),
        browser: z.string(),
        system: z.string(),
        network: z.string(),
        since: moment,
        seen: moment,
      }),
    ),
    players: z.array(
      z.object({
        label: z.string(),
        of: z.string(),
        fields: z.record(z.string(), z.string()).meta({ examples: [{ uid: '481203377' }] }),
      }),
    ),
    notes: z.array(z.object({ id: publicId, author: z.string(), text: z.string(), at: moment })),
    changes: z.array(z.object({ at: moment, actor: z.string(), action: z.string() })),
    may: z.object({
      change: z.boolean(),
      credit: z.boolean(),
      level: z.boolean(),
      export: z.boolean(),
    }),
  }),
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  async answer({ ctx }, { id }) {
    const file = await openFile(ctx, id)
    return {
      ...fileView(file),
      may: {
        change: mayDo(ctx.operator, 'shopper.change'),
        credit: mayDo(ctx.operator, 'shopper.credit'),
        level: mayDo(ctx.operator, 'price.change'),
        export: mayDo(ctx.operator, 'export.personal'),
      },
    }
  },
})

const iso = (at: Date | null) => at?.toISOString() ?? null

function fileView({ facts, figures, credit, ...file }: ShopperFile) {
  return {
    facts: {
      id: facts.id,
      uid: facts.uid,
      nickname: facts.nickname,
      username: facts.userName,
      email: facts.email,
      status: status.parse(facts.status),
      level: facts.level,
      registered: facts.registeredAt.toISOString(),
      mobile: facts.mobile,
      language: facts.language,
      frozen: iso(facts.frozenAt),
      erased_from: iso(facts.eraseAt),
      has_password: facts.hasPassword,
      passkeys: facts.passkeys,
      has_second_factor: facts.hasSecondFactor,
      services: [...facts.services],
    },
    figures: {
      orders: figures.orders,
      disputes: figures.disputes,
      paid: figures.paid.map(({ currency, paidMinor, refundedMinor }) => ({
        currency,
        minor: paidMinor.toString(),
        refunded_minor: refundedMinor.toString(),
      })),
    },
    credit: credit.map(({ currency, minor, frozenMinor, owedMinor }) => ({
      currency,
      minor: minor.toString(),
      held_back_minor: frozenMinor.toString(),
      owed_minor: owedMinor.toString(),
    })),
    ...storyView(file),
  }
}

function storyView(file: Omit<ShopperFile, 'facts' | 'figures' | 'credit'>) {
  return {
    orders: file.orders.map((order) => ({
      number: order.number,
      status: order.status,
      hold: order.hold,
      total: { currency: order.currency, minor: order.totalMinor.toString() },
      created: order.createdAt.toISOString(),
      goods: `${order.productName}, ${order.itemName}`,
      method: order.method,
    })),
    money: file.money.map(({ kind, at, amountMinor, currency, order, method }) => ({
      kind,
      at: at.toISOString(),
      currency,
      minor: amountMinor.toString(),
      order: order?.number ?? null,
      method,
    })),
    cases: file.cases.map(({ createdAt, ...one }) => ({
      ...one,
      opened: createdAt.toISOString(),
    })),
    mails: file.mails.map(({ id, kind, order, createdAt, sentAt }) => ({
      id,
      kind,
      order,
      created: createdAt.toISOString(),
      sent: iso(sentAt),
      may_repeat: maySendAgain(kind),
    })),
    sessions: file.sessions.map(({ id, browser, system, network, createdAt, seenAt }) => ({
      id,
      browser,
      system,
      network,
      since: createdAt.toISOString(),
      seen: seenAt.toISOString(),
    })),
    players: file.players.map(({ label, fieldSet, fields }) => ({
      label,
      of: fieldSet,
      fields: { ...fields },
    })),
    notes: file.notes.map(({ id, author, text, createdAt }) => ({
      id,
      author,
      text,
      at: createdAt.toISOString(),
    })),
    changes: file.changes.map(({ at, actor, action }) => ({
      at: at.toISOString(),
      actor,
      action,
    })),
  }
}

export const SHOPPER_CALLS = [shoppersList, shoppersFind, shoppersOne] as const
