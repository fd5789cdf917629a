import type { Texts } from '#features/goods/catalogue/rules.ts'
import type { LanguageCode } from '#kernel/language.ts'

/** A country or territory as the shop knows it (specification §3, "Regions data"). */
export interface Country {
  /** ISO 3166-1 alpha-2. */
  readonly code: string
  readonly name: Texts
  readonly dialCode: string | null
  /** The currency shown to its visitors first; always one shoppers may choose. */
  readonly storeCurrency: string
  readonly language: LanguageCode
  readonly isOnSale: boolean
  readonly phone: PhoneRules | null
}

export interface PhoneRules {
  readonly callingCode: string
  readonly trunkPrefix: string | null
  /** Anchored pattern of the national number. */
  readonly mobilePattern: string
  readonly mobileExample: string
}
