import { z } from 'zod'
import type { Setting } from '#features/base/setting/rules.ts'

/** What becomes of what a supplier takes back after it was delivered. */
export interface TakenBackRule {
  /** Its buyer's money goes back by itself; else a person decides with them. */
  readonly refund: boolean
}

export const takenBackSetting: Setting<TakenBackRule> = {
  key: 'taken_back',
  summary:
    'Whether what a supplier takes back of an account that was credited goes back to its buyer by itself. Codes are a person’s matter always: they may have been used.',
  schema: z.strictObject({ refund: z.boolean().default(false) }),
  fallback: { refund: false },
  example: { refund: true },
}
