import {
  phraseIn,
  textIn,
  type Brand,
  type Item,
  type Product,
  type Unit,
} from '#features/goods/catalogue/rules.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import { getLanguage, type LanguageCode } from '#kernel/language.ts'
import { pluralForm } from '#kernel/plural.ts'
import { formatCount, formatMoney } from '#platform/i18n/format.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import { FLAG_PREFIX, drawnVersion } from '#features/goods/picture/queries.ts'
import { pictureUrl } from '#features/goods/picture/rules.ts'
import type { ShopView } from '../views.ts'
import type { Place } from './shapes.ts'

/** What a brand's goods are called: a top-up after its game and what is charged, everything else by its own name. */
export function goodsName(
  brand: Pick<Brand, 'kind' | 'name'> & { readonly unit: Pick<Unit, 'name'> | null },
  language: LanguageCode,
  t: Translate,
): string {
  const name = textIn(brand.name, language)
  if (brand.kind !== 'top_up' || !brand.unit) return name
  return t('goods.topUpName', { game: name, unit: textIn(brand.unit.name, language) })
}

/** "50 Diamonds", in the form and the order that the language has for the number. */
export function unitAmount(
  unit: Pick<Unit, 'name' | 'forms'>,
  amount: bigint,
  language: LanguageCode,
  t: Translate,
): string {
  // English speaks for a unit that has no name in the language; a name without forms goes by the language's pattern.
  const isNamed = unit.name[language] !== undefined || unit.forms[language] !== undefined
  const speaking = isNamed ? language : 'en'
  const form = pluralForm(speaking, unit.forms[speaking] ?? {}, amount)
  const figure = formatCount(language, amount)
  const text =
    form === undefined
      ? t('goods.amount', { amount: figure, unit: textIn(unit.name, language) })
      : form.replace('{n}', figure)
  return isolated(text, language)
}

const LATIN = /\p{Script=Latin}/u

/** Right-to-left text turns a figure and Latin letters around, and joins what a sign stands between, unless they are set apart. */
function isolated(text: string, language: LanguageCode): string {
  return getLanguage(language).dir === 'rtl' && LATIN.test(text) ? `\u2066${text}\u2069` : text
}

/** A unit's name within a sentence: with a small letter where its amounts are written so. */
export function unitWord(unit: Unit, language: LanguageCode): string {
  const name = textIn(unit.name, language)
  const small = name.charAt(0).toLowerCase() + name.slice(1)
  const isSmall = Object.values(unit.forms[language] ?? {}).some((form) =>
    form.includes(small.slice(0, 3)),
  )
  return isSmall ? small : name
}

/** What an item's label is made from: its figures, and the words of what it belongs to. */
type ItemFigures = Pick<
  Item,
  'kind' | 'name' | 'units' | 'bonus' | 'days' | 'dataMb' | 'faceMinor' | 'free'
>
interface ItemWords {
  readonly language: LanguageCode
  readonly t: Translate
  readonly unit: Pick<Unit, 'name' | 'forms'> | null
  /** What a card's worth is in. */
  readonly face: Pick<Currency, 'code' | 'minorUnits'> | null
  /** A sentence of the catalogue in the language. */
  readonly phrase: (english: string) => string
}

/** What an item is, and what comes on top of it. */
export function labelOf(
  { language, t, unit, face, phrase }: ItemWords,
  item: ItemFigures,
): { readonly label: string; readonly bonus: string | null } {
  if (item.free && face) {
    const [min, max] = [item.free.minMinor, item.free.maxMinor].map((minor) =>
      faceValue(language, face, minor),
    )
    return { label: t('goods.amountRange', { min: min ?? '', max: max ?? '' }), bonus: null }
  }
  if ((item.kind === 'value' || item.kind === 'airtime') && item.faceMinor !== null && face)
    return { label: faceValue(language, face, item.faceMinor), bonus: null }
  if (item.kind === 'pack' && item.units !== null && unit) {
    const bonus =
      item.bonus !== null && item.bonus > 0n ? unitAmount(unit, item.bonus, language, t) : null
    return { label: unitAmount(unit, item.units, language, t), bonus }
  }
  if (item.kind === 'data' && item.dataMb !== null && item.days !== null)
    return { label: dataPacket(language, t, item.dataMb, item.days), bonus: null }
  return { label: phrase(item.name), bonus: null }
}

/** What an item is, and what comes on top of it, in the visitor's language. */
export function itemLabel(
  view: ShopView,
  product: Product,
  item: Item,
): ReturnType<typeof labelOf> {
  const { shop, language, t } = view
  const { brand, faceCurrency } = product
  const face = faceCurrency === null ? null : (shop.currencyByCode.get(faceCurrency) ?? null)
  const phrase = (english: string) => phraseIn(shop.catalogue, language, english)
  return labelOf({ language, t, unit: brand.unit, face, phrase }, item)
}

/** Both in one: "78 Diamonds + 8 Diamonds". */
export function wholeLabel(view: ShopView, product: Product, item: Item): string {
  return joinLabel(itemLabel(view, product, item))
}

export function joinLabel({ label, bonus }: ReturnType<typeof labelOf>): string {
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
  return pictureUrl('national_flag', picture, { version: drawnVersion(picture) })
}

/** A card's worth in its own currency, whole amounts without fraction digits: "$20". */
export function faceValue(
  language: LanguageCode,
  { code, minorUnits }: Pick<Currency, 'code' | 'minorUnits'>,
  minor: bigint,
): string {
  const isWhole = minor % 10n ** BigInt(minorUnits) === 0n
  return formatMoney(language, code, minor, minorUnits, isWhole ? 0 : minorUnits)
}

/** The catalogue counts 1,000 megabytes to a gigabyte. */
function dataPacket(language: LanguageCode, t: Translate, megabytes: number, days: number): string {
  if (megabytes < 1000) return t('goods.dataMegabytes', { megabytes, days })
  return t('goods.data', { gigabytes: formatCount(language, megabytes / 1000), days })
}
