import { listOperators } from '#features/team/operator/queries.ts'
import { formatDate } from '#platform/i18n/format.ts'
import { roleName } from '../kit/role-name.ts'
import type { ConsoleContext } from '../page.ts'

export interface PeopleData {
  readonly people: readonly {
    readonly name: string
    readonly role: string
    readonly isActive: boolean
    readonly since: string
    readonly tokens: number
  }[]
}

export async function load({
  ctx,
  t,
  language,
  timeZone,
}: ConsoleContext): Promise<{ readonly title: string; readonly data: PeopleData }> {
  const people = await listOperators(ctx.db, ctx.now())
  return {
    title: t('console.people.nav'),
    data: {
      people: people.map(({ name, role, status, createdAt, tokens }) => ({
        name,
        role: roleName(t, { role }),
        isActive: status === 'active',
        since: formatDate(language.code, createdAt, timeZone),
        tokens,
      })),
    },
  }
}
