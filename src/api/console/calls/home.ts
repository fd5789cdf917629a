import { z } from 'zod'
import { readBreakdown, readFigures } from '#features/office/figure/queries.ts'
import {
  COUNTS,
  DIMENSIONS,
  marginOf,
  PERIODS,
  quantile,
  type Figures,
} from '#features/office/figure/rules.ts'
import { operatorCall } from '../call.ts'
import { moment } from './shapes.ts'

const TOP = 10
const TOP_MAX = 100
const period = z.enum(PERIODS)
const counts = z.object(
  Object.fromEntries([...COUNTS, 'margin_usd'].map((count) => [count, z.string()])),
)
const figures = z.object({
  /** Whole numbers as text; amounts in US cents. */
  sums: counts,
  p50_seconds: z.number().nullable(),
  p95_seconds: z.number().nullable(),
})

const shown = (of: Figures) => ({
  sums: {
    ...Object.fromEntries(COUNTS.map((count) => [count, of[count].toString()])),
    margin_usd: marginOf(of).toString(),
  },
  p50_seconds: quantile(of.times, 0.5),
  p95_seconds: quantile(of.times, 0.95),
})

const points = z.array(z.object({ begins: moment, figures }))

const homeFigures = operatorCall({
  path: 'console/home/figures',
  summary:
    'What the shop did today, in 7 or 30 days or a year, point by point, and in the period before',
  description:
    'Points are hours of the shop’s day, days, or weeks of a year. Amounts are US cents at the rate of each order. The margin is what is left of units delivered of which it is known what they cost, less what of prices the shop has borne itself (`borne_usd`). Sales and fees belong to the hour in which an order was paid, costs and times to the one in which a unit was delivered, refunds to the one in which they were made.',
  body: z.object({ period }),
  data: z.object({ now: points, before: points, reached: moment.nullable(), behind: z.boolean() }),
  example: { period: '30' },
  async answer({ ctx, services }, { period: wanted }) {
    const { timeZone } = services
    const series = await readFigures(ctx.db, { period: wanted, now: ctx.now(), timeZone })
    const told = (part: typeof series.now) =>
      part.map((point) => ({ begins: point.begins.toISOString(), figures: shown(point.figures) }))
    return {
      now: told(series.now),
      before: told(series.before),
      reached: series.reachedAt?.toISOString() ?? null,
      behind: series.isBehind,
    }
  },
})

const homeBreakdown = operatorCall({
  path: 'console/home/breakdown',
  summary:
    'What a period brought by currency, payment method, country, brand or supplier, those that sold most first',
  description:
    'An order counts for each of its brands. A supplier’s sales are the units that were delivered from there; no name is the shop itself.',
  body: z.object({
    period,
    by: z.enum(DIMENSIONS),
    limit: z.coerce.number().int().min(1).max(TOP_MAX).optional(),
  }),
  data: z.object({
    top: z.array(z.object({ value: z.string(), figures, sales_usd_before: z.string() })),
    rest: z.object({ values: z.number(), figures, sales_usd_before: z.string() }).nullable(),
  }),
  example: { period: '30', by: 'method' },
  async answer({ ctx, services }, { period: wanted, by, limit = TOP }) {
    const { top, rest } = await readBreakdown(ctx.db, {
      period: wanted,
      now: ctx.now(),
      timeZone: services.timeZone,
      dimension: by,
      limit,
    })
    return {
      top: top.map(({ value, figures: of, beforeUsd }) => ({
        value,
        figures: shown(of),
        sales_usd_before: beforeUsd.toString(),
      })),
      rest: rest && {
        values: rest.parts,
        figures: shown(rest.figures),
        sales_usd_before: rest.beforeUsd.toString(),
      },
    }
  },
})

export const HOME_CALLS = [homeFigures, homeBreakdown] as const
