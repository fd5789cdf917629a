import type { Act } from '#features/team/approval/rules.ts'
import type { ListedRole } from '#features/team/operator/queries.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import { roleName } from '../kit/role-name.ts'

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
export function detailOf(act: Pick<Act, 'kind' | 'details'>): string | null {
  if (act.kind === 'role_change') return roleDetail(act)
  const { reason } = act.details
  return act.kind === 'key_export' && typeof reason === 'string' ? reason : null
}

/** "order.read, order.refund (5000)": all that would be allowed, with limits in US cents. */
function roleDetail({ details }: Pick<Act, 'details'>): string {
  const { permissions, limits } = details
  const given = new Map<string, unknown>(
    limits !== null && typeof limits === 'object' ? Object.entries(limits) : [],
  )
  const listed = Array.isArray(permissions) ? permissions.map(String) : []
  return listed
    .map((one) => {
      const limit = given.get(one)
      return typeof limit === 'string' ? `${one} (${(Number(limit) / 100).toFixed(2)} USD)` : one
    })
    .join(', ')
}
