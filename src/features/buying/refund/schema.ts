import { z } from 'zod'
import type { Setting } from '#features/base/setting/rules.ts'
import { SECOND_PERSON_MINOR } from './rules.ts'

export const secondPersonSetting: Setting<bigint> = {
  key: 'refund_second_person_minor',
  summary: 'US cents above which a refund needs a second person, whatever the role.',
  // Text as well, as it was first documented.
  schema: z
    .union([
      z
        .int()
        .min(0)
        .max(10 ** 12),
      z.string().regex(/^\d{1,13}$/),
    ])
    .transform(BigInt),
  fallback: SECOND_PERSON_MINOR,
  example: 5_000,
}
