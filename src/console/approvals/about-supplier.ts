import type { Act } from '#features/team/approval/rules.ts'
import type { ConsoleContext } from '../page.ts'

const ANSWERS = ['good', 'refused', 'unknown'] as const
const MODES = ['live', 'test'] as const

/** What would hold of a supplier once approved: nothing of what is sealed. */
export function supplierDetail(
  { t }: Pick<ConsoleContext, 't'>,
  { details }: Pick<Act, 'details'>,
): string {
  if (details['removes'] === true) return t('console.supplier.removeText')
  const answer = ANSWERS.find((known) => known === details['tried']) ?? 'unknown'
  const mode = MODES.find((known) => known === details['mode'])
  const changed = Array.isArray(details['changed']) ? details['changed'].map(String) : []
  return [
    changed.join(', '),
    t(`console.service.answer.${answer}`),
    ...(mode ? [t(`console.money.mode.${mode}`)] : []),
  ].join(' · ')
}

/** At whose account the shop would buy from then on; nothing where that is not told, or stays. */
export function supplierWarnings(
  { t }: Pick<ConsoleContext, 't'>,
  { details }: Pick<Act, 'details'>,
): string[] {
  if (details['removes'] === true) return []
  const [before, after] = [details['account_before'], details['account']]
  const account = typeof after === 'string' ? after : t('console.service.untold')
  if (typeof before !== 'string') return [t('console.supplier.buysAt', { account })]
  return before === after
    ? [t('console.approvals.accountSame', { account })]
    : [t('console.supplier.buysAtOther', { before, after: account })]
}
