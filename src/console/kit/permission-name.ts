import type { Translate } from '#platform/i18n/messages.ts'

/** What a permission is called; by its code where it has no name yet. */
export function permissionName(t: Translate, code: string): string {
  const key = `console.permission.${code}`
  const name = t(key as 'console.permission.order.read')
  return name === key ? code : name
}
