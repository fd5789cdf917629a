/** The tabs of the page, each an address of its own. */
export const PRICE_VIEWS = ['rules', 'rates', 'rounding', 'levels', 'own'] as const
export type PriceViewName = (typeof PRICE_VIEWS)[number]

export const isPriceView = (name: string | null): name is PriceViewName =>
  PRICE_VIEWS.some((known) => known === name)
