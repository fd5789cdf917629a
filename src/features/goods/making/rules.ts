import type { Addition, AdditionFault } from '#features/goods/transfer/rules.ts'

export type { Addition, AdditionFault }

/** New items of one act by hand, and of one turn of a file. */
export const MADE_MOST = 1_000

/** What would be made, told before it is. */
export interface MadeEffect {
  /** Of all that would be written: what is made is what was seen. Empty where something is at fault. */
  readonly hash: string
  readonly brands: readonly NamedGoods[]
  readonly products: readonly NamedGoods[]
  readonly items: readonly NamedGoods[]
  readonly faults: readonly AdditionFault[]
}

export interface NamedGoods {
  readonly code: string
  readonly name: string
}

type Part = Readonly<Record<string, unknown>>

const partsOf = (value: unknown): readonly Part[] =>
  Array.isArray(value) ? (value as readonly Part[]) : []

/**
 * New goods as they are to be: on sale, or drafts, which are off sale until somebody puts them on. Of a brand or product that the shop has
 * already, what is new in it.
 */
export function standingOf(additions: readonly Addition[], isOnSale: boolean): readonly Addition[] {
  if (isOnSale) return additions
  const off = { status: 'suspended' }
  return additions.map((brand) => ({
    ...brand,
    ...(brand['kind'] === undefined ? {} : off),
    ...(brand['products'] === undefined
      ? {}
      : {
          products: partsOf(brand['products']).map((product) =>
            product['region'] === undefined
              ? {
                  ...product,
                  items: partsOf(product['items']).map((item) => ({ ...off, ...item })),
                }
              : { ...off, ...product },
          ),
        }),
  }))
}
