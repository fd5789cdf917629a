import { goodsItem } from '#features/goods/browse/view/detail.ts'
import { textIn, type Product } from '#features/goods/catalogue/rules.ts'
import { operatorsByCountry } from '#features/goods/recharge/queries.ts'
import { RECHARGE_LISTS, type RechargeList } from '#features/goods/recharge/rules.ts'
import type { PhoneRules } from '#features/goods/region/rules.ts'
import type { Crumb } from '../goods/crumb.ts'
import { pictureAddress } from '../goods/picture.ts'
import { breadcrumbNode, graphOf, itemListNode } from '../goods/structured-data.ts'
import { viewOf } from '../goods/tile.ts'
import { PageNotFound, type PageContext, type PageMeta } from '../page.ts'

const POPULAR = 12

export interface RechargePlan {
  /** Code of the item, what the cart names. */
  readonly item: string
  readonly kind: 'airtime' | 'data'
  readonly label: string
  readonly price: string | null
  readonly inStock: boolean
}

export interface RechargeOperator {
  readonly code: string
  readonly name: string
  /** Its mark, a small square. */
  readonly image: string
  readonly prefixes: readonly string[]
  readonly path: string
  readonly hasData: boolean
}

export interface RechargeCountry {
  readonly code: string
  readonly name: string
  readonly phone: PhoneRules
  readonly operators: readonly RechargeOperator[]
}

export interface RechargeData {
  readonly title: string
  readonly crumbs: readonly Crumb[]
  readonly list: RechargeList
  readonly countries: readonly {
    readonly code: string
    readonly name: string
    readonly dialCode: string
  }[]
  readonly country: RechargeCountry | null
  /** The chosen operator's, of the shown list. */
  readonly operator:
    | (RechargeOperator & { readonly plans: readonly RechargePlan[]; readonly isPortable: boolean })
    | null
  /** Address of each list for the same country and operator. */
  readonly lists: readonly {
    readonly list: RechargeList
    readonly path: string
    readonly current?: true
  }[]
  /** While no country is chosen. */
  readonly popular: readonly PopularOperator[]
}

export interface PopularOperator {
  readonly code: string
  readonly name: string
  readonly image: string
  readonly path: string
  readonly country: string
}

/** `/mobile-recharge/{rechargeList?}?country=&operator=`. What a query does not know is left out. */
export function load(page: PageContext): RechargeData {
  const { shop, language, params, query, t } = page
  const named = params['rechargeList']
  const list = named === undefined ? 'airtime' : RECHARGE_LISTS.find((entry) => entry === named)
  if (!list) throw new PageNotFound()
  const byCountry = operatorsByCountry(shop)
  const product =
    [...byCountry.values()].flat().find((entry) => entry.code === query.get('operator')) ?? null
  const country = countryOf(
    page,
    product?.brand.recharge?.country ?? query.get('country') ?? '',
    list,
  )
  const operator = product && country ? operatorView(page, product, list) : null
  const title = operator
    ? t('recharge.titleOperator', { operator: operator.name })
    : country
      ? t('recharge.titleCountry', { country: country.name })
      : t('recharge.title')
  const byName = new Intl.Collator(language.intl)
  return {
    title,
    crumbs: crumbsOf(page, country, operator?.name ?? null, list),
    list,
    countries: [...byCountry.keys()]
      .flatMap((code) => shop.countryByCode.get(code) ?? [])
      .map((entry) => ({
        code: entry.code,
        name: textIn(entry.name, language.code),
        dialCode: entry.dialCode ?? '',
      }))
      .sort((a, b) => byName.compare(a.name, b.name)),
    country,
    operator:
      product && operator
        ? {
            ...operator,
            plans: plansOf(page, product, list),
            isPortable: product.brand.recharge?.portability ?? false,
          }
        : null,
    lists: listsOf(country, operator, list),
    popular: country
      ? []
      : popularOperators(byCountry).map((entry) => {
          const { code, name, image, path } = operatorView(page, entry, list)
          return { code, name, image, path, country: textIn(entry.region.name, language.code) }
        }),
  }
}

function countryOf(page: PageContext, code: string, list: RechargeList): RechargeCountry | null {
  const country = page.shop.countryByCode.get(code)
  const products = operatorsByCountry(page.shop).get(code)
  if (!country?.phone || !products) return null
  const shown = products.filter((product) => list === 'airtime' || hasData(product))
  return {
    code,
    name: textIn(country.name, page.language.code),
    phone: country.phone,
    operators: shown.map((product) => operatorView(page, product, list)),
  }
}

function operatorView(
  { shop, language }: PageContext,
  product: Product,
  list: RechargeList,
): RechargeOperator {
  const { brand } = product
  return {
    code: product.code,
    name: textIn(brand.name, language.code),
    image: pictureAddress({ shop, language }, 'goods_thumb_1_1', product.picture ?? brand.picture, {
      isSmall: true,
    }),
    prefixes: brand.recharge?.prefixes ?? [],
    path: listPath(list, brand.recharge?.country ?? '', product.code),
    hasData: hasData(product),
  }
}

function hasData(product: Product): boolean {
  return product.items.some((item) => item.kind === 'data')
}

function plansOf(page: PageContext, product: Product, list: RechargeList): RechargePlan[] {
  const kind = list === 'airtime' ? 'airtime' : 'data'
  return product.items
    .filter((item) => (item.kind === 'data') === (kind === 'data'))
    .map((item) => {
      const { code, label, price, in_stock: inStock } = goodsItem(viewOf(page), product, item)
      return { item: code, kind, label, price: price?.text ?? null, inStock }
    })
}

function listsOf(
  country: RechargeCountry | null,
  operator: RechargeOperator | null,
  current: RechargeList,
): RechargeData['lists'] {
  return RECHARGE_LISTS.map((list) => ({
    list,
    // An operator without data packets leads to those of its country that have some.
    path: listPath(
      list,
      country?.code ?? null,
      operator && (list === 'airtime' || operator.hasData) ? operator.code : null,
    ),
    ...(list === current ? { current: true as const } : {}),
  }))
}

/** The best known operator of each of the countries that recharge most. */
function popularOperators(byCountry: ReadonlyMap<string, readonly Product[]>): Product[] {
  return [...byCountry.values()]
    .flatMap((products) => products[0] ?? [])
    .sort((a, b) => b.brand.popularity - a.brand.popularity || a.index - b.index)
    .slice(0, POPULAR)
}

function listPath(list: RechargeList, country: string | null, operator: string | null): string {
  const query = new URLSearchParams()
  if (country !== null) query.set('country', country)
  if (operator !== null) query.set('operator', operator)
  const text = query.toString()
  return text === '' ? `/mobile-recharge/${list}` : `/mobile-recharge/${list}?${text}`
}

function crumbsOf(
  { t }: PageContext,
  country: RechargeCountry | null,
  operator: string | null,
  list: RechargeList,
): Crumb[] {
  const hub = t('api.footerRecharge')
  if (!country) return [{ text: hub }]
  if (operator === null) return [{ text: hub, path: '/mobile-recharge' }, { text: country.name }]
  return [
    { text: hub, path: '/mobile-recharge' },
    { text: country.name, path: listPath(list, country.code, null) },
    { text: operator },
  ]
}

export function meta(data: RechargeData, page: PageContext): PageMeta {
  const { country, operator, list } = data
  const isHub = list === 'airtime' && !country
  const title =
    list === 'airtime' ? data.title : page.t('recharge.titleData', { title: data.title })
  return {
    title,
    description: page.t('list.description', {
      title,
      intro:
        operator && country
          ? page.t('recharge.leadOperator', { operator: operator.name, country: country.name })
          : page.t('recharge.lead', { count: data.countries.length }),
    }),
    canonical: isHub
      ? '/mobile-recharge'
      : listPath(list, country?.code ?? null, operator?.code ?? null),
    structuredData: graphOf(
      breadcrumbNode(page, data.crumbs),
      itemListNode(
        page,
        (country?.operators ?? data.popular).map((entry) => entry.path),
      ),
    ),
  }
}
