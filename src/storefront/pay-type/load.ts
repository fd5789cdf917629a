import { countryView } from '#features/goods/browse/views.ts'
import { moneyView } from '#features/buying/order/views.ts'
import { isOffered } from '#features/goods/currency/rules.ts'
import {
  limitsIn,
  methodsOf,
  type MethodIcon,
  type PayMethod,
} from '#features/goods/pay-method/rules.ts'
import { methodText } from '#features/goods/pay-method/views.ts'
import { formatBasisPoints, formatList } from '#platform/i18n/format.ts'
import type { Crumb } from '../goods/crumb.ts'
import { breadcrumbNode, graphOf } from '../goods/structured-data.ts'
import type { PageContext, PageMeta } from '../page.ts'

export interface PayTypeData {
  readonly title: string
  readonly crumbs: readonly Crumb[]
  readonly methods: readonly MethodGuide[]
}

export interface MethodGuide {
  readonly code: string
  readonly name: string
  readonly text: string
  readonly icon: MethodIcon
  readonly rows: readonly { readonly label: string; readonly value: string }[]
  readonly note: string | null
}

/** Every way to pay that the shop offers: what it is, where it works, what it costs and how money comes back. */
export function load(page: PageContext): PayTypeData {
  const title = page.t('api.footerPayTypes')
  return {
    title,
    crumbs: [{ text: title }],
    methods: methodsOf(page.shop.payMethods, page.payProviders).map((method) =>
      guideOf(page, method),
    ),
  }
}

export function meta(data: PayTypeData, page: PageContext): PageMeta {
  return {
    title: data.title,
    description: page.t('cashier.guideText'),
    structuredData: graphOf(breadcrumbNode(page, data.crumbs)),
  }
}

function guideOf(page: PageContext, method: PayMethod): MethodGuide {
  const { t } = page
  return {
    code: method.code,
    name: methodText(method.name, t),
    text: methodText(method.text, t),
    icon: method.icon,
    rows: [
      { label: t('cashier.guideFee'), value: feeText(page, method) },
      { label: t('cashier.guideLimits'), value: limitsText(page, method) },
      { label: t('cashier.guideRefund'), value: methodText(method.refundText, t) },
      { label: t('cashier.guideWhere'), value: placesText(page, method) },
    ],
    note: method.notFor.includes('store_credit') ? t('cashier.guideNotCredit') : null,
  }
}

function feeText({ t, language, shop }: PageContext, { fee }: PayMethod): string {
  const share = fee.basisPoints === 0 ? null : formatBasisPoints(language.code, fee.basisPoints)
  // In its own currency, as it is set: each order converts it by the rate of its moment.
  const fixed =
    fee.minor === 0n || !shop.currencyByCode.has(fee.currency)
      ? null
      : moneyView({ shop, language: language.code }, fee.currency, fee.minor).text
  if (share === null) return fixed ?? t('cashier.noFee')
  return fixed === null
    ? t('cashier.guideFeeShare', { percent: share })
    : t('cashier.guideFeeBoth', { percent: share, amount: fixed })
}

/** In the visitor's currency; where it cannot be paid with the method, in US dollars. */
function limitsText(
  { t, shop, language, currency, payProviders }: PageContext,
  method: PayMethod,
): string {
  const provider = payProviders.get(method.provider)
  const shown =
    takes(method, currency.code) && provider?.limits(currency.code)
      ? currency
      : (shop.currencyByCode.get('USD') ?? currency)
  const { least, most } = limitsIn(
    method,
    shown,
    shop.currencyByCode,
    provider?.limits(shown.code) ?? null,
  )
  // A least of one unit, or a most beyond any cart, is none.
  const min =
    least === null || least <= 1n
      ? null
      : moneyView({ shop, language: language.code }, shown.code, least).text
  const max =
    most === null || most > BEYOND_ANY_CART * 10n ** BigInt(shown.minorUnits)
      ? null
      : moneyView({ shop, language: language.code }, shown.code, most).text
  if (min === null) return max === null ? t('cashier.guideAny') : t('cashier.guideUpTo', { max })
  return max === null ? t('cashier.guideFrom', { min }) : t('cashier.guideBetween', { min, max })
}

const BEYOND_ANY_CART = 100_000_000n

function takes({ currencies }: PayMethod, code: string): boolean {
  return currencies === null || currencies.includes(code)
}

function placesText(
  { t, shop, language, currency, payProviders }: PageContext,
  method: PayMethod,
): string {
  const { countries } = method
  const view = { shop, language: language.code, currency, t }
  const sold = shop.currencies.filter(isOffered)
  const taken = sold.filter(
    ({ code }) => takes(method, code) && payProviders.get(method.provider)?.limits(code),
  )
  const places =
    countries === null
      ? []
      : [
          t('cashier.guideCountries', {
            list: formatList(
              language.code,
              countries.map((code) => countryView(view, code).name),
            ),
          }),
        ]
  const money =
    taken.length === sold.length
      ? []
      : [
          t('cashier.guideCurrencies', {
            list: formatList(
              language.code,
              taken.map(({ code }) => code),
            ),
          }),
        ]
  return places.length + money.length === 0
    ? t('cashier.guideEverywhere')
    : [...places, ...money].join(' · ')
}
