import type { Journal } from './journal.ts'
import type { FaultShop } from './shop.ts'

/** Where a scene plays. */
export interface Stage {
  readonly shop: FaultShop
  readonly journal: Journal
  readonly seed: number
  readonly items: readonly string[]
  readonly say: (line: string) => void
}

/** Where a scene plays that starts the shop itself: on the data directory of one that has stopped. */
export type HomeStage = Omit<Stage, 'shop'> & { readonly home: string }
