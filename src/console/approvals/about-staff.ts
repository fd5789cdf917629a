import type { Act } from '#features/team/approval/rules.ts'
import { keyOfTotal, type ListedRole } from '#features/team/operator/queries.ts'
import { TOTAL_LIMITS } from '#features/team/operator/rules.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import { roleName } from '../kit/role-name.ts'

type MoneyText = (minor: string, currency: string) => string

/** Whom an act about the team is about, and what they would be. */
export function aboutStaff(
  t: Translate,
  { kind, subject, details }: Pick<Act, 'kind' | 'subject' | 'details'>,
  roles: readonly ListedRole[],
): string {
  const name = typeof details['name'] === 'string' ? details['name'] : subject
  if (kind !== 'staff_role' && kind !== 'staff_invite') return name
  const code = String(details['role'])
  return `${name}: ${roleName(t, roles.find(({ role }) => role === code) ?? { role: code })}`
}

/** What whoever decides should read beside it; null where nothing is to be said. */
export function detailOf(
  act: Pick<Act, 'kind' | 'details'>,
  t: Translate,
  money: MoneyText,
): string | null {
  if (act.kind === 'role_change') return roleDetail(act, t, money)
  const { reason } = act.details
  return act.kind === 'key_export' && typeof reason === 'string' ? reason : null
}

/** "order.read, order.refund (€50.00)": all that would be allowed, with its limits, and those that hold for all of it. */
function roleDetail({ details }: Pick<Act, 'details'>, t: Translate, money: MoneyText): string {
  // What a release before has asked for is in US cents.
  const { permissions, limits, currency = 'USD' } = details
  const given = new Map<string, unknown>(
    limits !== null && typeof limits === 'object' ? Object.entries(limits) : [],
  )
  const amountOf = (key: string) => {
    const limit = given.get(key)
    return typeof limit === 'string' ? money(limit, String(currency)) : null
  }
  const listed = Array.isArray(permissions) ? permissions.map(String) : []
  const single = listed.map((one) => {
    const amount = amountOf(one)
    return amount === null ? one : `${one} (${amount})`
  })
  const totals = TOTAL_LIMITS.flatMap((total) => {
    const amount = amountOf(keyOfTotal(total))
    return amount === null ? [] : [`${t(`console.people.total.${total}`)}: ${amount}`]
  })
  return [...single, ...totals].join(', ')
}
