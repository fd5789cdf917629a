import { faceValue, itemLabel } from './names.ts'
import { isSold, itemPrices } from './price.ts'
import type { Price } from './shapes.ts'
import { goodsImage, type ShopView } from '../views.ts'
import { productPath, textIn, type Item, type Product } from '#features/goods/catalogue/rules.ts'
import { shownDigits } from '#features/goods/currency/rules.ts'
import { priceOf } from '#features/goods/price/engine/chain.ts'
import { getLanguage } from '#kernel/language.ts'
import { toMajor } from '#kernel/money.ts'
import { formatMoney } from '#platform/i18n/format.ts'
import { operatorsByCountry } from '#features/goods/recharge/queries.ts'
import type {
  RechargeCountryView,
  RechargeOperatorView,
  RechargePlanView,
} from './recharge-shapes.ts'

/** Countries with an operator in the catalogue, in the alphabet of the language. */
export function rechargeCountries({
  shop,
  language,
}: Pick<ShopView, 'shop' | 'language'>): RechargeCountryView[] {
  const collator = new Intl.Collator(getLanguage(language).intl)
  return [...operatorsByCountry(shop)]
    .map(([code, operators]) => {
      const country = shop.countryByCode.get(code)
      return {
        code,
        name: country ? textIn(country.name, language) : code,
        dial_code: country?.dialCode ?? country?.phone?.callingCode ?? '',
        example: country?.phone?.mobileExample ?? '',
        operators: operators.length,
      }
    })
    .sort((a, b) => collator.compare(a.name, b.name))
}

export function rechargeOperator(
  { shop, language }: Pick<ShopView, 'shop' | 'language'>,
  product: Product,
): RechargeOperatorView {
  const { brand, items } = product
  return {
    code: product.code,
    name: textIn(brand.name, language),
    country: brand.recharge?.country ?? '',
    image: goodsImage(shop, product),
    path: productPath(product),
    prefixes: [...(brand.recharge?.prefixes ?? [])],
    is_portable: brand.recharge?.portability ?? false,
    has_airtime: items.some(({ kind }) => kind !== 'data'),
    has_data: items.some(({ kind }) => kind === 'data'),
  }
}

/** @param amountMinor what of a free amount is wanted, in minor units of the face currency */
export function rechargePlan(
  view: ShopView,
  product: Product,
  item: Item,
  amountMinor: bigint | null = null,
): RechargePlanView {
  const { free } = item
  const asked = free ? amountMinor : null
  const face = asked ?? item.faceMinor
  return {
    item: item.code,
    kind: item.kind === 'data' ? 'data' : 'airtime',
    label: itemLabel(view, product, asked === null ? item : atFace(item, asked)).label,
    value: item.kind === 'data' || face === null ? null : faceView(view, product, face),
    megabytes: item.dataMb,
    days: item.days,
    price: asked === null ? itemPrices(view, item).price : amountPrice(view, item, asked),
    in_stock: isSold(view, item),
    ...(item.isStopped ? { is_stopped: true as const } : {}),
    amount: freeAmount(view, product, item),
  }
}

/** Which amounts are sold; null where it is what it is. */
export function freeAmount(
  view: ShopView,
  product: Product,
  { free }: Pick<Item, 'free'>,
): RechargePlanView['amount'] {
  return (
    free && {
      min: faceView(view, product, free.minMinor),
      max: faceView(view, product, free.maxMinor),
      step: faceView(view, product, free.stepMinor),
    }
  )
}

const atFace = (item: Item, faceMinor: bigint): Item => ({ ...item, faceMinor, free: null })

/** What an amount costs at shown prices. */
function amountPrice({ shop, language, currency }: ShopView, item: Item, amount: bigint) {
  const part = { numerator: amount, denominator: item.faceMinor ?? amount }
  const { minor } = priceOf(shop.pricing, { ...item, part }, currency)
  return minor === null
    ? null
    : {
        amount: toMajor(minor, currency.minorUnits),
        minor: minor.toString(),
        currency: currency.code,
        text: formatMoney(
          language,
          currency.code,
          minor,
          currency.minorUnits,
          shownDigits(currency),
        ),
      }
}

/** An amount as the phone has it. */
function faceView({ shop, language }: ShopView, product: Product, minor: bigint): Price {
  const code = product.faceCurrency ?? ''
  const minorUnits = shop.currencyByCode.get(code)?.minorUnits ?? 0
  return {
    amount: toMajor(minor, minorUnits),
    minor: minor.toString(),
    currency: code,
    text: faceValue(language, { code, minorUnits }, minor),
  }
}
