import { z } from 'zod'
import type { Setting } from '#features/base/setting/rules.ts'
import { SECOND_PERSON_MINOR, type ShopLimit } from './rules.ts'

const cents = z
  // Text as well, as it was first documented.
  .union([
    z
      .int()
      .min(0)
      .max(10 ** 12),
    z.string().regex(/^\d{1,13}$/),
  ])
  .transform(BigInt)

export const secondPersonSetting: Setting<bigint> = {
  key: 'refund_second_person_minor',
  summary:
    'US cents above which what is given to one shopper within a day (refunds, store credit) needs a second person, whatever the role.',
  schema: cents,
  fallback: SECOND_PERSON_MINOR.given,
  isTold: true,
  example: 5_000,
}

export const notedSecondPersonSetting: Setting<bigint> = {
  key: 'note_second_person_minor',
  summary:
    'US cents above which money noted by hand (bank lines, unmatched payments, differences), orders let go and deliveries by hand need a second person, whatever the role.',
  schema: cents,
  fallback: SECOND_PERSON_MINOR.noted,
  isTold: true,
  example: 100_000,
}

export const importedSecondPersonSetting: Setting<bigint> = {
  key: 'import_second_person_minor',
  summary:
    'US cents above which card keys that one operator takes in within a day need a second person, at their cost (half of the price of their item at least), else at that price.',
  schema: cents,
  fallback: SECOND_PERSON_MINOR.imported,
  isTold: true,
  example: 500_000,
}

export const SECOND_PERSON_SETTINGS: Readonly<Record<ShopLimit, Setting<bigint>>> = {
  given: secondPersonSetting,
  noted: notedSecondPersonSetting,
  imported: importedSecondPersonSetting,
}
