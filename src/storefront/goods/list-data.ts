import { GOODS_SORTS, type GoodsSort } from '#features/goods/browse/rules.ts'
import { textIn, type Category } from '#features/goods/catalogue/rules.ts'
import { formatCount, formatMoney } from '#platform/i18n/format.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { parseMajor } from '#kernel/money.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import type { PageContext } from '../page.ts'
import type { Crumb } from './crumb.ts'
import {
  canonicalList,
  changedAddress,
  countFilters,
  formTarget,
  listAddress,
  NO_FILTER,
  pageNumbers,
  type ListFamily,
  type ListFilter,
} from './list-address.ts'
import type { GoodsTile } from './tile.ts'

/** A checkbox of the filters. */
export interface FilterOption {
  readonly code: string
  readonly text: string
  readonly count: string
  readonly isOn: boolean
}

/** A list page as it is shown. Paths are without language prefix. */
export interface ListData {
  readonly crumbs: readonly Crumb[]
  readonly title: string
  readonly intro: string
  readonly categories: readonly {
    readonly text: string
    readonly path: string
    readonly isCurrent: boolean
  }[]
  readonly form: {
    readonly action: string
    readonly hidden: readonly (readonly [string, string])[]
  }
  readonly platforms: readonly FilterOption[]
  /** The most frequent ones and, behind `more`, the rest. */
  readonly regions: readonly FilterOption[]
  readonly moreRegions: { readonly text: string; readonly options: readonly FilterOption[] } | null
  /** Null for lists of what has no price of its own. */
  readonly price: { readonly legend: string; readonly min: string; readonly max: string } | null
  readonly inStock: boolean | null
  readonly sort: string
  readonly sorts: readonly { readonly value: string; readonly text: string }[]
  readonly filterCount: string | null
  readonly chips: readonly {
    readonly text: string
    readonly label: string
    readonly path: string
  }[]
  readonly total: string
  readonly tiles: readonly GoodsTile[]
  readonly pages: readonly ({
    readonly text: string
    readonly label: string
    readonly path: string
    readonly isCurrent: boolean
  } | null)[]
  readonly previous: string | null
  readonly next: string | null
  /** Where the filters are cleared. */
  readonly clear: string
  /** The address search engines should keep. */
  readonly canonical: string
  /** Of this page among those of the list. */
  readonly number: number
}

/** How many products of a list carry each platform and lie in each region. */
export interface Facets {
  readonly platforms: ReadonlyMap<string, number>
  readonly regions: ReadonlyMap<string, number>
}

const REGIONS_IN_SIGHT = 5
const SORT_TEXTS: Readonly<Record<GoodsSort, MessageKey>> = {
  popular: 'list.sortPopular',
  new: 'list.sortNew',
  price_asc: 'list.sortPriceAscending',
  price_desc: 'list.sortPriceDescending',
  name: 'list.sortName',
}

/** The platform checkboxes, in the catalogue's order. */
function platformOptions(
  { shop, language }: PageContext,
  filter: ListFilter,
  counts: Facets['platforms'],
): readonly FilterOption[] {
  const options = optionsOf(counts, language.code, () =>
    shop.catalogue.platforms
      .filter(({ code }) => counts.has(code))
      .map(({ code, name }) => option(language.code, code, textIn(name, language.code), counts)),
  )
  return ticked(options, filter.platforms, (code) =>
    option(language.code, code, platformName(shop, language.code, code), counts),
  )
}

/** The region checkboxes, the most frequent first. */
function regionOptions(
  page: PageContext,
  filter: ListFilter,
  counts: Facets['regions'],
): Pick<ListData, 'regions' | 'moreRegions'> {
  const { shop, language, t } = page
  const optionFor = (code: string) =>
    option(language.code, code, regionName(shop, language.code, code), counts)
  const byFrequency = optionsOf(counts, language.code, () =>
    [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0)).map(optionFor),
  )
  const options = ticked(byFrequency, filter.regions, optionFor)
  const rest = options.slice(REGIONS_IN_SIGHT)
  return {
    regions: options.slice(0, REGIONS_IN_SIGHT),
    moreRegions:
      rest.length === 0 ? null : { text: t('list.more', { count: rest.length }), options: rest },
  }
}

const known = new WeakMap<ReadonlyMap<string, number>, Map<LanguageCode, readonly FilterOption[]>>()

/** Checkboxes without ticks, made once for the counts (which live as long as the snapshot) and the language. */
function optionsOf(
  counts: ReadonlyMap<string, number>,
  language: LanguageCode,
  make: () => readonly FilterOption[],
): readonly FilterOption[] {
  let byLanguage = known.get(counts)
  if (!byLanguage) known.set(counts, (byLanguage = new Map()))
  let options = byLanguage.get(language)
  if (!options) byLanguage.set(language, (options = make()))
  return options
}

/** What is chosen is ticked, and shown even where nothing carries it. */
function ticked(
  options: readonly FilterOption[],
  chosen: readonly string[],
  make: (code: string) => FilterOption,
): readonly FilterOption[] {
  if (chosen.length === 0) return options
  const missing = chosen.filter((code) => !options.some((other) => other.code === code)).map(make)
  return [...options, ...missing].map((other) =>
    chosen.includes(other.code) ? { ...other, isOn: true } : other,
  )
}

function option(
  language: LanguageCode,
  code: string,
  text: string,
  counts: ReadonlyMap<string, number>,
): FilterOption {
  return { code, text, count: formatCount(language, counts.get(code) ?? 0), isOn: false }
}

function platformName(shop: ShopSnapshot, language: LanguageCode, code: string): string {
  const platform = shop.catalogue.platforms.find((other) => other.code === code)
  return platform ? textIn(platform.name, language) : code
}

function regionName(shop: ShopSnapshot, language: LanguageCode, code: string): string {
  const region = shop.catalogue.regions.get(code)
  return region ? textIn(region.name, language) : code
}

/** The chips above the filters: all, then each category that holds something. */
export function categoryChips(
  page: PageContext,
  family: ListFamily,
  filter: ListFilter,
  categories: readonly Category[],
): ListData['categories'] {
  if (categories.length === 0) return []
  const { language, t } = page
  return [
    { text: t('list.all'), path: family.hub, isCurrent: filter.categories.length === 0 },
    ...categories.map(({ code, name }) => ({
      text: textIn(name, language.code),
      path: listAddress(family, { ...NO_FILTER, categories: [code] }),
      isCurrent: filter.categories.includes(code),
    })),
  ]
}

/** The filters that are set, each as a link to the list without it. */
function filterChips(page: PageContext, family: ListFamily, filter: ListFilter): ListData['chips'] {
  const { shop, language, t } = page
  const chip = (text: string, change: Partial<ListFilter>) => ({
    text,
    label: t('list.removeFilter', { filter: text }),
    path: changedAddress(family, filter, change),
  })
  return [
    ...filter.platforms.map((code) =>
      chip(platformName(shop, language.code, code), { platforms: without(filter.platforms, code) }),
    ),
    ...filter.regions.map((code) =>
      chip(regionName(shop, language.code, code), { regions: without(filter.regions, code) }),
    ),
    ...(filter.priceMin === null
      ? []
      : [
          chip(t('list.priceFrom', { price: amountText(page, filter.priceMin) }), {
            priceMin: null,
          }),
        ]),
    ...(filter.priceMax === null
      ? []
      : [
          chip(t('list.priceTo', { price: amountText(page, filter.priceMax) }), { priceMax: null }),
        ]),
    ...(filter.inStock ? [chip(t('list.inStock'), { inStock: false })] : []),
  ]
}

function without(codes: readonly string[], code: string): string[] {
  return codes.filter((other) => other !== code)
}

/** An amount of the address, which has been read before, in the shown currency. */
function amountText({ language, currency }: PageContext, major: string): string {
  const digits = major.includes('.') ? currency.minorUnits : 0
  return formatMoney(
    language.code,
    currency.code,
    parseMajor(major, currency.minorUnits) ?? 0n,
    currency.minorUnits,
    digits,
  )
}

export function sortOptions({ t }: PageContext): ListData['sorts'] {
  return GOODS_SORTS.map((sort) => ({
    value: sort === 'popular' ? '' : sort,
    text: t(SORT_TEXTS[sort]),
  }))
}

/** What a list is narrowed and put in order by: the same for goods and games. */
export function listChoices(
  page: PageContext,
  family: ListFamily,
  filter: ListFilter,
  facets: Pick<Facets, 'platforms' | 'regions'>,
) {
  const { currency, t } = page
  return {
    platforms: platformOptions(page, filter, facets.platforms),
    ...regionOptions(page, filter, facets.regions),
    price: {
      legend: t('list.price', { currency: currency.code }),
      min: filter.priceMin ?? '',
      max: filter.priceMax ?? '',
    },
    inStock: filter.inStock,
    sorts: sortOptions(page),
    chips: filterChips(page, family, filter),
  } satisfies Partial<ListData>
}

/** What follows from the filter and the number of pages alone. */
export function listFrame(
  page: PageContext,
  family: ListFamily,
  filter: ListFilter,
  pages: number,
) {
  const { language, t } = page
  const current = Math.min(filter.page, Math.max(pages, 1))
  const pathOf = (number: number) => listAddress(family, { ...filter, page: number })
  const count = countFilters(filter)
  return {
    form: formTarget(family, filter),
    sort: filter.sort ?? '',
    filterCount: count === 0 ? null : formatCount(language.code, count),
    pages:
      pages <= 1
        ? []
        : pageNumbers(current, pages).map((number) =>
            number === null
              ? null
              : {
                  text: formatCount(language.code, number),
                  label: t('list.page', { page: formatCount(language.code, number) }),
                  path: pathOf(number),
                  isCurrent: number === filter.page,
                },
          ),
    previous: filter.page > 1 && pages > 0 ? pathOf(Math.min(filter.page - 1, pages)) : null,
    next: filter.page < pages ? pathOf(filter.page + 1) : null,
    clear: listAddress(family, { ...NO_FILTER, categories: filter.categories }),
    canonical: canonicalList(family, filter),
    number: filter.page,
  } satisfies Partial<ListData>
}
