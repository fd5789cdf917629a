import { listOperatorSessions, readFactors } from '#features/team/operator/queries.ts'
import type { ShownFactor, Theme } from '#features/team/operator/rules.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import type { ConsoleContext, Loaded } from '../page.ts'

export interface MeData {
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

export async function load({
  ctx,
  session,
  shop,
  t,
  language,
  timeZone,
}: ConsoleContext): Promise<Loaded<MeData>> {
  const { operator } = ctx
  const [factors, sessions] = await Promise.all([
    readFactors(ctx.db, operator.id),
    listOperatorSessions(ctx.db, ctx.now(), { operatorId: operator.id, currentId: session.id }),
  ])
  const moment = (at: Date) => formatShortMoment(language.code, at, timeZone)
  const { passkeys, hasApp, recoveryCodesLeft } = factors
  return {
    title: t('console.me.title'),
    data: {
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
