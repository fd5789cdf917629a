import { z } from 'zod'
import { askSync } from '#features/office/supplier/commands.ts'
import {
  acceptCosts,
  confirmMatches,
  excludeListing,
  lockListingByOperator,
  mapListing,
  publishDrafts,
  refuseCosts,
  scheduleSync,
  setSyncMode,
} from '#features/supply/sync/commands.ts'
import {
  LISTING_VIEWS,
  listEntries,
  listRuns,
  listSchedules,
} from '#features/supply/sync/queries.ts'
import {
  EVERY_SECONDS_LEAST,
  EVERY_SECONDS_MOST,
  SYNC_FIELDS,
  SYNC_MODES,
} from '#features/supply/sync/rules.ts'
import { pageOf } from '#kernel/page.ts'
import { operatorCall } from '../call.ts'
import { itemCode } from './key-shapes.ts'
import { moment, nothing } from './shapes.ts'
import { currency, minor, money, supplier } from './supplier-shapes.ts'

const LISTED = 50
const SEVERAL_MOST = 200
const product = z.string().min(1).max(200)
/** Of a product that has several: "500 USD", in minor units; else empty. */
const face = z.string().regex(/^(\d{1,18} [A-Z]{3})?$/)
const named = { supplier, product, face: face.default('') }
const EXAMPLE = { supplier: 'kinguin', product: '5c9b5e2a', face: '' }
const several = z
  .array(z.strictObject({ product, face: face.default('') }))
  .min(1)
  .max(SEVERAL_MOST)
const count = z.object({ count: z.number() })

const syncRuns = operatorCall({
  path: 'console/suppliers/sync/runs',
  summary: 'Runs of a supplier’s catalogue sync, the last one first, with what each has told',
  body: z.strictObject({ supplier }),
  data: z.object({
    every_seconds: z.number().nullable(),
    next: moment.nullable(),
    runs: z.array(
      z.object({
        id: z.string(),
        started_by: z.string(),
        began: moment,
        ended: moment.nullable(),
        /** Null while it runs. `refused`: the list was so much shorter that it was not believed. */
        outcome: z.enum(['done', 'failed', 'refused', 'lost']).nullable(),
        error: z.string().nullable(),
        is_dry: z.boolean(),
        read: z.number(),
        report: z
          .record(z.string(), z.unknown())
          .nullable()
          .meta({ examples: [{ listed: 120 }] }),
      }),
    ),
  }),
  example: { supplier: 'kinguin' },
  async answer({ ctx }, { supplier: code }) {
    const schedule = (await listSchedules(ctx.db)).find((each) => each.supplier === code)
    const runs = await listRuns(ctx.db, code)
    return {
      every_seconds: schedule?.everySeconds ?? null,
      next: schedule?.nextAt?.toISOString() ?? null,
      runs: runs.map((run) => ({
        id: run.id,
        started_by: run.startedBy,
        began: run.beganAt.toISOString(),
        ended: run.endedAt?.toISOString() ?? null,
        outcome: run.outcome,
        error: run.error,
        is_dry: run.isDry,
        read: run.read,
        report: run.report && { ...run.report },
      })),
    }
  },
})

const syncStart = operatorCall({
  path: 'console/suppliers/sync/start',
  summary:
    'Have the worker synchronise a supplier’s catalogue now, or only tell what that would do',
  description:
    'With `applies_jumps` costs that jump are taken as they are, and a list that is suddenly short is believed. It needs price.change as well.',
  body: z.strictObject({
    supplier,
    is_dry: z.boolean().default(false),
    applies_jumps: z.boolean().default(false),
  }),
  data: nothing,
  example: { supplier: 'kinguin', is_dry: true },
  async answer({ ctx }, { supplier: code, is_dry: isDry, applies_jumps: appliesJumps }) {
    await askSync(ctx, code, { isDry, appliesJumps })
    return {}
  },
})

const syncSchedule = operatorCall({
  path: 'console/suppliers/sync/schedule',
  summary: 'Synchronise a supplier’s catalogue every so many seconds; null for no more',
  description: 'It needs price.change as well.',
  body: z.strictObject({
    supplier,
    every_seconds: z.int().min(EVERY_SECONDS_LEAST).max(EVERY_SECONDS_MOST).nullable(),
  }),
  data: nothing,
  example: { supplier: 'kinguin', every_seconds: 21_600 },
  async answer({ ctx }, { supplier: code, every_seconds: every }) {
    await scheduleSync(ctx, code, every)
    return {}
  },
})

const listings = operatorCall({
  path: 'console/suppliers/listings',
  summary: 'What a supplier lists, a page at a time, with our item beside it',
  body: z.strictObject({
    supplier,
    view: z.enum(LISTING_VIEWS),
    after_product: product.optional(),
    after_face: face.optional(),
  }),
  data: z.object({
    listings: z.array(
      z.object({
        product: z.string(),
        face: z.string(),
        name: z.string(),
        status: z.enum(['mapped', 'draft', 'unmatched', 'excluded', 'gone']),
        matched_by: z.string().nullable(),
        score: z.number().nullable(),
        is_locked: z.boolean(),
        cost: money.nullable(),
        held: money.nullable(),
        item: z.string().nullable(),
        item_name: z.string().nullable(),
        price: money.nullable(),
        offer_cost: money.nullable(),
      }),
    ),
    next: z.object({ after_product: z.string(), after_face: z.string() }).nullable(),
  }),
  example: { supplier: 'kinguin', view: 'jumps' },
  async answer({ ctx }, { supplier: code, view, after_product: after, after_face: afterFace }) {
    const { shown, last } = pageOf(
      await listEntries(ctx.db, {
        supplier: code,
        view,
        after: after === undefined ? null : { product: after, face: afterFace ?? '' },
        limit: LISTED + 1,
      }),
      LISTED,
    )
    return {
      listings: shown.map((each) => ({
        product: each.product,
        face: each.face,
        name: each.name,
        status: each.status,
        matched_by: each.matchedBy,
        score: each.score,
        is_locked: each.isLocked,
        cost: amount(each.cost, each.costCurrency),
        held: amount(each.held, each.heldCurrency),
        item: each.item,
        item_name: each.itemName,
        price: amount(each.price, each.priceCurrency),
        offer_cost: amount(each.offerCost, each.offerCurrency),
      })),
      next: last ? { after_product: last.product, after_face: last.face } : null,
    }
  },
})

const amount = (minorUnits: string | null, code: string | null) =>
  minorUnits === null || code === null ? null : { amount_minor: minorUnits, currency: code }

const seenCosts = z
  .array(z.strictObject({ product, face: face.default(''), amount_minor: minor, currency }))
  .min(1)
  .max(SEVERAL_MOST)
const seenOf = (code: string, costs: z.output<typeof seenCosts>) =>
  costs.map(({ product: theirs, face: of, amount_minor: cost, currency: in_ }) => ({
    supplier: code,
    product: theirs,
    face: of,
    cost: { minor: BigInt(cost), currency: in_ },
  }))
const JUMPS = {
  supplier: 'kinguin',
  costs: [{ product: '5c9b5e2a', face: '', amount_minor: '941', currency: 'EUR' }],
}

const jumpsApprove = operatorCall({
  path: 'console/suppliers/jumps/approve',
  summary: 'Take costs that jumped as they are now: all of them or none',
  description:
    'Each with the cost that was shown; where another is listed by now nothing is taken.',
  body: z.strictObject({ supplier, costs: seenCosts }),
  data: count,
  example: JUMPS,
  answer: async ({ ctx }, { supplier: code, costs }) => ({
    count: await acceptCosts(ctx, seenOf(code, costs)),
  }),
})

const jumpsRefuse = operatorCall({
  path: 'console/suppliers/jumps/refuse',
  summary:
    'Leave costs that jumped as they are; as long as they are listed like this nobody is asked again',
  body: z.strictObject({ supplier, costs: seenCosts }),
  data: count,
  example: JUMPS,
  answer: async ({ ctx }, { supplier: code, costs }) => ({
    count: await refuseCosts(ctx, seenOf(code, costs)),
  }),
})

const matchesConfirm = operatorCall({
  path: 'console/suppliers/matches/confirm',
  summary: 'Say of items that were found by their names that they are the right ones',
  body: z.strictObject({
    supplier,
    listings: z
      .array(z.strictObject({ product, face: face.default(''), item: itemCode }))
      .min(1)
      .max(SEVERAL_MOST),
  }),
  data: count,
  example: {
    supplier: 'kinguin',
    listings: [{ product: '5c9b5e2a', face: '', item: 'card:steam:us:20' }],
  },
  answer: async ({ ctx }, { supplier: code, listings: given }) => ({
    count: await confirmMatches(
      ctx,
      given.map((each) => ({ supplier: code, ...each })),
    ),
  }),
})

const listingMap = operatorCall({
  path: 'console/suppliers/listings/map',
  summary: 'Say which item a supplier’s product is; the next sync has its cost and stock follow',
  body: z.strictObject({ ...named, item: itemCode }),
  data: nothing,
  example: { ...EXAMPLE, item: 'card:steam:us:20' },
  async answer({ ctx }, { item, ...listing }) {
    await mapListing(ctx, listing, item)
    return {}
  },
})

const listingExclude = operatorCall({
  path: 'console/suppliers/listings/exclude',
  summary: 'Keep products of a supplier out of the shop, or let the next sync take them in again',
  body: z.strictObject({ supplier, listings: several, is_excluded: z.boolean() }),
  data: count,
  example: { supplier: 'kinguin', listings: [{ product: '5c9b5e2a' }], is_excluded: true },
  async answer({ ctx }, { supplier: code, listings: given, is_excluded: isExcluded }) {
    for (const each of given) await excludeListing(ctx, { supplier: code, ...each }, isExcluded)
    return { count: given.length }
  },
})

const listingLock = operatorCall({
  path: 'console/suppliers/listings/lock',
  summary: 'Have syncs leave a product as it is, or go on with it',
  body: z.strictObject({ ...named, is_locked: z.boolean() }),
  data: nothing,
  example: { ...EXAMPLE, is_locked: true },
  async answer({ ctx }, { is_locked: isLocked, ...listing }) {
    await lockListingByOperator(ctx, listing, isLocked)
    return {}
  },
})

const listingMode = operatorCall({
  path: 'console/suppliers/listings/mode',
  summary: 'How a field of a product goes with what its supplier lists',
  body: z.strictObject({ ...named, field: z.enum(SYNC_FIELDS), mode: z.enum(SYNC_MODES) }),
  data: nothing,
  example: { ...EXAMPLE, field: 'cost', mode: 'never' },
  async answer({ ctx }, { field, mode, ...listing }) {
    await setSyncMode(ctx, listing, field, mode)
    return {}
  },
})

const draftsPublish = operatorCall({
  path: 'console/suppliers/drafts/publish',
  summary: 'Show drafts in the shop, with the brands and products that were made for them',
  body: z.strictObject({
    supplier,
    /** Left out: every draft of the supplier. */
    items: z.array(itemCode).min(1).max(SEVERAL_MOST).optional(),
  }),
  data: count,
  example: { supplier: 'kinguin', items: ['card:steam:us:20'] },
  async answer({ ctx }, { supplier: code, items }) {
    if (items === undefined) return { count: await publishDrafts(ctx, code, null) }
    let published = 0
    for (const item of items) published += await publishDrafts(ctx, code, item)
    return { count: published }
  },
})

export const SUPPLIER_SYNC_CALLS = [
  syncRuns,
  syncStart,
  syncSchedule,
  listings,
  jumpsApprove,
  jumpsRefuse,
  matchesConfirm,
  listingMap,
  listingExclude,
  listingLock,
  listingMode,
  draftsPublish,
] as const
