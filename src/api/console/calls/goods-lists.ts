import { z } from 'zod'
import { fieldsOf } from '#features/goods/editing/engine/fields.ts'
import {
  listChangeRows,
  listChanges,
  listGoods,
  listHistory,
  type GoodsFilter,
  type ListedItem,
  type PastField,
} from '#features/goods/editing/queries.ts'
import { CHANGE_KINDS, SUBJECTS } from '#features/goods/editing/rules.ts'
import { readSetting } from '#features/base/setting/queries.ts'
import { priceTermsSetting } from '#features/goods/price/schema.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { operatorCall, type OperatorCaller } from '../call.ts'
import { goodsTexts } from '#features/goods/editing/views.ts'
import { filterShape, goodsCode, subject, value } from './goods-shapes.ts'
import { moment, publicId } from './shapes.ts'

const LISTED_MOST = 100
const flag = z.literal('1').optional()
const listed = z.object({
  code: z.string(),
  name: z.string(),
  product: z.string(),
  brand: z.string(),
  brand_name: z.string(),
  region_name: z.string(),
  kind: z.string(),
  price_minor: z.string(),
  price_currency: z.string(),
  cost_minor: z.string().nullable(),
  cost_currency: z.string().nullable(),
  supplier: z.string().nullable(),
  status: z.enum(['active', 'suspended']),
  position: z.number(),
  stock: z.number().nullable(),
  free: z.string().nullable(),
  sold: z.string(),
  locked: z.array(z.string()),
})

/** What goods cost the shop is for those who may see how its prices come about. */
const maySeeCost = ({ ctx }: OperatorCaller) => mayDo(ctx.operator, 'price.read')

const viewOf = (row: ListedItem, isCostSeen: boolean) => ({
  code: row.code,
  name: row.name,
  product: row.product,
  brand: row.brand,
  brand_name: row.brandName,
  region_name: row.regionName,
  kind: row.kind,
  price_minor: row.priceMinor,
  price_currency: row.priceCurrency,
  cost_minor: isCostSeen ? row.costMinor : null,
  cost_currency: isCostSeen ? row.costCurrency : null,
  supplier: row.supplier,
  status: row.status,
  position: row.position,
  stock: row.stock,
  free: row.free,
  sold: row.sold,
  locked: [...row.locked],
})

const goodsItems = operatorCall({
  path: 'console/goods/items',
  summary: 'Items of the shop with price, cost and stock, a page at a time',
  description:
    'Product by product, each in its order. `older` and `newer` are codes of items that a page begins after or ends before.',
  body: z.object({
    ...filterShape,
    without_cost: flag,
    below_floor: flag,
    locked: flag,
    changed: flag,
    older: goodsCode.optional(),
    newer: goodsCode.optional(),
    limit: z.coerce.number().int().min(1).max(LISTED_MOST).default(50),
  }),
  data: z.object({ items: z.array(listed), has_more: z.boolean() }),
  example: { find: 'steam 10' },
  async answer(caller, { older, newer, limit, ...given }) {
    const { ctx } = caller
    const { without_cost: cost, below_floor: floor, locked, changed, ...rest } = given
    const flags = {
      withoutCost: cost && true,
      belowFloor: floor && true,
      locked: locked && true,
      changed: changed && true,
    }
    const filter: GoodsFilter = Object.fromEntries(
      Object.entries({ ...rest, ...flags }).filter(([, one]) => one !== undefined),
    )
    const key = older ?? newer
    const terms = await readSetting(ctx.db, priceTermsSetting)
    const rows = await listGoods(ctx.db, {
      filter,
      floorBasisPoints: terms.floor?.basisPoints ?? 0,
      now: ctx.now(),
      from: key === undefined ? null : { key, direction: older === undefined ? 'newer' : 'older' },
      limit: limit + 1,
      language: caller.language,
    })
    const isBack = older === undefined && newer !== undefined
    const shown = isBack ? rows.slice(-limit) : rows.slice(0, limit)
    return {
      items: shown.map((row) => viewOf(row, maySeeCost(caller))),
      has_more: rows.length > limit,
    }
  },
})

const change = z.object({
  id: publicId,
  kind: z.enum(CHANGE_KINDS),
  by: z.string(),
  at: moment,
  note: z.string(),
  rows: z.number(),
  undone_by: publicId.nullable(),
})

const goodsChanges = operatorCall({
  path: 'console/goods/changes',
  summary: 'Changes of goods, the latest first',
  body: z.object({
    before: publicId.optional(),
    limit: z.coerce.number().int().min(1).max(LISTED_MOST).default(30),
  }),
  data: z.array(change),
  example: {},
  answer: async ({ ctx }, { before = null, limit }) =>
    (await listChanges(ctx.db, before, limit)).map(({ undoneBy, at, ...row }) => ({
      ...row,
      at: at.toISOString(),
      undone_by: undoneBy,
    })),
})

const past = z.object({
  change: publicId,
  kind: z.enum(CHANGE_KINDS),
  by: z.string(),
  at: moment,
  subject: z.string(),
  code: z.string(),
  name: z.string(),
  field: z.string(),
  before: value,
  after: value,
  before_text: z.string(),
  after_text: z.string(),
})

async function pastViews(caller: OperatorCaller, all: readonly PastField[]) {
  const { ctx, t, language } = caller
  const rows = all.filter(({ field }) => field !== 'cost' || maySeeCost(caller))
  const { text, nameOf } = await goodsTexts(ctx.db, t, language, rows)
  return rows.map((row) => ({
    ...row,
    at: row.at.toISOString(),
    name: nameOf({ subject: row.subject as (typeof SUBJECTS)[number], code: row.code }),
    before: row.before as never,
    after: row.after as never,
    before_text: text(row.field, row.before),
    after_text: text(row.field, row.after),
  }))
}

const goodsHistory = operatorCall({
  path: 'console/goods/history',
  summary: 'What has become of one brand, product or item, the latest first',
  body: z.object({
    subject,
    code: goodsCode,
    before: publicId.optional(),
    limit: z.coerce.number().int().min(1).max(LISTED_MOST).default(50),
  }),
  data: z.array(past),
  example: { subject: 'item', code: 'card:steam:us:10' },
  answer: async (caller, { subject: of, code, before = null, limit }) =>
    pastViews(caller, await listHistory(caller.ctx.db, of, code, { before, limit })),
})

const goodsChanged = operatorCall({
  path: 'console/goods/changed',
  summary: 'The fields of one change',
  body: z.object({
    change: publicId,
    limit: z.coerce.number().int().min(1).max(LISTED_MOST).default(LISTED_MOST),
  }),
  data: z.array(past),
  example: { change: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  answer: async (caller, { change: id, limit }) =>
    pastViews(caller, await listChangeRows(caller.ctx.db, id, limit)),
})

const goodsFields = operatorCall({
  path: 'console/goods/fields',
  summary: 'The fields of goods that can be edited, and what each takes',
  body: z.object({}),
  data: z.array(
    z.object({
      subject,
      field: z.string(),
      kind: z.string(),
      needs: z.string(),
      lock: z.string(),
      choices: z.array(z.string()),
    }),
  ),
  example: {},
  answer: () =>
    Promise.resolve(
      SUBJECTS.flatMap((of) =>
        Object.entries(fieldsOf(of)).map(([field, { kind, needs, lock, choices = [] }]) => ({
          subject: of,
          field,
          kind,
          needs,
          lock,
          choices: [...choices],
        })),
      ),
    ),
})

export const GOODS_LISTS_CALLS = [
  goodsItems,
  goodsChanges,
  goodsHistory,
  goodsChanged,
  goodsFields,
] as const
