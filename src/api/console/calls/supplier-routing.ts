import { z } from 'zod'
import { setAlertHours, setShopRoute } from '#features/office/supplier/commands.ts'
import { ruleVersion } from '#features/office/supplier/rules.ts'
import { sellCardsFrom, setItemRoute, setOffer } from '#features/supply/routing/commands.ts'
import { findRoutedItem, readRouting, routeOf, tryRule } from '#features/supply/routing/queries.ts'
import { chooseOffer, ROUTE_CRITERIA, type Routing } from '#features/supply/routing/rules.ts'
import { withdrawOffer } from '#features/supply/sync/commands.ts'
import type { Db } from '#platform/db.ts'
import { AppError } from '#kernel/error.ts'
import { waits } from './money.ts'
import { operatorCall } from '../call.ts'
import { itemCode } from './key-shapes.ts'
import { moment, nothing } from './shapes.ts'
import {
  currency,
  distinct,
  knownMoney,
  minor,
  money,
  routeRule,
  supplier,
  written,
} from './supplier-shapes.ts'

const loss = z.int().min(0).max(10_000)
const criterion = z.enum(ROUTE_CRITERIA)
const offer = z.object({
  supplier: z.string(),
  priority: z.number(),
  cost: money,
  /** Why it would not be asked now; null where it would. */
  not: z.enum(['failed', 'resting', 'too_dear', 'no_balance']).nullable(),
  failures: z.number(),
  p50_ms: z.number().nullable(),
  /** Units that its balance is enough for; null where it was not told lately. */
  affords: z.number().nullable(),
})
const route = z.object({
  rule: z.array(criterion),
  offers: z.array(offer),
  /** Where the next unit would go: `later` waits for one that rests, `too_dear` for a person, `none` is delivered by hand or given back. */
  next: z.enum(['offer', 'later', 'too_dear', 'none']),
  supplier: z.string().nullable(),
  at: moment.nullable(),
})

async function routed(
  db: Db,
  now: Date,
  item: string,
  tried?: Parameters<typeof routeOf>[3],
): Promise<z.input<typeof route>> {
  const { offers, rule } = await routeOf(db, { id: item }, now, tried)
  const next = chooseOffer(offers, now)
  return {
    rule: [...rule],
    offers: offers.map((each) => {
      const chosen = chooseOffer([each], now)
      const why = chosen.kind === 'offer' ? null : reasonOf(each, chosen.kind, now)
      return {
        supplier: each.supplier,
        priority: each.priority,
        cost: written({ minor: each.costMinor, currency: each.costCurrency }),
        not: why,
        failures: each.measures.failures,
        p50_ms: each.measures.p50Ms,
        affords: each.measures.affords,
      }
    }),
    next: next.kind,
    supplier:
      next.kind === 'offer' ? next.offer.supplier : next.kind === 'later' ? next.supplier : null,
    at: next.kind === 'later' ? next.at.toISOString() : null,
  }
}

function reasonOf(
  { restsUntil }: { readonly restsUntil: Date | null },
  kind: 'later' | 'too_dear' | 'none',
  now: Date,
): 'failed' | 'resting' | 'too_dear' | 'no_balance' {
  if (kind === 'too_dear') return 'too_dear'
  if (kind === 'none') return 'failed'
  return restsUntil !== null && restsUntil > now ? 'resting' : 'no_balance'
}

const itemRoute = operatorCall({
  path: 'console/suppliers/route',
  summary: 'Who sells an item, in which order they are asked, and where the next unit would go',
  body: z.strictObject({ item: itemCode }),
  data: z.object({
    item: z.string(),
    name: z.string(),
    price: money,
    /** The item’s own; null where the shop’s holds. */
    own_rule: z.array(criterion).nullable(),
    own_loss: z.number().nullable(),
    source: z.enum(['stock', 'order', 'both']).nullable(),
    ...route.shape,
  }),
  example: { item: 'card:steam:us:20' },
  async answer({ ctx }, { item: code }) {
    const item = await findRoutedItem(ctx.db, code)
    if (!item) throw new AppError('not_found')
    return {
      item: item.code,
      name: `${item.productName}: ${item.name}`,
      price: written(item.price),
      own_rule: item.rule && [...item.rule],
      own_loss: item.lossBasisPoints,
      source: item.source,
      ...(await routed(ctx.db, ctx.now(), item.id)),
    }
  },
})

const trial = {
  item: itemCode,
  /** Null: the shop’s rule holds. */
  rule: routeRule.nullable(),
  loss_basis_points: loss.nullable(),
}
const TRIAL = { item: 'card:steam:us:20', rule: ['health', 'cost'], loss_basis_points: 300 }

const routePreview = operatorCall({
  path: 'console/suppliers/route/preview',
  summary: 'Where the next unit of an item would go by another rule; nothing is changed',
  body: z.strictObject(trial),
  data: z.object({ before: route, after: route }),
  example: TRIAL,
  async answer({ ctx }, { item: code, rule, loss_basis_points: lossBasisPoints }) {
    const item = await findRoutedItem(ctx.db, code)
    if (!item) throw new AppError('not_found')
    const tried = { rule: rule && distinct(rule, 'rule'), lossBasisPoints }
    return {
      before: await routed(ctx.db, ctx.now(), item.id),
      after: await routed(ctx.db, ctx.now(), item.id, tried),
    }
  },
})

const routeSet = operatorCall({
  path: 'console/suppliers/route/set',
  summary:
    'Say by what the suppliers of an item are put in order, and how far it is bought at a loss',
  description:
    'The answer is what was said before: made again with it, it is taken back. More that may be lost counts against the limit of prices; above it, it waits for a second person.',
  body: z.strictObject(trial),
  data: z.object({
    ...waits.shape,
    rule: z.array(criterion).nullable(),
    loss_basis_points: z.number().nullable(),
  }),
  example: TRIAL,
  async answer({ ctx }, { item, rule, loss_basis_points: lossBasisPoints }) {
    const before = await setItemRoute(ctx, {
      item,
      rule: rule && distinct(rule, 'rule'),
      lossBasisPoints,
    })
    return {
      rule: before.rule && [...before.rule],
      loss_basis_points: before.lossBasisPoints,
      waits_for_approval: before.waits,
    }
  },
})

const shopRule = {
  rule: routeRule,
  loss_basis_points: loss,
  loss_usd_minor: z.int().min(0).max(1_000_000).nullable(),
}
const ruleShape = z.object({
  rule: z.array(criterion),
  loss_basis_points: z.number(),
  loss_usd_minor: z.number().nullable(),
  version: z.string(),
})
const ruleOf = (routing: Routing): z.input<typeof ruleShape> => ({
  rule: [...routing.rule],
  loss_basis_points: routing.lossBasisPoints,
  loss_usd_minor: routing.lossUsdMinor === null ? null : Number(routing.lossUsdMinor),
  version: ruleVersion(routing),
})

const rule = operatorCall({
  path: 'console/suppliers/rule',
  summary: 'By what the shop puts suppliers in order, and how far it buys at a loss',
  body: z.object({}),
  data: ruleShape,
  example: {},
  answer: async ({ ctx }) => ruleOf(await readRouting(ctx.db)),
})

const rulePreview = operatorCall({
  path: 'console/suppliers/rule/preview',
  summary: 'Which items another supplier would be asked first for by another rule of the shop',
  body: z.strictObject({ rule: routeRule }),
  data: z.object({
    looked: z.number(),
    moved: z.number(),
    examples: z.array(
      z.object({ item: z.string(), name: z.string(), from: z.string(), to: z.string() }),
    ),
  }),
  example: { rule: ['health', 'cost'] },
  async answer({ ctx }, { rule: given }) {
    const effect = await tryRule(ctx.db, ctx.now(), distinct(given, 'rule'))
    return { ...effect, examples: [...effect.examples] }
  },
})

const ruleSet = operatorCall({
  path: 'console/suppliers/rule/set',
  summary: 'Change by what the shop puts suppliers in order, and how far it buys at a loss',
  description: 'The answer is what held before: made again with it, it is taken back.',
  body: z.strictObject({ ...shopRule, version: z.string().max(200) }),
  data: ruleShape,
  example: {
    rule: ['health', 'cost'],
    loss_basis_points: 500,
    loss_usd_minor: 200,
    version: 'priority_0_',
  },
  async answer({ ctx }, given) {
    const before = await setShopRoute(ctx, given.version, {
      rule: distinct(given.rule, 'rule'),
      lossBasisPoints: given.loss_basis_points,
      lossUsdMinor: given.loss_usd_minor === null ? null : BigInt(given.loss_usd_minor),
    })
    return ruleOf(before)
  },
})

const alerts = operatorCall({
  path: 'console/suppliers/alert_hours',
  summary: 'For how many hours a balance has to last; below them somebody is told',
  body: z.strictObject({ hours: z.int().min(1).max(2_000) }),
  data: nothing,
  example: { hours: 48 },
  async answer({ ctx }, { hours }) {
    await setAlertHours(ctx, hours)
    return {}
  },
})

const offerSet = operatorCall({
  path: 'console/suppliers/offers/set',
  summary:
    'Say that an item is bought at a supplier from now on, as what, for how much and in which place',
  body: z.strictObject({
    item: itemCode,
    supplier,
    product: z.string().trim().min(1).max(200),
    priority: z.int().min(0).max(1_000).default(0),
    amount_minor: minor,
    currency,
    face_minor: minor.optional(),
    face_currency: currency.optional(),
  }),
  description:
    'Margin rules make prices of what it costs: it counts against the limit of prices, and above it waits for a second person.',
  data: waits,
  example: {
    item: 'card:steam:us:20',
    supplier: 'kinguin',
    product: '5c9b5e2a',
    amount_minor: '1862',
    currency: 'EUR',
  },
  async answer({ ctx }, given) {
    const { face_minor: faceMinor, face_currency: faceCurrency } = given
    const waiting = await setOffer(ctx, {
      item: given.item,
      supplier: given.supplier,
      product: given.product,
      priority: given.priority,
      face:
        faceMinor === undefined || faceCurrency === undefined
          ? null
          : await knownMoney(ctx.db, faceMinor, faceCurrency),
      cost: await knownMoney(ctx.db, given.amount_minor, given.currency),
    })
    return { waits_for_approval: waiting }
  },
})

const offerWithdraw = operatorCall({
  path: 'console/suppliers/offers/withdraw',
  summary: 'End buying an item at a supplier, and have syncs leave it so',
  description:
    'What waits there goes to its next supplier, and is given back where there is none. Its price is made of the next one’s cost: it counts against the limit of prices, and above it waits for a second person.',
  body: z.strictObject({ item: itemCode, supplier }),
  data: waits,
  example: { item: 'card:steam:us:20', supplier: 'kinguin' },
  async answer({ ctx }, { item, supplier: code }) {
    return { waits_for_approval: await withdrawOffer(ctx, code, item) }
  },
})

const cardSource = operatorCall({
  path: 'console/suppliers/source',
  summary:
    'Where an item’s cards come from: own keys, a supplier, or a supplier once the own ones are gone',
  body: z.strictObject({ item: itemCode, source: z.enum(['stock', 'order', 'both']) }),
  data: nothing,
  example: { item: 'card:steam:us:20', source: 'order' },
  async answer({ ctx }, { item, source }) {
    await sellCardsFrom(ctx, item, source)
    return {}
  },
})

export const SUPPLIER_ROUTING_CALLS = [
  itemRoute,
  routePreview,
  routeSet,
  rule,
  rulePreview,
  ruleSet,
  alerts,
  offerSet,
  offerWithdraw,
  cardSource,
] as const
