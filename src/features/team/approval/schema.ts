import { z } from 'zod'
import type { Setting } from '#features/base/setting/rules.ts'
import { SECOND_PERSON_UNITS, type ShopLimit, type Threshold } from './rules.ts'

const minor = z
  .int()
  .min(0)
  .max(10 ** 15)

const threshold: z.ZodType<Threshold> = z.union([
  z
    .strictObject({ minor, currency: z.string().regex(/^[A-Z]{3}$/) })
    .transform((said) => ({ minor: BigInt(said.minor), currency: said.currency })),
  // US cents, as it was first documented; text as well.
  z
    .union([minor, z.string().regex(/^\d{1,13}$/)])
    .transform((cents) => ({ minor: BigInt(cents), currency: 'USD' })),
])

export const secondPersonSetting: Setting<Threshold> = {
  key: 'refund_second_person_minor',
  summary:
    'Amount above which what is given to one shopper within a day (refunds, store credit) needs a second person, whatever the role; a number alone is US cents.',
  schema: threshold,
  fallback: { units: SECOND_PERSON_UNITS.given },
  isTold: true,
  example: { minor: 5_000, currency: 'EUR' },
}

export const notedSecondPersonSetting: Setting<Threshold> = {
  key: 'note_second_person_minor',
  summary:
    'Amount above which money noted by hand (bank lines, unmatched payments, differences), orders let go and deliveries by hand need a second person, whatever the role; a number alone is US cents.',
  schema: threshold,
  fallback: { units: SECOND_PERSON_UNITS.noted },
  isTold: true,
  example: { minor: 100_000, currency: 'EUR' },
}

export const importedSecondPersonSetting: Setting<Threshold> = {
  key: 'import_second_person_minor',
  summary:
    'Amount above which card keys that one operator takes in within a day need a second person, at their cost (half of the price of their item at least), else at that price; a number alone is US cents.',
  schema: threshold,
  fallback: { units: SECOND_PERSON_UNITS.imported },
  isTold: true,
  example: { minor: 500_000, currency: 'EUR' },
}

export const SECOND_PERSON_SETTINGS: Readonly<Record<ShopLimit, Setting<Threshold>>> = {
  given: secondPersonSetting,
  noted: notedSecondPersonSetting,
  imported: importedSecondPersonSetting,
}
