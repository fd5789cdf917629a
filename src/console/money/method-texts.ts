import type { MethodTerms } from '#features/office/payment-method/engine/methods.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { formatShare } from '#platform/i18n/percent.ts'
import type { Translate } from '#platform/i18n/messages.ts'

export interface TermsTexts {
  readonly fee: string
  readonly limits: string
  readonly where: string
}

const BASIS = 10_000

/** Terms of a way to pay in a few words each: what it costs, from which amount to which, and where. */
export function termsTexts(
  t: Translate,
  language: LanguageCode,
  money: (minor: string, currency: string) => string,
  terms: MethodTerms,
): TermsTexts {
  const { fee, limits, currencies, countries } = terms
  const share = formatShare(language, fee.basis_points / BASIS)
  const fixed = money(String(fee.minor), fee.currency)
  const [least, most] = [limits.min_minor, limits.max_minor].map((minor) =>
    minor === null ? '' : money(String(minor), limits.currency),
  )
  return {
    fee:
      fee.minor > 0 && fee.basis_points > 0
        ? t('console.method.feeBoth', { share, fixed })
        : fee.minor > 0
          ? fixed
          : fee.basis_points > 0
            ? share
            : t('console.method.noFee'),
    limits:
      least && most
        ? t('console.method.between', { least, most })
        : least
          ? t('console.method.from', { least })
          : most
            ? t('console.method.upTo', { most })
            : t('console.method.anyAmount'),
    where: [
      countries
        ? t('console.method.countries', { count: countries.length })
        : t('console.method.allCountries'),
      currencies
        ? t('console.method.currencies', { count: currencies.length })
        : t('console.method.allCurrencies'),
    ].join(' · '),
  }
}
