import type { LegalCode } from '#features/office/legal/rules.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'

/** The texts that buyers agree to or may rely on, as people call them. */
export const LEGAL_NAMES = {
  'sales-terms': 'api.footerSalesTerms',
  'terms-of-use': 'api.footerTerms',
  'privacy-policy': 'api.footerPrivacy',
  'legal-provisions': 'api.footerLegalProvisions',
} as const satisfies Readonly<Record<LegalCode, MessageKey>>
