import type { TrialEffect } from '#features/goods/price/engine/trial.ts'
import type { Reach } from '#features/goods/price-limit/rules.ts'
import type { PriceChange } from './schema.ts'

/** What has become of a rate that was typed or accepted. */
export type RateState = 'in_force' | 'held' | 'not_chosen'

/** What a change would do, and whether its asker may do it alone. */
export interface TriedChange {
  readonly effect: TrialEffect
  /** How far prices would be from where they were without what the asker did within seven days. */
  readonly reach: Reach
  /** Hundredths of a percent; null for no limit. */
  readonly limit: number | null
  readonly needsAnother: boolean
  /** Of a rate. */
  readonly rate: RateState | null
  /** Binds what was tried to what is made. */
  readonly seen: string
}

export interface MadeChange {
  /** Public id of the act that waits for another person; null where it is done. */
  readonly waits: string | null
  /** What takes it back; null where it waits, or nothing does. */
  readonly undo: PriceChange | null
  readonly rate: RateState | null
  /** Of the rule that was made. */
  readonly rule: string | null
}
