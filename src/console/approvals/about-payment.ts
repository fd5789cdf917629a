import { methodTerms, ORDER_SUBJECT } from '#features/office/payment-method/engine/methods.ts'
import { accountsIn } from '#features/office/payment-service/commands.ts'
import {
  mayBeOther,
  type ServiceAccount,
} from '#features/office/payment-service/engine/settings.ts'
import type { OpenPayments } from '#features/office/payment-service/queries.ts'
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

/** Whose account the money would go to, and what is under way where it goes now; nothing for what changes neither. */
export function paymentWarnings(
  { t }: Pick<ConsoleContext, 't'>,
  money: (minor: bigint, currency: string) => string,
  { kind, details }: Pick<Act, 'kind' | 'details'>,
  open: OpenPayments | null,
): string[] {
  if (kind !== 'payment_service' || details['removes'] === true) return []
  const accounts = accountsIn(details)
  const { before, after } = accounts
  const text = (account: ServiceAccount | null) =>
    account === null ? t('console.service.untold') : textOf(account)
  const isFirst = details['version'] === 0
  const isSame = !isFirst && !mayBeOther(accounts)
  return [
    isFirst
      ? t('console.approvals.accountFirst', { account: text(after) })
      : isSame
        ? t('console.approvals.accountSame', { account: text(after) })
        : t('console.approvals.accountOther', { before: text(before), after: text(after) }),
    ...(isSame || isFirst || !open || open.count === 0
      ? []
      : [
          t('console.approvals.openThere', {
            count: open.count,
            sum: open.sums.map((sum) => money(sum.minor, sum.currency)).join(', '),
          }),
        ]),
  ]
}

const textOf = ({ id, name }: ServiceAccount) => (name === null ? id : `${name} · ${id}`)

/** A service by its code, a way to pay by its own; their order has none. */
export const paymentSubject = (
  { t }: Pick<ConsoleContext, 't'>,
  { subject }: Pick<Act, 'subject'>,
): string => (subject === ORDER_SUBJECT ? t('console.method.order') : subject)

const listed = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
