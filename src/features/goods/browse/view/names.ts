import {
  phraseIn,
  textIn,
  type Brand,
  type Item,
  type Product,
} from '#features/goods/catalogue/rules.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { formatCount, formatMoney } from '#platform/i18n/format.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import { FLAG_PREFIX, flagVersion } from '#features/goods/picture/queries.ts'
import { pictureUrl } from '#features/goods/picture/rules.ts'
import type { ShopView } from '../views.ts'
import type { Place } from './shapes.ts'

/** What a brand's goods are called: a top-up after its game and what is charged, everything else by its own name. */
export function goodsName(brand: Brand, language: LanguageCode, t: Translate): string {
  const name = textIn(brand.name, language)
  if (brand.kind !== 'top_up' || !brand.unit) return name
  return t('goods.topUpName', { game: name, unit: textIn(brand.unit.name, language) })
}

/** What an item is, and what comes on top of it, in the visitor's language. */
export function itemLabel(
  view: ShopView,
  product: Product,
  item: Item,
): { readonly label: string; readonly bonus: string | null } {
  const { brand } = product
  if ((item.kind === 'value' || item.kind === 'airtime') && item.faceMinor !== null) {
    return {
      label: faceValue(view, product, item.faceMinor) ?? phrase(view, item.name),
      bonus: null,
    }
  }
  if (item.kind === 'pack' && item.units !== null && brand.unit) {
    const bonus = item.bonus !== null && item.bonus > 0n ? units(view, item.bonus, brand) : null
    return { label: units(view, item.units, brand), bonus }
  }
  if (item.kind === 'data' && item.dataMb !== null && item.days !== null)
    return { label: dataPacket(view, item.dataMb, item.days), bonus: null }
  return { label: phrase(view, item.name), bonus: null }
}

/** Both in one: "78 Diamonds + 8 Diamonds". */
export function wholeLabel(view: ShopView, product: Product, item: Item): string {
  const { label, bonus } = itemLabel(view, product, item)
  return bonus === null ? label : `${label} + ${bonus}`
}

export function placeOf(code: string, name: string): Place {
  return { code, name, icon: flagUrl(code) }
}

const flagUrls = new Map<string, string>()

/** Address of the sign of a country or sales region. Codes come from the catalogue, so that there are few. */
export function flagUrl(code: string): string {
  let url = flagUrls.get(code)
  if (url === undefined) flagUrls.set(code, (url = flagLink(code)))
  return url
}

function flagLink(code: string): string {
  const picture = FLAG_PREFIX + code.toLowerCase()
  return pictureUrl('national_flag', picture, { version: flagVersion(picture) })
}

function phrase(view: ShopView, english: string): string {
  return phraseIn(view.shop.catalogue, view.language, english)
}

function units(view: ShopView, amount: bigint, brand: Brand): string {
  const unit = brand.unit ? textIn(brand.unit.name, view.language) : ''
  return view.t('goods.pack', { units: formatCount(view.language, amount), unit })
}

/** A card's worth in its own currency, whole amounts without fraction digits: "$20". */
function faceValue(view: ShopView, product: Product, minor: bigint): string | null {
  const currency =
    product.faceCurrency === null ? undefined : view.shop.currencyByCode.get(product.faceCurrency)
  if (!currency) return null
  const isWhole = minor % 10n ** BigInt(currency.minorUnits) === 0n
  return formatMoney(
    view.language,
    currency.code,
    minor,
    currency.minorUnits,
    isWhole ? 0 : currency.minorUnits,
  )
}

/** The catalogue counts 1,000 megabytes to a gigabyte. */
function dataPacket({ language, t }: ShopView, megabytes: number, days: number): string {
  if (megabytes < 1000) return t('goods.dataMegabytes', { megabytes, days })
  return t('goods.data', { gigabytes: formatCount(language, megabytes / 1000), days })
}
