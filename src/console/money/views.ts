/** What the page of the shop's money shows, one at a time. */
export const MONEY_VIEWS = [
  'providers',
  'methods',
  'bank',
  'unmatched',
  'differences',
  'tax',
  'ledger',
] as const
export type MoneyViewName = (typeof MONEY_VIEWS)[number]

export const isMoneyView = (name: string | null): name is MoneyViewName =>
  MONEY_VIEWS.some((view) => view === name)
