import { getLanguage, type LanguageCode } from '#kernel/language.ts'
import { writeMoney } from './money.ts'

const numberFormats = new Map<string, Intl.NumberFormat>()
const dateFormats = new Map<string, Intl.DateTimeFormat>()

/** An amount for people: "$4.99", "4,99 €", "￥500". `digits` are the fraction digits shown. */
export function formatMoney(
  language: LanguageCode,
  currency: string,
  minor: bigint,
  minorUnits: number,
  digits: number,
): string {
  return writeMoney(getLanguage(language), currency, minor, minorUnits, digits)
}

/** A whole number with the language's grouping. */
export function formatCount(language: LanguageCode, value: number | bigint): string {
  let format = numberFormats.get(language)
  if (!format) {
    format = new Intl.NumberFormat(getLanguage(language).intl, { maximumFractionDigits: 1 })
    numberFormats.set(language, format)
  }
  return format.format(value)
}

const averageFormats = new Map<LanguageCode, Intl.NumberFormat>()

/** An average of ratings, always with one fraction digit: "4.0". */
export function formatAverage(language: LanguageCode, value: number): string {
  let format = averageFormats.get(language)
  if (!format) {
    format = new Intl.NumberFormat(getLanguage(language).intl, {
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    })
    averageFormats.set(language, format)
  }
  return format.format(value)
}

const minuteFormats = new Map<LanguageCode, Intl.NumberFormat>()

/** A span of minutes in words: "10 minutes". */
export function formatMinutes(language: LanguageCode, minutes: number): string {
  let format = minuteFormats.get(language)
  if (!format) {
    format = new Intl.NumberFormat(getLanguage(language).intl, {
      style: 'unit',
      unit: 'minute',
      unitDisplay: 'long',
    })
    minuteFormats.set(language, format)
  }
  return format.format(minutes)
}

/** A calendar date in words: "20 November 2026". */
export function formatDate(language: LanguageCode, date: Date, timeZone: string): string {
  const key = `${language} ${timeZone}`
  let format = dateFormats.get(key)
  if (!format) {
    const tag = language === 'en' ? 'en-GB-u-nu-latn' : getLanguage(language).intl
    format = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone })
    dateFormats.set(key, format)
  }
  return format.format(date)
}

const shareFormats = new Map<LanguageCode, Intl.NumberFormat>()
const listFormats = new Map<LanguageCode, Intl.ListFormat>()

/** Hundredths of a percent, with as many digits as they have: 290 is "2.9%". */
export function formatBasisPoints(language: LanguageCode, basisPoints: number): string {
  let format = shareFormats.get(language)
  if (!format)
    shareFormats.set(
      language,
      (format = new Intl.NumberFormat(getLanguage(language).intl, {
        style: 'percent',
        maximumFractionDigits: 2,
      })),
    )
  return format.format(basisPoints / 10_000)
}

/** Names in one text, joined as the language does: "Germany, France, and Italy". */
export function formatList(language: LanguageCode, names: readonly string[]): string {
  let format = listFormats.get(language)
  if (!format)
    listFormats.set(
      language,
      (format = new Intl.ListFormat(getLanguage(language).intl, { type: 'conjunction' })),
    )
  return format.format(names)
}

/** Marks between parts that stand beside each other, where it is not a comma and a space. */
const PART_MARKS: Readonly<Partial<Record<LanguageCode, string>>> = {
  ar: '، ',
  ja: '、',
  my: '၊ ',
  zh: '，',
  'zh-tw': '，',
}

/** Parts of one note without a conjunction, empty ones left out: "$10, United States, 2 codes". */
export function formatParts(language: LanguageCode, parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(PART_MARKS[language] ?? ', ')
}

const momentFormats = new Map<string, Intl.DateTimeFormat>()

const rateFormats = new Map<LanguageCode, Intl.NumberFormat>()

/** Hundredths of a percent as the number of a percentage: 1975 as "19.75". */
export function formatRate(language: LanguageCode, basisPoints: number): string {
  let format = rateFormats.get(language)
  if (!format) {
    format = new Intl.NumberFormat(getLanguage(language).intl, { maximumFractionDigits: 2 })
    rateFormats.set(language, format)
  }
  return format.format(basisPoints / 100)
}

/** A date with its time and zone: "20 November 2026 at 14:05 UTC". */
export function formatMoment(language: LanguageCode, moment: Date, timeZone: string): string {
  const key = `${language} ${timeZone}`
  let format = momentFormats.get(key)
  if (!format) {
    const tag = language === 'en' ? 'en-GB-u-nu-latn' : getLanguage(language).intl
    format = new Intl.DateTimeFormat(tag, {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
      timeZone,
    })
    momentFormats.set(key, format)
  }
  return format.format(moment)
}

const clockFormats = new Map<string, Intl.DateTimeFormat>()

/** A time of day with seconds: "14:02:11". */
export function formatClock(language: LanguageCode, moment: Date, timeZone: string): string {
  const key = `${language} ${timeZone}`
  let format = clockFormats.get(key)
  if (!format) {
    const tag = language === 'en' ? 'en-GB-u-nu-latn' : getLanguage(language).intl
    format = new Intl.DateTimeFormat(tag, {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZone,
    })
    clockFormats.set(key, format)
  }
  return format.format(moment)
}

const shortMomentFormats = new Map<string, Intl.DateTimeFormat>()

/** A date with its time, for lists: "20 Nov 2026, 14:02". */
export function formatShortMoment(language: LanguageCode, moment: Date, timeZone: string): string {
  const key = `${language} ${timeZone}`
  let format = shortMomentFormats.get(key)
  if (!format) {
    const tag = language === 'en' ? 'en-GB-u-nu-latn' : getLanguage(language).intl
    format = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone })
    shortMomentFormats.set(key, format)
  }
  return format.format(moment)
}

const DURATIONS = [
  ['second', 1, 120],
  ['minute', 60, 7_200],
  ['hour', 3_600, 172_800],
  ['day', 86_400, Number.POSITIVE_INFINITY],
] as const
const durationFormats = new Map<string, Intl.NumberFormat>()

/** A span of time in whole units that are neither too small nor too many: "52 sec", "12 min", "3 hr". */
export function formatDuration(language: LanguageCode, seconds: number): string {
  const [unit, length] = DURATIONS.find(([, , end]) => seconds < end) ?? DURATIONS[3]
  const key = `${language} ${unit}`
  let format = durationFormats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(getLanguage(language).intl, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits: 0,
    })
    durationFormats.set(key, format)
  }
  return format.format(Math.floor(seconds / length))
}

/** From so many minutes on, a time is told by `formatAtMost`. */
export const LONG_MINUTES = 120

/** Whole hours, from two days on whole days: never less than it is. */
export function formatAtMost(language: LanguageCode, minutes: number): string {
  const unit = minutes < 2_880 ? 60 : 1_440
  return formatDuration(language, Math.ceil(minutes / unit) * unit * 60)
}
