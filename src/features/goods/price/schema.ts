import { z } from 'zod'
import type { Setting } from '#features/base/setting/rules.ts'
import { LANGUAGE_CODES } from '#kernel/language.ts'
import { DEFAULT_PRICE_TERMS, type PriceTerms } from './rules.ts'

const currency = z.string().regex(/^[A-Z]{3}$/)
const minor = z.int().min(0).max(1_000_000_000)

const charm = z
  .strictObject({ ending_minor: minor, every_minor: minor.min(2) })
  .refine(
    ({ ending_minor, every_minor }) => ending_minor < every_minor,
    'ending_minor must be less than every_minor',
  )

const levelName = z
  .partialRecord(z.enum(LANGUAGE_CODES), z.string().trim().min(1).max(40))
  .refine(({ en }) => en !== undefined, 'needs the name in English: en')

/** The row `prices` of the table `setting`. */
const priceTerms = z
  .strictObject({
    floor: z
      .strictObject({
        basis_points: z.int().min(0).max(100_000),
        after_fees: z.boolean().default(true),
      })
      .optional(),
    charm: z.record(currency, charm).default({}),
    levels: z
      .record(
        z.string().regex(/^[1-9]\d{0,2}$/),
        z.strictObject({
          off_basis_points: z.int().min(0).max(9_000).default(0),
          name: levelName.optional(),
        }),
      )
      .default({}),
    jump_basis_points: z.int().min(1).max(100_000).default(DEFAULT_PRICE_TERMS.jumpBasisPoints),
  })
  .transform(
    (row): PriceTerms => ({
      floor: row.floor
        ? { basisPoints: row.floor.basis_points, isAfterFees: row.floor.after_fees }
        : null,
      charms: Object.fromEntries(
        Object.entries(row.charm).map(([code, own]) => [
          code,
          { endingMinor: BigInt(own.ending_minor), everyMinor: BigInt(own.every_minor) },
        ]),
      ),
      levels: Object.fromEntries(
        Object.entries(row.levels).map(([level, own]) => [level, own.off_basis_points]),
      ),
      levelNames: Object.fromEntries(
        Object.entries(row.levels).flatMap(([level, { name }]) =>
          name === undefined ? [] : [[level, { ...name, en: name.en ?? '' }]],
        ),
      ),
      jumpBasisPoints: row.jump_basis_points,
    }),
  )

export const priceTermsSetting: Setting<PriceTerms> = {
  key: 'prices',
  summary:
    'What must remain over the cost, endings of prices by currency, and what customer levels pay less.',
  schema: priceTerms,
  fallback: DEFAULT_PRICE_TERMS,
  example: {
    floor: { basis_points: 200, after_fees: true },
    charm: { USD: { ending_minor: 99, every_minor: 100 } },
    levels: {
      1: { off_basis_points: 300, name: { en: 'Silver' } },
      2: { off_basis_points: 700, name: { en: 'Gold', id: 'Emas' } },
    },
    jump_basis_points: 2_000,
  },
}
