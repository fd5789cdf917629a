import { z } from 'zod'
import { refuseRate } from '#features/goods/currency/commands.ts'
import { listCurrencies, listHeldRates, listRates } from '#features/goods/currency/queries.ts'
import { rateText } from '#features/goods/currency/rules.ts'
import { explainPrice, listWithheld, readPriceTerms } from '#features/goods/price/queries.ts'
import { storedSteps } from '#features/goods/price/rules.ts'
import { changePrices, tryPrices, tryWaiting } from '#features/office/pricing/commands.ts'
import {
  listLevelPrices,
  listOwnPrices,
  listRateHistory,
  listRulesInOrder,
} from '#features/office/pricing/queries.ts'
import { priceChange } from '#features/office/pricing/schema.ts'
import { fieldError } from '#kernel/error.ts'
import { operatorCall } from '../call.ts'
import { triedOf, triedShape } from './price-shapes.ts'
import { moment, nothing, publicId } from './shapes.ts'

const currency = z.string().regex(/^[A-Z]{3}$/)
const code = z.string().max(160)
const after = z.string().max(160).default('')
const RULE = {
  path: 'rule',
  brand: null,
  supplier: null,
  region: null,
  currency: 'EUR',
  basis_points: 1_250,
  valid_from: null,
  replaces: null,
} as const
const changeShape = priceChange.meta({ examples: [RULE] })
const SEEN = 'Zt3qN0f5Qy2mB7sJ1kVx9A'

const pricesRules = operatorCall({
  path: 'console/prices/rules',
  summary: 'Margin rules in the order in which they win, and the last that are over',
  body: z.object({}),
  data: z.array(
    z.object({
      id: z.string(),
      brand: z.string().nullable(),
      supplier: z.string().nullable(),
      region: z.string().nullable(),
      currency: z.string().nullable(),
      basis_points: z.number(),
      valid_from: moment,
      valid_until: moment.nullable(),
      created_by: z.string(),
      ended_by: z.string().nullable(),
      state: z.enum(['in_force', 'to_come', 'over']),
    }),
  ),
  example: {},
  async answer({ ctx }) {
    return (await listRulesInOrder(ctx.db, ctx.now())).map((rule) => ({
      id: rule.id,
      brand: rule.brand,
      supplier: rule.supplier,
      region: rule.region,
      currency: rule.currency,
      basis_points: rule.basisPoints,
      valid_from: rule.validFrom.toISOString(),
      valid_until: rule.validUntil?.toISOString() ?? null,
      created_by: rule.createdBy,
      ended_by: rule.endedBy,
      state: rule.state,
    }))
  },
})

const pricesRates = operatorCall({
  path: 'console/prices/rates',
  summary: 'Exchange rates in force, and those that jump and wait',
  body: z.object({}),
  data: z.object({
    rates: z.array(
      z.object({
        currency: z.string(),
        /** Units of it for one US dollar. */
        per_usd: z.string(),
        source: z.string(),
        published: moment,
        in_force_since: moment,
        spread_basis_points: z.number(),
        /** From when on somebody is told, and from when on nothing is sold by it; null for one that stands. */
        stale: moment.nullable(),
        stops: moment.nullable(),
      }),
    ),
    held: z.array(
      z.object({
        id: z.string(),
        currency: z.string(),
        source: z.string(),
        per_usd: z.string(),
        in_force: z.string().nullable(),
        /** Hundredths of a percent from the one in force. */
        change_basis_points: z.string().nullable(),
        published: moment,
      }),
    ),
  }),
  example: {},
  async answer({ ctx }) {
    const [rates, held] = await Promise.all([listRates(ctx.db), listHeldRates(ctx.db)])
    return {
      rates: rates.map((rate) => ({
        currency: rate.currency,
        per_usd: rateText(rate.perUsd),
        source: rate.source,
        published: rate.publishedAt.toISOString(),
        in_force_since: rate.inForceSince.toISOString(),
        spread_basis_points: rate.spreadBasisPoints,
        stale: rate.staleAt?.toISOString() ?? null,
        stops: rate.stopsAt?.toISOString() ?? null,
      })),
      held: held.map((rate) => ({
        id: rate.id,
        currency: rate.currency,
        source: rate.source,
        per_usd: rateText(rate.perUsd),
        in_force: rate.inForce && rateText(rate.inForce),
        change_basis_points: rate.changeBasisPoints?.toString() ?? null,
        published: rate.publishedAt.toISOString(),
      })),
    }
  },
})

const pricesRateHistory = operatorCall({
  path: 'console/prices/rates/history',
  summary: 'The rates that were in force of a currency, the newest first',
  body: z.object({ currency }),
  data: z.array(z.object({ at: moment, per_usd: z.string(), source: z.string() })),
  example: { currency: 'EUR' },
  async answer({ ctx }, given) {
    const points = await listRateHistory(ctx.db, given.currency)
    return points.map(({ at, perUsd, source }) => ({
      at: at.toISOString(),
      per_usd: perUsd,
      source,
    }))
  },
})

const pricesRateRefuse = operatorCall({
  path: 'console/prices/rates/refuse',
  summary: 'Have a rate that was held back never be used',
  body: z.strictObject({ id: z.uuid() }),
  data: nothing,
  example: { id: '0199f0a0-0000-7000-8000-000000000000' },
  async answer({ ctx }, { id }) {
    await refuseRate(ctx, id)
    return {}
  },
})

const pricesTerms = operatorCall({
  path: 'console/prices/terms',
  summary:
    'How currencies are rounded and what they add, the floor, and what customer levels pay less',
  body: z.object({}),
  data: z.object({
    currencies: z.array(
      z.object({
        currency: z.string(),
        is_sold: z.boolean(),
        minor_units: z.number(),
        margin_basis_points: z.number(),
        rounding_increment: z.string(),
        rounding_mode: z.enum(['half_up', 'up']),
        charm: z.object({ ending_minor: z.number(), every_minor: z.number() }).nullable(),
      }),
    ),
    floor: z.object({ basis_points: z.number(), after_fees: z.boolean() }).nullable(),
    levels: z.array(z.object({ level: z.number(), off_basis_points: z.number() })),
    /** Items that have no price in some currency, as too little would remain over their cost. */
    withheld: z.array(z.object({ item: z.string(), currencies: z.array(z.string()) })),
  }),
  example: {},
  async answer({ ctx }) {
    const [currencies, terms, withheld] = await Promise.all([
      listCurrencies(ctx.db),
      readPriceTerms(ctx.db),
      listWithheld(ctx.db),
    ])
    return {
      currencies: currencies.map((one) => {
        const charm = terms.charms[one.code]
        return {
          currency: one.code,
          is_sold: one.isCheckout,
          minor_units: one.minorUnits,
          margin_basis_points: one.marginBasisPoints,
          rounding_increment: one.roundingIncrement.toString(),
          rounding_mode: one.roundingMode === 'up' ? ('up' as const) : ('half_up' as const),
          charm: charm
            ? { ending_minor: Number(charm.endingMinor), every_minor: Number(charm.everyMinor) }
            : null,
        }
      }),
      floor: terms.floor && {
        basis_points: terms.floor.basisPoints,
        after_fees: terms.floor.isAfterFees,
      },
      levels: Object.entries(terms.levels).map(([level, off]) => ({
        level: Number(level),
        off_basis_points: off,
      })),
      withheld: withheld.map((one) => ({ item: one.code, currencies: [...one.currencies] })),
    }
  },
})

const listed = z.object({
  prices: z.array(
    z.object({
      item: z.string(),
      name: z.string(),
      currency: z.string(),
      minor: z.string(),
      level: z.number().nullable(),
    }),
  ),
  /** What the next page begins behind; null for the last. */
  next: z.string().nullable(),
})

const pricesOwn = operatorCall({
  path: 'console/prices/own',
  summary: 'Prices that were set for items in a currency, or in any, by the items’ codes',
  body: z.object({ currency: currency.optional(), after }),
  data: listed,
  example: { currency: 'EUR' },
  async answer({ ctx }, given) {
    const page = await listOwnPrices(ctx.db, given.currency ?? null, given.after)
    return { prices: [...page.prices], next: page.next }
  },
})

const pricesLevels = operatorCall({
  path: 'console/prices/level_prices',
  summary: 'Prices that were set for items and customer levels, by the items’ codes',
  body: z.object({ after }),
  data: listed,
  example: {},
  async answer({ ctx }, given) {
    const page = await listLevelPrices(ctx.db, given.after)
    return { prices: [...page.prices], next: page.next }
  },
})

const pricesWhy = operatorCall({
  path: 'console/prices/why',
  summary: 'How a price comes about, step by step, at any moment',
  body: z.object({
    item: code,
    currency,
    level: z
      .string()
      .regex(/^\d{1,3}$/)
      .default('0'),
    at: z.iso.datetime({ offset: true }).optional(),
  }),
  data: z.object({
    item: z.string(),
    currency: z.string(),
    minor: z.string().nullable(),
    withheld: z.enum(['no_rate', 'stale_rate', 'below_floor']).nullable(),
    steps: z.array(
      z
        .record(z.string(), z.unknown())
        .meta({ examples: [{ kind: 'base', minor: '1900', currency: 'USD' }] }),
    ),
  }),
  example: { item: 'card:vapour:us:20', currency: 'EUR' },
  async answer({ ctx }, given) {
    const explained = await explainPrice(ctx.db, given.item, {
      currency: given.currency,
      level: Number(given.level),
      at: given.at === undefined ? ctx.now() : new Date(given.at),
    })
    if (!explained) throw fieldError('item', 'not_sold')
    const { priced } = explained
    return {
      item: explained.code,
      currency: explained.currency.code,
      minor: priced.minor?.toString() ?? null,
      withheld: priced.withheld,
      steps: storedSteps(priced.steps).map((step) => ({ ...step })),
    }
  },
})

const pricesTry = operatorCall({
  path: 'console/prices/try',
  summary: 'What a change of prices would do to the whole catalogue, with nothing changed',
  description:
    'It is worked out for every item on sale in every currency that something is sold in. `moves`, `top` and `reach` tell by how far; `margins` what was sold in the last thirty days would have left over its cost.',
  body: z.strictObject({ change: changeShape }),
  data: triedShape,
  example: { change: RULE },
  answer: async ({ ctx }, { change }) => triedOf(await tryPrices(ctx, change)),
})

const pricesChange = operatorCall({
  path: 'console/prices/change',
  summary: 'Change prices as it was tried',
  description:
    'A change that moves a price by more than the caller may within seven days waits for a second person. Where it would do something else by now than what was seen, nothing is changed. `undo` takes it back, by this same call.',
  body: z.strictObject({ change: changeShape, seen: z.string().length(22) }),
  data: z.object({
    waits_for_approval: publicId.nullable(),
    undo: changeShape.nullable(),
    rate: z.enum(['in_force', 'held', 'not_chosen']).nullable(),
  }),
  example: { change: RULE, seen: SEEN },
  async answer({ ctx }, { change, seen }) {
    const made = await changePrices(ctx, change, seen)
    return { waits_for_approval: made.waits, undo: made.undo, rate: made.rate }
  },
})

const pricesWaiting = operatorCall({
  path: 'console/prices/waiting',
  summary: 'What a change of prices that waits for a second person would do as of now',
  body: z.object({ id: publicId }),
  data: triedShape,
  example: { id: SEEN },
  answer: async ({ ctx }, { id }) => triedOf(await tryWaiting(ctx, id)),
})

export const PRICES_CALLS = [
  pricesWaiting,
  pricesRules,
  pricesRates,
  pricesRateHistory,
  pricesRateRefuse,
  pricesTerms,
  pricesOwn,
  pricesLevels,
  pricesWhy,
  pricesTry,
  pricesChange,
] as const
