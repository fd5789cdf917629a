import { z } from 'zod'
import type { Setting } from '#features/base/setting/rules.ts'
import { RATE_SERVICES } from '#providers/rates/services.ts'
import {
  CATALOGUE_RATES,
  DEFAULT_RATE_POLICY,
  RATE_MAX_AGE_HOURS,
  RATES_BY_HAND,
  type RatePolicy,
} from './rules.ts'

/** From one hour to a year. */
export const rateAgeSetting: Setting<number> = {
  key: 'rate_max_age_hours',
  summary: 'Hours after which a rate of exchange that no source brought is too old to sell by.',
  schema: z.int().min(1).max(8_784),
  fallback: RATE_MAX_AGE_HOURS,
  example: 24,
}

/** Those whose rates are kept one by one. */
export const QUOTE_SOURCES: readonly string[] = [
  ...RATE_SERVICES.map(({ code }) => code),
  RATES_BY_HAND,
]
const source = z.enum([...QUOTE_SOURCES, CATALOGUE_RATES])
const sources = z
  .array(source)
  .min(1)
  .max(10)
  .refine((codes) => new Set(codes).size === codes.length, 'names a source twice')
const spread = z.int().min(0).max(5_000)
const days = z.int().min(0).max(60)

/** The row `exchange_rates` of the table `setting`. */
const ratePolicy = z
  .strictObject({
    sources: sources.default([...DEFAULT_RATE_POLICY.sources]),
    spread_basis_points: z.partialRecord(source, spread).default({}),
    currencies: z
      .record(
        z.string().regex(/^[A-Z]{3}$/),
        z.strictObject({
          sources: sources.optional(),
          spread_basis_points: spread.optional(),
        }),
      )
      .default({}),
    stale_days: days.default(DEFAULT_RATE_POLICY.staleDays),
    stop_days: days.default(DEFAULT_RATE_POLICY.stopDays),
    jump_basis_points: z.int().min(1).max(100_000).default(DEFAULT_RATE_POLICY.jumpBasisPoints),
  })
  .refine(
    ({ stale_days, stop_days }) => stale_days <= stop_days,
    'stop_days must not be less than stale_days',
  )
  .transform(
    (row): RatePolicy => ({
      sources: row.sources,
      spreads: row.spread_basis_points,
      currencies: Object.fromEntries(
        Object.entries(row.currencies).map(([code, own]) => [
          code,
          { sources: own.sources, spreadBasisPoints: own.spread_basis_points },
        ]),
      ),
      staleDays: row.stale_days,
      stopDays: row.stop_days,
      jumpBasisPoints: row.jump_basis_points,
    }),
  )

export const ratePolicySetting: Setting<RatePolicy> = {
  key: 'exchange_rates',
  summary:
    'Where rates of exchange come from, what is added, and when one is too old or too far off.',
  schema: ratePolicy,
  fallback: DEFAULT_RATE_POLICY,
  example: {
    sources: ['ecb', 'open-exchange-rates', 'catalogue'],
    spread_basis_points: { ecb: 50 },
    currencies: { ARS: { sources: ['by-hand'], spread_basis_points: 200 } },
    stale_days: 2,
    stop_days: 5,
    jump_basis_points: 1_000,
  },
}
