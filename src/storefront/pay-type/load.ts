import { countryView } from '#features/browse/views.ts'
import { convertMinor } from '#features/currency/rules.ts'
import { moneyView } from '#features/order/views.ts'
import type { MethodIcon, PayMethod } from '#features/pay-method/rules.ts'
import { methodText } from '#features/pay-method/views.ts'
import { formatList, formatPercent } from '#platform/i18n/format.ts'
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
  return { title, crumbs: [{ text: title }], methods: page.payMethods.map((method) => guideOf(page, method)) }
}

export function meta(data: PayTypeData, page: PageContext): PageMeta {
  return { title: data.title, description: page.t('cashier.guideText'), structuredData: graphOf(breadcrumbNode(page, data.crumbs)) }
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
  const share = fee.basisPoints === 0 ? null : formatPercent(language.code, fee.basisPoints / 10_000)
  // In its own currency, as it is set: each order converts it by the rate of its moment.
  const fixed = fee.minor === 0n || !shop.currencyByCode.has(fee.currency) ? null : moneyView({ shop, language: language.code }, fee.currency, fee.minor).text
  if (share === null) return fixed ?? t('cashier.noFee')
  return fixed === null ? t('cashier.guideFeeShare', { percent: share }) : t('cashier.guideFeeBoth', { percent: share, amount: fixed })
}

function limitsText(page: PageContext, { minUsdMinor, maxUsdMinor }: PayMethod): string {
  const { t } = page
  const [min, max] = [amountText(page, minUsdMinor), amountText(page, maxUsdMinor)]
  if (min === null) return max === null ? t('cashier.guideAny') : t('cashier.guideUpTo', { max })
  return max === null ? t('cashier.guideFrom', { min }) : t('cashier.guideBetween', { min, max })
}

/** A limit in the visitor's currency. */
function amountText({ shop, language, currency }: PageContext, usdMinor: bigint | null): string | null {
  const from = shop.currencyByCode.get('USD')
  const minor = usdMinor === null || !from ? null : convertMinor(usdMinor, from, currency)
  return minor === null ? null : moneyView({ shop, language: language.code }, currency.code, minor).text
}

function placesText({ t, shop, language, currency }: PageContext, { countries, currencies }: PayMethod): string {
  const view = { shop, language: language.code, currency, t }
  const places = countries === null ? [] : [t('cashier.guideCountries', { list: formatList(language.code, countries.map((code) => countryView(view, code).name)) })]
  const money = currencies === null ? [] : [t('cashier.guideCurrencies', { list: formatList(language.code, currencies) })]
  return places.length + money.length === 0 ? t('cashier.guideEverywhere') : [...places, ...money].join(' · ')
}
