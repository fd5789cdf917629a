import { isBuiltIn, type Powers } from '#features/team/operator/rules.ts'
import type { Translate } from '#platform/i18n/messages.ts'

/** A role as people read it: the program's in their language, the shop's own as its owners call it. */
export function roleName(t: Translate, { role, own }: Powers): string {
  return own?.name ?? (isBuiltIn(role) ? t(`console.role.${role}`) : role)
}
