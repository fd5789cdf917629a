import { getLanguage, type LanguageCode } from '#kernel/language.ts'

const reductions = new Map<string, string>()

/** A price reduction in whole percent as its label shows it: "−12%". */
export function formatReduction(language: LanguageCode, percent: number): string {
  const key = `${language} ${percent}`
  let text = reductions.get(key)
  if (text === undefined) {
    text = new Intl.NumberFormat(getLanguage(language).intl, { style: 'percent' })
      .format(-percent / 100)
      .replace('-', '−')
    reductions.set(key, text)
  }
  return text
}

const percentFormats = new Map<LanguageCode, Intl.NumberFormat>()

/** A share from 0 to 1 in whole percent: "94%". */
export function formatPercent(language: LanguageCode, share: number): string {
  let format = percentFormats.get(language)
  if (!format)
    percentFormats.set(
      language,
      (format = new Intl.NumberFormat(getLanguage(language).intl, { style: 'percent' })),
    )
  return format.format(share)
}

const shareFormats = new Map<LanguageCode, Intl.NumberFormat>()

/** A share from 0 to 1 to a hundredth of a percent: "2.9%". */
export function formatShare(language: LanguageCode, share: number): string {
  let format = shareFormats.get(language)
  if (!format)
    shareFormats.set(
      language,
      (format = new Intl.NumberFormat(getLanguage(language).intl, {
        style: 'percent',
        maximumFractionDigits: 2,
      })),
    )
  return format.format(share)
}
