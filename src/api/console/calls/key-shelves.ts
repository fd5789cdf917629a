import { z } from 'zod'
import {
  getShelf,
  listReportedBatches,
  listShelfBatches,
  listShelves,
  sumShelves,
  type Batch,
} from '#features/buying/shelf/queries.ts'
import { setLowDays } from '#features/buying/shelf/commands.ts'
import {
  LOW_DAYS_MOST,
  NEVER_EMPTY_HOURS,
  SHELF_VIEWS,
  type Shelf,
} from '#features/buying/shelf/rules.ts'
import { setBatchTerms, type BatchTerms } from '#features/buying/vault/commands.ts'
import { fieldError } from '#kernel/error.ts'
import { pageOf } from '#kernel/page.ts'
import { operatorCall } from '../call.ts'
import { amountShape, costShape, itemCode, rowId, supplierName } from './key-shapes.ts'
import { moment, nothing } from './shapes.ts'

const PAGE = 50
const PAGE_MAX = 200
const limit = z.coerce.number().int().min(1).max(PAGE_MAX).optional()
const cursor = z.string().max(80).optional()
const count = z.int()

const amounts = (values: Shelf['values']) =>
  values.map(({ currency, minor }) => ({ currency, minor: minor.toString() }))

const shelfShape = z.object({
  item: itemCode,
  brand: z.string(),
  region: z.string(),
  name: z.string(),
  is_on_sale: z.boolean(),
  is_to_order: z.boolean(),
  free: count,
  reserved: count,
  quarantined: count,
  expiring: count,
  sold: count,
  cover_hours: count.nullable(),
  is_low: z.boolean(),
  low_days: count.nullable(),
  version: count,
  values: z.array(amountShape),
  without_cost: count,
})

const shelfView = (shelf: Shelf): z.input<typeof shelfShape> => ({
  item: shelf.itemCode,
  brand: shelf.brandName,
  region: shelf.regionName,
  name: shelf.itemName,
  is_on_sale: shelf.isOnSale,
  is_to_order: shelf.isToOrder,
  free: shelf.free,
  reserved: shelf.reserved,
  quarantined: shelf.quarantined,
  expiring: shelf.expiring,
  sold: shelf.sold,
  cover_hours: shelf.coverHours,
  is_low: shelf.isLow,
  low_days: shelf.lowDays,
  version: shelf.version,
  values: amounts(shelf.values),
  without_cost: shelf.withoutCost,
})

const keysTotals = operatorCall({
  path: 'console/keys/totals',
  summary: 'All shelves together',
  description:
    'Numbers of a minute ago at most; `values` is what the keys at hand cost, by currency.',
  body: z.object({}),
  data: z.object({
    shelves: count,
    low: count,
    free: count,
    quarantined: count,
    expiring: count,
    values: z.array(amountShape),
  }),
  example: {},
  async answer({ ctx }) {
    const totals = await sumShelves(ctx.db)
    return { ...totals, values: amounts(totals.values) }
  },
})

const SHELF_CURSOR = /^(\d{1,8})_([0-9a-f-]{36})$/

const keysShelves = operatorCall({
  path: 'console/keys/shelves',
  summary: 'Shelves of card keys, those that last shortest first',
  description:
    '`sold` is of the last 90 days, `cover_hours` how long the free keys last at the pace of the last 30; null where nothing is sold. A page at a time: `next` is the `cursor` of the following one.',
  body: z.object({
    view: z.enum(SHELF_VIEWS).optional(),
    q: z.string().trim().min(1).max(100).optional(),
    cursor,
    limit,
  }),
  data: z.object({ shelves: z.array(shelfShape), next: z.string().nullable() }),
  example: { view: 'low' },
  async answer({ ctx, language }, given) {
    const size = given.limit ?? PAGE
    const match = given.cursor === undefined ? null : SHELF_CURSOR.exec(given.cursor)
    if (given.cursor !== undefined && !match) throw fieldError('cursor', 'not_allowed')
    const shelves = await listShelves(ctx.db, ctx.now(), {
      view: given.view ?? 'all',
      search: given.q,
      after: match ? { coverHours: Number(match[1]), item: match[2] ?? '' } : null,
      limit: size + 1,
      language,
    })
    const { shown, last } = pageOf(shelves, size)
    return {
      shelves: shown.map(shelfView),
      next: last ? `${last.coverHours ?? NEVER_EMPTY_HOURS}_${last.item}` : null,
    }
  },
})

const keysShelf = operatorCall({
  path: 'console/keys/shelf',
  summary: 'The shelf of one item',
  body: z.object({ item: itemCode }),
  data: shelfShape,
  example: { item: 'card:steam:us:20' },
  answer: async ({ ctx, language }, { item }) =>
    shelfView(await getShelf(ctx.db, { now: ctx.now(), language }, item)),
})

const keysLowDays = operatorCall({
  path: 'console/keys/low_days',
  summary: 'Days of cover below which a shelf is low; null for the shop’s own number',
  description: '`version` is that of the shelf as it was read.',
  body: z.strictObject({
    item: itemCode,
    days: z.int().min(0).max(LOW_DAYS_MOST).nullable(),
    version: z.int().min(0),
  }),
  data: nothing,
  example: { item: 'card:steam:us:20', days: 7, version: 0 },
  async answer({ ctx }, { item, days, version }) {
    await setLowDays(ctx, { itemCode: item, lowDays: days, version })
    return {}
  },
})

const batchShape = z.object({
  id: rowId,
  item: itemCode,
  file: z.string(),
  supplier: z.string().nullable(),
  cost: amountShape.nullable(),
  at: moment,
  by: z.string(),
  imported: count,
  known: count,
  refused: count,
  free: count,
  reserved: count,
  sold: count,
  quarantined: count,
  void: count,
  reported: count,
  withdrawn: moment.nullable(),
})

const batchView = (batch: Batch): z.input<typeof batchShape> => ({
  id: batch.id,
  item: batch.itemCode,
  file: batch.fileName,
  supplier: batch.supplier,
  cost: batch.cost && { currency: batch.cost.currency, minor: batch.cost.minor.toString() },
  at: batch.createdAt.toISOString(),
  by: batch.createdBy,
  imported: batch.imported,
  known: batch.duplicates,
  refused: batch.refused,
  free: batch.free,
  reserved: batch.reserved,
  sold: batch.sold,
  quarantined: batch.quarantined,
  void: batch.void,
  reported: batch.reported,
  withdrawn: batch.withdrawnAt?.toISOString() ?? null,
})

const BATCH_CURSOR = /^(\d{1,16})_([0-9a-f-]{36})$/

const keysBatches = operatorCall({
  path: 'console/keys/batches',
  summary: 'What an item’s keys came in by, newest first',
  description: '`reported`: keys of it that shoppers reported as faulty.',
  body: z.object({ item: itemCode, cursor, limit }),
  data: z.object({ batches: z.array(batchShape), next: z.string().nullable() }),
  example: { item: 'card:steam:us:20' },
  async answer({ ctx }, given) {
    const size = given.limit ?? PAGE
    const match = given.cursor === undefined ? null : BATCH_CURSOR.exec(given.cursor)
    if (given.cursor !== undefined && !match) throw fieldError('cursor', 'not_allowed')
    const after = match ? { at: new Date(Number(match[1])), id: match[2] ?? '' } : null
    const batches = await listShelfBatches(ctx.db, given.item, after, size + 1)
    const { shown, last } = pageOf(batches, size)
    return {
      batches: shown.map(batchView),
      next: last ? `${last.createdAt.getTime()}_${last.id}` : null,
    }
  },
})

const keysReported = operatorCall({
  path: 'console/keys/reported',
  summary: 'Batches of which shoppers reported keys as faulty, most reports first',
  body: z.object({}),
  data: z.array(batchShape),
  example: {},
  answer: async ({ ctx }) => (await listReportedBatches(ctx.db, PAGE)).map(batchView),
})

const termsShape = z.strictObject({
  supplier: supplierName.nullable(),
  cost: costShape.nullable(),
})

const termsOf = ({ supplier, cost }: z.output<typeof termsShape>): BatchTerms => ({
  supplier,
  cost: cost && { minor: BigInt(cost.minor), currency: cost.currency },
})

const keysBatchTerms = operatorCall({
  path: 'console/keys/batch_terms',
  summary: 'Say where a batch was bought and what each of its keys cost',
  description: '`was` is what was read: where it is no longer so, nothing changes.',
  body: z.strictObject({ batch: rowId, was: termsShape, is: termsShape }),
  data: nothing,
  example: {
    batch: '019abc00-0000-7000-8000-000000000001',
    was: { supplier: null, cost: null },
    is: { supplier: 'K-Hub US', cost: { minor: '1885', currency: 'USD' } },
  },
  async answer({ ctx }, { batch, was, is }) {
    await setBatchTerms(ctx, batch, { was: termsOf(was), is: termsOf(is) })
    return {}
  },
})

export const SHELF_CALLS = [
  keysTotals,
  keysShelves,
  keysShelf,
  keysLowDays,
  keysBatches,
  keysReported,
  keysBatchTerms,
] as const
