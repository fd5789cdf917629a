import type { ShopCurrency } from '#features/base/shop/queries.ts'
import type { Language } from '#kernel/language.ts'
import { formatCount, formatDuration, formatMoney } from '#platform/i18n/format.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import type { Point } from './queries.ts'
import type { Period } from './rules.ts'

/** Who reads figures, in which language and time. */
export interface FigureReader {
  readonly language: Language
  readonly t: Translate
  readonly timeZone: string
}

/** Writes figures as the operator's language does. */
export interface FigureTexts {
  readonly t: Translate
  /** US cents as a sum in the shop's currency, by the rate of today: to the last coin for small sums, in whole units above. */
  readonly sum: (cents: bigint) => string
  /** The same for drawing alone. */
  readonly drawn: (cents: bigint) => number
  /** An amount of a currency, for drawing alone. */
  readonly drawnIn: (minor: bigint, currency: string) => number
  readonly money: (minor: bigint, currency: string) => string
  readonly count: (count: bigint | number) => string
  /** "2.5K", beside an axis. */
  readonly shortCount: (count: number) => string
  /** Hundredths of a percent as a percentage. */
  readonly share: (basisPoints: number) => string
  /** The same with its sign: how much more there is. */
  readonly change: (basisPoints: number) => string
  /** Hundredths of a percent as percentage points with their sign. */
  readonly points: (basisPoints: number) => string
  readonly duration: (seconds: number) => string
  readonly shortDuration: (seconds: number) => string
  readonly longer: (seconds: number) => string
  /** When a point begins. */
  readonly moment: (begins: Date, period: Period) => string
  /** Of a point that is not over yet. */
  readonly soFar: (moment: string) => string
  readonly range: (points: readonly Point[], span: 'hour' | 'day', until: Date) => string
}

const MINUS = '−'
const SIGNED = { maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const
const WHOLE_UNITS_FROM = 1_000
const UNITS = [
  ['second', 1, 60],
  ['minute', 60, 3_600],
  ['hour', 3_600, 86_400],
  ['day', 86_400, Number.POSITIVE_INFINITY],
] as const

/** US cents in minor units of the shop's currency, rounded half up. */
export function inShopCurrency(cents: bigint, { perDollar }: ShopCurrency): bigint {
  const whole = 100n * perDollar.dollars
  const size = (cents < 0n ? -cents : cents) * perDollar.minor
  const rounded = (2n * size + whole) / (2n * whole)
  return cents < 0n ? -rounded : rounded
}

export function figureTexts(
  { language, t, timeZone }: FigureReader,
  digits: ReadonlyMap<string, number>,
  shop: ShopCurrency,
): FigureTexts {
  const tag = language.code === 'en' ? 'en-GB-u-nu-latn' : language.intl
  const number = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(language.intl, options)
    return (value: number) => format.format(value).replace('-', MINUS)
  }
  const date = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(tag, { ...options, timeZone })
  const percent = number({ style: 'percent', maximumFractionDigits: 1 })
  const signedPercent = number({ style: 'percent', ...SIGNED })
  const hour = date({ hour: '2-digit', minute: '2-digit' })
  const day = date({ day: 'numeric', month: 'short' })
  const wholeDay = date({ day: 'numeric', month: 'long' })
  const money = (minor: bigint, currency: string, shown?: number) => {
    const places = digits.get(currency) ?? 2
    return formatMoney(language.code, currency, minor, places, shown ?? places)
  }
  const unitOf = (seconds: number, signDisplay: 'auto' | 'exceptZero') => {
    const size = Math.abs(seconds)
    const [unit, length] = UNITS.find(([, , end]) => size < end) ?? UNITS[3]
    return number({
      style: 'unit',
      unit,
      unitDisplay: 'narrow',
      maximumFractionDigits: 0,
      signDisplay,
    })(Math.round(seconds / length))
  }
  const drawn = (cents: bigint) => Number(inShopCurrency(cents, shop)) / 10 ** shop.places
  const drawnIn = (minor: bigint, code: string) => Number(minor) / 10 ** (digits.get(code) ?? 2)
  return {
    t,
    sum: (cents) => {
      const isLarge = Math.abs(drawn(cents)) >= WHOLE_UNITS_FROM
      return formatMoney(
        language.code,
        shop.code,
        inShopCurrency(cents, shop),
        shop.places,
        isLarge ? 0 : shop.places,
      )
    },
    drawn,
    drawnIn,
    money,
    count: (count) => formatCount(language.code, count),
    shortCount: number({ notation: 'compact', maximumFractionDigits: 1 }),
    share: (basisPoints) => percent(basisPoints / 10_000),
    change: (basisPoints) => signedPercent(basisPoints / 10_000),
    points: (basisPoints) =>
      t('console.home.points', { points: number(SIGNED)(basisPoints / 100) }),
    duration: (seconds) => formatDuration(language.code, Math.max(1, Math.round(seconds))),
    shortDuration: (seconds) => unitOf(seconds, 'auto'),
    longer: (seconds) => unitOf(seconds, 'exceptZero'),
    moment: (begins, period) => (period === 'today' ? hour : day).format(begins),
    soFar: (moment) => t('console.home.soFar', { moment }),
    range: (points, span, until) => {
      const first = points[0]?.begins
      if (!first) return ''
      return span === 'hour' ? wholeDay.format(first) : day.formatRange(first, until)
    },
  }
}
