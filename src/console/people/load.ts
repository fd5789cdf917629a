import { readShopCurrency } from '#features/base/shop/queries.ts'
import {
  listInvitations,
  listOperators,
  listResets,
  listRoles,
} from '#features/team/operator/queries.ts'
import {
  LIMITED_PERMISSIONS,
  limitOf,
  mayDo,
  PERMISSIONS,
  priceLimitOf,
  totalLimitOf,
  type Permission,
  type TotalLimit,
} from '#features/team/operator/rules.ts'
import { LANGUAGES } from '#kernel/language.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import { roleName } from '../kit/role-name.ts'
import type { ConsoleContext, Loaded } from '../page.ts'

export interface PersonRow {
  readonly name: string
  readonly displayName: string
  readonly role: string
  readonly roleName: string
  readonly isActive: boolean
  readonly isMe: boolean
  readonly factors: readonly ('passkey' | 'code')[]
  readonly seen: string | null
  readonly sessions: number
  /** What becomes of a lost factor; null where nothing is under way. */
  readonly reset: {
    readonly state: 'reported' | 'asked' | 'delayed'
    readonly due: string | null
  } | null
}

export interface RoleColumn {
  readonly code: string
  readonly name: string
  readonly isOwn: boolean
  readonly version: number
  readonly people: number
  readonly permissions: readonly Permission[]
  /** Minor units of the shop's currency in text; null for no limit. */
  readonly limits: Readonly<Record<string, string | null>>
  /** The same by whatever means. */
  readonly totals: Readonly<Record<TotalLimit, string | null>>
  /** Hundredths of a percent by which one person may move a price within a week; null for no limit. */
  readonly priceLimit: number | null
}

export interface PeopleData {
  readonly people: readonly PersonRow[]
  readonly invitations: readonly {
    readonly id: string
    readonly name: string
    readonly email: string
    readonly roleName: string
    readonly waits: boolean
    readonly isOver: boolean
    readonly ends: string
  }[]
  readonly roles: readonly RoleColumn[]
  /** What limits are amounts of. */
  readonly currency: { readonly code: string; readonly places: number }
  readonly permissions: readonly Permission[]
  readonly limited: readonly Permission[]
  readonly languages: readonly { readonly code: string; readonly name: string }[]
  readonly language: string
  readonly mayManage: boolean
  readonly isOwner: boolean
}

export async function load(context: ConsoleContext): Promise<Loaded<PeopleData>> {
  const { ctx, t, language, timeZone } = context
  const now = ctx.now()
  const [people, invitations, resets, roles, { code, places }] = await Promise.all([
    listOperators(ctx.db, now),
    listInvitations(ctx.db),
    listResets(ctx.db),
    listRoles(ctx.db),
    readShopCurrency(ctx.db),
  ])
  const moment = (at: Date) => formatShortMoment(language.code, at, timeZone)
  const nameOf = (code: string) =>
    roleName(t, roles.find(({ role }) => role === code) ?? { role: code })
  return {
    title: t('console.people.nav'),
    data: {
      people: people.map((one) => {
        const reset = resets.find(({ operator }) => operator === one.name)
        return {
          name: one.name,
          displayName: one.displayName,
          role: one.role,
          roleName: roleName(t, one),
          isActive: one.status === 'active',
          isMe: one.id === ctx.operator.id,
          factors: one.factors,
          seen: one.seenAt && moment(one.seenAt),
          sessions: one.sessions,
          reset: reset ? { state: reset.state, due: reset.dueAt && moment(reset.dueAt) } : null,
        }
      }),
      invitations: invitations.map((one) => ({
        id: one.id,
        name: one.name,
        email: one.email,
        roleName: nameOf(one.role),
        waits: one.waits,
        isOver: one.expiresAt <= now,
        ends: moment(one.expiresAt),
      })),
      roles: roles.map((one) => ({
        code: one.role,
        name: roleName(t, one),
        isOwn: one.own !== null,
        version: one.version,
        people: one.people,
        permissions: PERMISSIONS.filter((each) => mayDo(one, each)),
        limits: Object.fromEntries(
          LIMITED_PERMISSIONS.filter((each) => mayDo(one, each)).map((each) => [
            each,
            limitOf(one, each)?.toString() ?? null,
          ]),
        ),
        totals: {
          day: totalLimitOf(one, 'day')?.toString() ?? null,
          order: totalLimitOf(one, 'order')?.toString() ?? null,
        },
        priceLimit: priceLimitOf(one),
      })),
      currency: { code, places },
      permissions: PERMISSIONS,
      limited: LIMITED_PERMISSIONS,
      languages: LANGUAGES.map(({ code, nativeName }) => ({ code, name: nativeName })),
      language: language.code,
      mayManage: mayDo(ctx.operator, 'staff.manage'),
      isOwner: ctx.operator.role === 'owner',
    },
  }
}
