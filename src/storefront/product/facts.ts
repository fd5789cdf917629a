import { unitWord } from '#features/goods/browse/view/names.ts'
import type { GoodsDetail } from '#features/goods/browse/view/shapes.ts'
import {
  FEW_IN_STOCK,
  phraseIn,
  type DeliveryTime,
  type Product,
} from '#features/goods/catalogue/rules.ts'
import type { Language, LanguageCode } from '#kernel/language.ts'
import {
  formatAtMost,
  formatCount,
  formatDuration,
  formatList,
  LONG_MINUTES,
} from '#platform/i18n/format.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import type { IconName } from '#ui/icon-paths.ts'
import type { PageContext } from '../page.ts'

export interface Badge {
  readonly icon: IconName
  readonly tone?: 'ok'
  readonly text: string
}

export interface Assurance {
  readonly icon: IconName
  readonly text: string
}

/** Whom to ask before buying. */
export interface Help {
  /** An e-mail that names the product; null where the shop gives no address to write to. */
  readonly mail: string | null
  readonly hours: string | null
}

export interface HowToData {
  /** Where a code is used: an address or a place. */
  readonly at: string | null
  readonly steps: readonly string[]
}

/** What is known of the goods, each ready to show; null where the catalogue does not say. */
export interface Facts {
  readonly keyFormat: string | null
  readonly validity: string | null
  /** Names of the countries it works in, in one text; null means no limit or a single region's. */
  readonly countries: string | null
  readonly publisher: string | null
  readonly game: { readonly name: string; readonly path: string } | null
  readonly categories: string | null
  readonly platforms: string | null
  readonly released: string | null
  readonly stock: string
  readonly sold: string | null
}

/** One sentence on what it is and how it arrives. */
export function aboutText(detail: GoodsDetail, t: Translate): string {
  const values = { name: detail.goods_name, region: detail.region.name }
  if (detail.delivery === 'direct_charge') return t('product.aboutTopUp', values)
  return detail.kind === 'game_key' ? t('product.aboutKey', values) : t('product.aboutCard', values)
}

/** Units sold so far; nothing is said before the first. */
export function soldText({ sold }: GoodsDetail, t: Translate): string | null {
  return sold > 0 ? t('product.sold', { count: sold }) : null
}

/** How long it takes, as short as may be: measured of this product, of its brand, or estimated and said to be. */
function paceBadge(detail: GoodsDetail, t: Translate, language: LanguageCode): string | null {
  const { delivery_minutes: minutes, delivery_pace: pace } = detail
  if (pace !== null) return paceBadgeOf(pace, t, language)
  if (minutes === null) return null
  return timeBadgeOf({ minutes, most: detail.delivery_most_minutes }, t, language)
}

/** Of a product that was not measured itself. */
export function timeBadgeOf(
  { minutes, most }: DeliveryTime,
  t: Translate,
  language: LanguageCode,
): string {
  if (most !== null) return t('product.measuredBadge', { minutes })
  return minutes < LONG_MINUTES
    ? t('product.estimateBadge', { minutes })
    : t('product.estimateLongBadge', { time: formatAtMost(language, minutes) })
}

/** The same as a sentence. */
export function timeText(
  { minutes, most }: DeliveryTime,
  t: Translate,
  language: LanguageCode,
): string {
  if (most !== null) return t('product.measured', { minutes, most })
  return minutes < LONG_MINUTES
    ? t('product.estimate', { minutes })
    : t('product.estimateLong', { time: formatAtMost(language, minutes) })
}

type DeliveryPace = NonNullable<GoodsDetail['delivery_pace']>

export function paceBadgeOf(
  { usual_seconds: half, now_seconds: now }: Pick<DeliveryPace, 'usual_seconds' | 'now_seconds'>,
  t: Translate,
  language: LanguageCode,
): string {
  return now === null
    ? t('product.paceBadge', { half: formatDuration(language, half) })
    : t('product.paceNowBadge', { now: formatDuration(language, now) })
}

/** What is usual, and what it is now where that is much longer. */
export function paceText(
  { usual_seconds: half, most_seconds: most, now_seconds: now }: DeliveryPace,
  t: Translate,
  language: LanguageCode,
): string {
  const told = { half: formatDuration(language, half), most: formatDuration(language, most) }
  return now === null
    ? t('product.pace', told)
    : t('product.paceNow', { half: told.half, now: formatDuration(language, now) })
}

export function badgesOf(detail: GoodsDetail, t: Translate, language: LanguageCode): Badge[] {
  const time = paceBadge(detail, t, language)
  return [
    ...(time === null ? [] : [{ icon: 'bolt', tone: 'ok', text: time } as const]),
    { icon: detail.region_lock.countries === null ? 'globe' : 'flag', text: detail.region.name },
    ...(detail.kind === 'game_key'
      ? detail.platforms.map(({ name }) => ({ icon: 'box', text: name }) as const)
      : []),
  ]
}

/** What the shop promises, and what it only estimates. */
export function assurancesOf(
  detail: GoodsDetail,
  t: Translate,
  language: LanguageCode,
): Assurance[] {
  const time = deliveryText(detail, t, language)
  return [
    ...(time === null ? [] : [{ icon: 'bolt', text: time } as const]),
    ...(detail.delivery === 'card_key'
      ? [{ icon: 'key', text: t('product.codeInOrder') } as const]
      : []),
    { icon: 'refresh', text: t('product.refundedIfNot') },
  ]
}

function deliveryText(detail: GoodsDetail, t: Translate, language: LanguageCode): string | null {
  const { delivery_minutes: minutes, delivery_most_minutes: most, delivery_pace: pace } = detail
  if (pace !== null) return paceText(pace, t, language)
  if (minutes === null) return null
  return timeText({ minutes, most }, t, language)
}

export function helpOf({ shop, t, timeZone }: PageContext, detail: GoodsDetail): Help {
  const { supportEmail, supportHours } = shop.settings
  const subject = `${detail.goods_name} (${detail.region.name}, ${detail.code})`
  return {
    mail:
      supportEmail === null
        ? null
        : `mailto:${supportEmail}?subject=${encodeURIComponent(subject)}`,
    hours:
      supportHours === null ? null : t('home.factSupport', { ...supportHours, zone: timeZone }),
  }
}

/** How to use it: the catalogue's steps, for a top-up without its own the way it goes here. */
export function howToOf(
  { shop, language, t }: PageContext,
  product: Product,
  detail: GoodsDetail,
): HowToData {
  const { at, steps } = detail.redeem
  if (steps.length > 0)
    return { at: at === null ? null : phraseIn(shop.catalogue, language.code, at), steps }
  if (detail.delivery !== 'direct_charge') return { at, steps: [] }
  const labels = detail.fields.map(({ label }) => label)
  return {
    at: null,
    steps: [
      product.brand.unit
        ? t('product.howChooseUnits', { unit: unitWord(product.brand.unit, language.code) })
        : t('product.howChoosePack'),
      t('product.howEnter', { fields: formatList(language.code, labels) }),
      howPayText(detail, t, language.code),
    ],
  }
}

function howPayText(
  { delivery_minutes: minutes }: GoodsDetail,
  t: Translate,
  language: LanguageCode,
): string {
  if (minutes === null) return t('product.howPay')
  return minutes < LONG_MINUTES
    ? t('product.howPayEstimate', { minutes })
    : t('product.howPayLong', { time: formatAtMost(language, minutes) })
}

export function factsOf(detail: GoodsDetail, language: Language, t: Translate): Facts {
  const names = (list: readonly { readonly name: string }[]) =>
    list.length === 0
      ? null
      : formatList(
          language.code,
          list.map(({ name }) => name),
        )
  const { countries } = detail.region_lock
  return {
    keyFormat: detail.delivery === 'card_key' ? detail.key_format : null,
    validity: detail.validity,
    countries: countries !== null && countries.length > 1 ? names(countries) : null,
    publisher: detail.brand.publisher === '' ? null : detail.brand.publisher,
    game: detail.game ? { name: detail.game.name, path: detail.game.path } : null,
    categories: names(detail.categories),
    platforms: names(detail.platforms),
    released: detail.released_year === null ? null : String(detail.released_year),
    stock: stockText(detail, t),
    sold: detail.sold > 0 ? formatCount(language.code, detail.sold) : null,
  }
}

function stockText({ stock, items }: GoodsDetail, t: Translate): string {
  if (!items.some((item) => item.in_stock))
    return t(items.some((item) => item.is_stopped) ? 'goods.stopped' : 'goods.soldOut')
  return stock !== null && stock < FEW_IN_STOCK
    ? t('product.stockCount', { count: stock })
    : t('product.inStock')
}
