import type { ItemChoice } from './choices.ts'

/** Units of an item delivered lately, by its id. */
type RecentSales = ReadonlyMap<string, number>

/** Fewer than these say nothing about what people want. */
const TELLING_SALES = 10

export interface FirstChoice {
  /** Code of the item chosen from the start; null when all are sold out. */
  readonly chosen: string | null
  /** Code of the one most people took lately; null while too few were sold to say so. */
  readonly popular: string | null
}

/**
 * What is chosen before anybody has chosen: the item that the address asks for, else the one sold most lately, else one in the
 * middle of the plain amounts, the smaller of two. Only what is on sale.
 * @param idOf id of an item by its code
 */
export function firstChoice(
  items: readonly ItemChoice[],
  asked: string | null,
  idOf: (code: string) => string | undefined,
  sales: RecentSales,
): FirstChoice {
  const onSale = items.filter((item) => item.unavailable === null)
  const popular = mostSold(onSale, (code) => sales.get(idOf(code) ?? '') ?? 0)
  const named = onSale.find((item) => item.code === asked)
  return {
    chosen: (named ?? popular ?? middleOf(onSale))?.code ?? null,
    popular: popular?.code ?? null,
  }
}

/** One of several; with a single item there is nothing to prefer. */
function mostSold(
  items: readonly ItemChoice[],
  soldOf: (code: string) => number,
): ItemChoice | null {
  if (items.length < 2) return null
  let best: { readonly item: ItemChoice; readonly sold: number } | null = null
  for (const item of items) {
    const sold = soldOf(item.code)
    if (sold >= TELLING_SALES && sold > (best?.sold ?? 0)) best = { item, sold }
  }
  return best?.item ?? null
}

/** Passes and bundles stand beside the amounts: they are no middle of them, unless there is nothing else. */
function middleOf(items: readonly ItemChoice[]): ItemChoice | null {
  const plain = items.filter((item) => !item.isWide)
  const among = plain.length > 0 ? plain : items
  return among[Math.floor((among.length - 1) / 2)] ?? null
}
