import { textIn, type Product } from '#features/goods/catalogue/rules.ts'
import { findProduct } from '#features/goods/browse/queries.ts'
import { operatorsByCountry } from '#features/goods/recharge/queries.ts'
import { PHONE_FIELD, RECHARGE_LISTS, type RechargeList } from '#features/goods/recharge/rules.ts'
import { rechargeCountries, rechargePlan } from '#features/goods/browse/view/recharge.ts'
import type { Crumb } from '../goods/crumb.ts'
import { pictureAddress } from '../goods/picture.ts'
import { breadcrumbNode, graphOf, itemListNode } from '../goods/structured-data.ts'
import { viewOf } from '../goods/tile.ts'
import type { Outcome } from '../forms/form.ts'
import { ACCOUNT_FIELD } from '../forms/goods-fields.ts'
import { PageNotFound, type PageContext, type PageMeta, type PersonalPageContext } from '../page.ts'
import { AMOUNT, COUNTRY, ITEM, NUMBER } from './fields.ts'

const POPULAR = 12

export interface RechargePlan {
  /** Code of the item, what the cart names. */
  readonly item: string
  readonly kind: 'airtime' | 'data'
  readonly label: string
  /** What the phone receives; null for data packs. */
  readonly value: string | null
  readonly price: string | null
  readonly inStock: boolean
  /** Not sold for the moment, rather than sold out. */
  readonly isStopped: boolean
  /** Sold at any amount. */
  readonly amount: RechargeAmount | null
}

/** Amounts that are sold: minor units as texts, and as people read them. */
export interface RechargeAmount {
  readonly currency: string
  /** After the point. */
  readonly digits: number
  readonly min: { readonly minor: string; readonly text: string }
  readonly max: { readonly minor: string; readonly text: string }
  readonly step: { readonly minor: string; readonly text: string }
}

export interface RechargeOperator {
  readonly code: string
  readonly name: string
  /** Its mark, a small square. */
  readonly image: string
  readonly path: string
  readonly hasData: boolean
}

export interface RechargeCountry {
  readonly code: string
  readonly name: string
  /** A number as it is typed there. */
  readonly example: string
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
  /** Where a form goes to without script. */
  readonly form: string
  /** What was posted without script, and what is wrong with it; null on the page that is the same for everyone. */
  readonly posted: PostedRecharge | null
}

export interface PostedRecharge {
  readonly number: string
  readonly item: string
  readonly amount: string
  /** Where the operator shown is known from. */
  readonly source: 'prefix' | 'supplier' | null
  readonly faults: {
    readonly number?: string | undefined
    readonly amount?: string | undefined
    readonly plan?: string | undefined
  }
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
  const outcome = 'outcome' in page ? (page as PersonalPageContext).outcome : null
  const named = params['rechargeList'] ?? query.get('list') ?? undefined
  const list = named === undefined ? 'airtime' : RECHARGE_LISTS.find((entry) => entry === named)
  if (!list) throw new PageNotFound()
  const byCountry = operatorsByCountry(shop)
  const askedOperator = findProduct(shop, query.get('operator') ?? '')?.code
  const product =
    [...byCountry.values()]
      .flat()
      .find((entry) => entry.code === (detectedIn(outcome)?.operator?.code ?? askedOperator)) ??
    null
  const country = countryOf(page, countryAsked(page, outcome, product), list)
  const operator = product && country ? operatorView(page, product, list) : null
  const title = operator
    ? t('recharge.titleOperator', { operator: operator.name })
    : country
      ? t('recharge.titleCountry', { country: country.name })
      : t('recharge.title')
  return {
    title,
    crumbs: crumbsOf(page, country, operator?.name ?? null, list),
    list,
    countries: rechargeCountries({ shop, language: language.code }).map(
      ({ code, name, dial_code: dialCode }) => ({ code, name, dialCode }),
    ),
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
    form: formPath(list, country?.code ?? null, operator?.code ?? null),
    posted: outcome && postedOf(outcome),
    popular: country
      ? []
      : popularOperators(byCountry).map((entry) => {
          const { code, name, image, path } = operatorView(page, entry, list)
          return { code, name, image, path, country: textIn(entry.region.name, language.code) }
        }),
  }
}

interface DetectedIn {
  readonly operator: { readonly code: string } | null
  readonly country: { readonly code: string }
  readonly source: 'prefix' | 'supplier' | null
}

/** What was found out about the number that a form held. */
function detectedIn(outcome: Outcome | null): DetectedIn | null {
  return outcome?.form === 'detect' && outcome.isDone ? (outcome.data as DetectedIn) : null
}

function countryAsked(
  { query }: PageContext,
  outcome: Outcome | null,
  product: Product | null,
): string {
  const asked = detectedIn(outcome)?.country.code ?? outcome?.values[COUNTRY]
  return product?.brand.recharge?.country ?? (asked || (query.get('country') ?? ''))
}

function isCountryAlone({ form, values }: Outcome): boolean {
  return form === 'detect' && (values[NUMBER] ?? '').trim() === '' && values[COUNTRY] !== ''
}

/** What was typed stays, and what is wrong with it is said at it. */
function postedOf(outcome: Outcome): PostedRecharge {
  const { values, faults, message } = outcome
  const fault = (name: string) =>
    Object.entries(faults).find(([at]) => at === name || at.endsWith(`.${name}`))?.[1]
  return {
    number: values[ACCOUNT_FIELD + PHONE_FIELD] ?? values[NUMBER] ?? '',
    item: values[ITEM] ?? '',
    amount: values[AMOUNT] ?? '',
    source: detectedIn(outcome)?.source ?? null,
    faults: {
      // Who names a country alone asks for its operators.
      number: isCountryAlone(outcome) ? undefined : (fault(PHONE_FIELD) ?? fault(NUMBER)),
      amount: fault(AMOUNT),
      plan: fault(ITEM) ?? message ?? undefined,
    },
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
    example: country.phone.mobileExample,
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
      const plan = rechargePlan(viewOf(page), product, item)
      return {
        item: plan.item,
        kind,
        label: plan.label,
        value: plan.amount ? null : (plan.value?.text ?? null),
        price: plan.price?.text ?? null,
        inStock: plan.in_stock,
        isStopped: plan.is_stopped === true,
        amount: plan.amount && {
          currency: plan.amount.min.currency,
          digits: page.shop.currencyByCode.get(plan.amount.min.currency)?.minorUnits ?? 0,
          min: plan.amount.min,
          max: plan.amount.max,
          step: plan.amount.step,
        },
      }
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

function formPath(list: RechargeList, country: string | null, operator: string | null): string {
  const query = new URLSearchParams({ list })
  if (country !== null) query.set('country', country)
  if (operator !== null) query.set('operator', operator)
  return `/recharge?${query.toString()}`
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
    ...(page.path === '/recharge' ? { noIndex: true } : {}),
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
