import { methodTerms, ORDER_SUBJECT } from '#features/office/payment-method/engine/methods.ts'
import type { Act } from '#features/team/approval/rules.ts'
import { termsTexts } from '../money/method-texts.ts'
import type { ConsoleContext } from '../page.ts'

const ANSWERS = ['good', 'refused', 'unknown'] as const
const MODES = ['live', 'test'] as const

/** What would hold of a payment service, or of a way to pay, once approved: nothing of what is sealed. */
export function paymentDetail(
  { t, language }: Pick<ConsoleContext, 't' | 'language'>,
  money: (minor: string, currency: string) => string,
  { kind, subject, details }: Pick<Act, 'kind' | 'subject' | 'details'>,
): string {
  if (kind === 'payment_service') {
    if (details['removes'] === true) return t('console.service.removeText')
    const mode = MODES.find((known) => known === details['mode'])
    const answer = ANSWERS.find((known) => known === details['tried']) ?? 'unknown'
    return [
      listed(details['changed']).join(', '),
      t(`console.service.answer.${answer}`),
      ...(mode ? [t(`console.money.mode.${mode}`)] : []),
    ].join(' · ')
  }
  if (subject === ORDER_SUBJECT) return listed(details['codes']).join(' → ')
  const texts = [details['before'], details['after']].map((terms) => {
    const read = methodTerms.safeParse(terms)
    if (!read.success) return '–'
    const { fee, limits, where } = termsTexts(t, language.code, money, read.data)
    const { enabled, countries, currencies } = read.data
    const codes = [...(countries ?? []), ...(currencies ?? [])].join(', ')
    const state = t(enabled ? 'console.method.on' : 'console.method.off')
    return [state, fee, limits, where, ...(codes === '' ? [] : [codes])].join(' · ')
  })
  return texts.join(' → ')
}

/** A service by its code, a way to pay by its own; their order has none. */
export const paymentSubject = (
  { t }: Pick<ConsoleContext, 't'>,
  { subject }: Pick<Act, 'subject'>,
): string => (subject === ORDER_SUBJECT ? t('console.method.order') : subject)

const listed = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
