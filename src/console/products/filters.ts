import type { GoodsFilter } from '#features/goods/editing/queries.ts'

/** Filters that are said in words or chosen, by their name in an address. */
export const FILTER_TEXTS = ['brand', 'region', 'supplier'] as const
export const FILTER_FLAGS = ['without_cost', 'below_floor', 'locked', 'changed'] as const
export const FILTER_KINDS = [
  'top_up',
  'game_card',
  'gift_card',
  'prepaid_card',
  'subscription',
  'recharge',
  'game_key',
] as const
export const FILTER_STATUS = ['active', 'suspended'] as const
export const FILTER_STOCK = ['in', 'out', 'to_order'] as const
export const FILTER_NAMES = [
  'find',
  ...FILTER_TEXTS,
  'product',
  'kind',
  'status',
  'stock',
  ...FILTER_FLAGS,
] as const
export type FilterName = (typeof FILTER_NAMES)[number]
export type FilterValues = Readonly<Partial<Record<FilterName, string>>>

const VALUE_MAX = 160

const oneOf = <T extends string>(list: readonly T[], value: string | undefined): T | undefined =>
  list.find((one) => one === value)

/** What of an address is a filter; anything else is none. */
export function readFilters(query: URLSearchParams): FilterValues {
  const values: Partial<Record<FilterName, string>> = {}
  const lists: Partial<Record<FilterName, readonly string[]>> = {
    kind: FILTER_KINDS,
    status: FILTER_STATUS,
    stock: FILTER_STOCK,
    ...Object.fromEntries(FILTER_FLAGS.map((name) => [name, ['1']])),
  }
  for (const name of FILTER_NAMES) {
    const value = query.get(name)?.trim() ?? ''
    const list = lists[name]
    if (value !== '' && value.length <= VALUE_MAX && (!list || list.includes(value)))
      values[name] = value
  }
  return values
}

/** The same as the list is asked by. */
export function filterOf(values: FilterValues): GoodsFilter {
  const { without_cost: cost, below_floor: floor, locked, changed, ...rest } = values
  const all = {
    ...rest,
    status: oneOf(FILTER_STATUS, rest.status),
    stock: oneOf(FILTER_STOCK, rest.stock),
    withoutCost: cost && true,
    belowFloor: floor && true,
    locked: locked && true,
    changed: changed && true,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** The same as calls take it in their body. */
export function filterBody(values: FilterValues): Readonly<Record<string, string | true>> {
  const isFlag = (name: string) => (FILTER_FLAGS as readonly string[]).includes(name)
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isFlag(name) ? true : value]),
  )
}

/** Lists that are looked at again and again, by the filters that make them. */
export const VIEWS = {
  all: {},
  on: { status: 'active' },
  off: { status: 'suspended' },
  soldOut: { stock: 'out', status: 'active' },
  belowFloor: { below_floor: '1' },
  withoutCost: { without_cost: '1' },
  locked: { locked: '1' },
  changed: { changed: '1' },
} as const satisfies Readonly<Record<string, FilterValues>>
/** What views and the filters of the same name are called. */
export const VIEW_TEXTS = {
  all: 'console.products.all',
  on: 'console.products.on',
  off: 'console.products.off',
  soldOut: 'console.products.soldOut',
  belowFloor: 'console.products.belowFloor',
  withoutCost: 'console.products.withoutCost',
  locked: 'console.products.isLocked',
  changed: 'console.products.changed',
} as const satisfies Readonly<Record<keyof typeof VIEWS, string>>
/** What filters are called. */
export const FILTER_TEXTS_OF = {
  find: 'console.products.find',
  brand: 'console.home.by.brand',
  region: 'console.products.region',
  supplier: 'console.home.by.supplier',
  product: 'console.tax.product',
  kind: 'console.products.kind',
  status: 'console.orders.state',
  stock: 'console.products.stock',
  without_cost: 'console.products.withoutCost',
  below_floor: 'console.products.belowFloor',
  locked: 'console.products.isLocked',
  changed: 'console.products.changed',
} as const satisfies Readonly<Record<FilterName, string>>
export type ViewName = keyof typeof VIEWS
export const VIEW_NAMES = Object.keys(VIEWS) as ViewName[]

/** The view that an address shows; null for one of one's own. */
export function viewOf(values: FilterValues): ViewName | null {
  const text = (one: FilterValues) =>
    Object.entries(one)
      .map(([name, value]) => `${name}=${value}`)
      .toSorted()
      .join('&')
  return VIEW_NAMES.find((name) => text(VIEWS[name]) === text(values)) ?? null
}
