import { z } from 'zod'
import type { Setting } from '#features/base/setting/rules.ts'
import { DEFAULT_ROUTING, ROUTE_CRITERIA, type Routing } from './rules.ts'

/** By what suppliers are put in order; each thing once. */
export const routeRule = z
  .array(z.enum(ROUTE_CRITERIA))
  .min(1)
  .max(ROUTE_CRITERIA.length)
  .refine((rule) => new Set(rule).size === rule.length, 'names a thing twice')

/** The row `supply_routing` of the table `setting`. */
const routing = z
  .strictObject({
    rule: routeRule.default([...DEFAULT_ROUTING.rule]),
    loss_basis_points: z.int().min(0).max(10_000).default(DEFAULT_ROUTING.lossBasisPoints),
    loss_usd_minor: z.int().min(0).max(1_000_000).optional(),
  })
  .transform(
    (row): Routing => ({
      rule: row.rule,
      lossBasisPoints: row.loss_basis_points,
      lossUsdMinor: row.loss_usd_minor === undefined ? null : BigInt(row.loss_usd_minor),
    }),
  )

export const routingSetting: Setting<Routing> = {
  key: 'supply_routing',
  summary: 'Which supplier of an item is asked first, and how far a paid unit is bought at a loss.',
  schema: routing,
  fallback: DEFAULT_ROUTING,
  example: { rule: ['health', 'cost'], loss_basis_points: 500, loss_usd_minor: 200 },
}
