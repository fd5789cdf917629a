import { keepInTab, readInTab } from '../state/store.ts'

/** A plan that was chosen on another page of this tab: it is taken up once its operator's page is alive. */
export interface SavedChoice {
  readonly item: string
  /** As it is typed. */
  readonly amount: string | null
}

const KEY = 'recharge again'

/** The page that is being left may find out the operator of the number before the next one is there: the choice is not for it. */
let isLeaving = false

export function keepChoice(choice: SavedChoice): void {
  isLeaving = true
  keepInTab(KEY, choice)
}

export function takeChoice(): SavedChoice | null {
  if (isLeaving) return null
  const kept = readInTab(KEY) as Partial<SavedChoice> | null
  keepInTab(KEY, null)
  if (typeof kept?.item !== 'string') return null
  return { item: kept.item, amount: typeof kept.amount === 'string' ? kept.amount : null }
}
