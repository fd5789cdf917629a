import { keepInTab, readInTab } from '../state/store.ts'

/** A plan that was chosen on another page of this tab: it is taken up once its operator's page is alive. */
export interface SavedChoice {
  readonly item: string
  /** As it is typed. */
  readonly amount: string | null
}

const KEY = 'recharge again'

export function keepChoice(choice: SavedChoice): void {
  keepInTab(KEY, choice)
}

export function takeChoice(): SavedChoice | null {
  const kept = readInTab(KEY) as Partial<SavedChoice> | null
  keepInTab(KEY, null)
  if (typeof kept?.item !== 'string') return null
  return { item: kept.item, amount: typeof kept.amount === 'string' ? kept.amount : null }
}
