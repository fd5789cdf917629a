import type { OrderFilters } from '#features/buying/order/queries.ts'
import { HOLDS, type Hold } from '#features/buying/order/rules.ts'
import { isDay } from '#kernel/day.ts'
import { FILTER_NAMES, type FilterName, type FilterValues } from './filter-names.ts'

const VALUE_MAX = 100
const AMOUNT = /^\d{1,15}(?:\.\d{1,8})?$/

/** What of an address is a filter; anything else is none. */
export function readFilters(query: URLSearchParams): FilterValues {
  const values: Partial<Record<FilterName, string>> = {}
  for (const name of FILTER_NAMES) {
    const value = query.get(name)?.trim() ?? ''
    if (value !== '' && value.length <= VALUE_MAX) values[name] = value
  }
  return values
}

/** The same as the list is asked by. A day is the whole of it, in universal time. `digits` of a currency's smallest unit. */
export function filtersOf(
  values: FilterValues,
  digits: (currency: string) => number | undefined,
): OrderFilters {
  const { hold, currency, least, most, since, until, provider, method, supplier } = values
  const places = currency === undefined ? undefined : digits(currency)
  const minor = (amount: string | undefined) =>
    amount === undefined || places === undefined || !AMOUNT.test(amount)
      ? undefined
      : minorOf(amount, places)
  const day = (text: string | undefined, days: number) =>
    isDay(text) ? new Date(Date.parse(text) + days * 86_400_000) : undefined
  const known = HOLDS.find((one): one is Hold => one === hold)
  const set = {
    hold: known,
    provider,
    method,
    supplier,
    product: values.product,
    country: values.country?.toUpperCase(),
    currency,
    least: minor(least),
    most: minor(most),
    since: day(since, 0),
    until: day(until, 1),
    hasCase: values.case === '1' ? true : undefined,
  }
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined))
}

function minorOf(amount: string, places: number): bigint {
  const [whole = '0', part = ''] = amount.split('.')
  return BigInt(whole + part.slice(0, places).padEnd(places, '0'))
}
