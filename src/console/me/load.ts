import { readOwnLimits } from '#features/team/approval/queries.ts'
import { listOperatorSessions, readFactors } from '#features/team/operator/queries.ts'
import type { ShownFactor, Theme } from '#features/team/operator/rules.ts'
import { formatMoney, formatShortMoment } from '#platform/i18n/format.ts'
import type { ConsoleContext, Loaded } from '../page.ts'

/** How much of a limit is used up, written as the operator's language does. */
export interface LimitLine {
  readonly name: string
  /** A permission: names of calls and of the audit, in every language. */
  readonly isCode: boolean
  readonly used: string
  /** Null for no limit. */
  readonly limit: string | null
  /** What is left of it; null likewise. */
  readonly left: string | null
  /** Of hundred; null where it means nothing. */
  readonly share: number | null
}

export interface MeData {
  /** What one may give, and has given; empty where the role gives nothing. */
  readonly limits: readonly LimitLine[]
  /** Never changes: what is signed in with, beside the address. */
  readonly name: string
  readonly displayName: string
  readonly email: string | null
  readonly theme: Theme
  readonly passkeys: readonly {
    readonly id: string
    readonly name: string
    readonly added: string
    readonly used: string | null
  }[]
  readonly hasApp: boolean
  readonly codesLeft: number
  /** The last factor stays where one is required. */
  readonly mayRemoveFactor: boolean
  readonly sessions: readonly {
    readonly id: string
    readonly device: string
    readonly network: string
    readonly factor: ShownFactor
    readonly began: string
    readonly seen: string
    readonly isCurrent: boolean
  }[]
}

export async function load(context: ConsoleContext): Promise<Loaded<MeData>> {
  const { ctx, session, shop, t, language, timeZone } = context
  const { operator } = ctx
  const [limits, factors, sessions] = await Promise.all([
    limitLines(context),
    readFactors(ctx.db, operator.id),
    listOperatorSessions(ctx.db, ctx.now(), { operatorId: operator.id, currentId: session.id }),
  ])
  const moment = (at: Date) => formatShortMoment(language.code, at, timeZone)
  const { passkeys, hasApp, recoveryCodesLeft } = factors
  return {
    title: t('console.me.title'),
    data: {
      limits,
      name: operator.name,
      displayName: session.profile.displayName,
      email: session.profile.email,
      theme: session.profile.theme,
      passkeys: passkeys.map(({ id, name, createdAt, usedAt }) => ({
        id,
        name,
        added: moment(createdAt),
        used: usedAt && moment(usedAt),
      })),
      hasApp,
      codesLeft: recoveryCodesLeft,
      mayRemoveFactor: shop.isDemo || passkeys.length + (hasApp ? 1 : 0) > 1,
      sessions: sessions.map(({ browser, system, createdAt, seenAt, ...listed }) => ({
        id: listed.id,
        device: [browser, system].filter((part) => part !== '').join(', '),
        network: listed.network,
        factor: listed.factor,
        began: moment(createdAt),
        seen: moment(seenAt),
        isCurrent: listed.isCurrent,
      })),
    },
  }
}

async function limitLines({ ctx, t, language }: ConsoleContext): Promise<LimitLine[]> {
  const { currency, totals, permissions } = await readOwnLimits(ctx.db, ctx, ctx.now())
  if (permissions.length === 0) return []
  const { code, places } = currency
  const text = (minor: bigint) => formatMoney(language.code, code, minor, places, places)
  const line = (name: string, isCode: boolean, used: bigint, limit: bigint | null): LimitLine => ({
    name,
    isCode,
    used: text(used),
    limit: limit === null ? null : text(limit),
    left: limit === null ? null : text(limit > used ? limit - used : 0n),
    share: limit === null || limit === 0n ? null : Number((used * 100n) / limit),
  })
  return [
    ...totals.map(({ total, used, limit }) =>
      line(t(`console.people.total.${total}`), false, used, limit),
    ),
    // Their limits are for one customer: of what went to all of them nothing can be left.
    ...permissions.map(({ permission, used, limit }) => ({
      ...line(permission, true, used, limit),
      left: null,
      share: null,
    })),
  ]
}
