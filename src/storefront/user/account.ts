import { listPasskeys, readSecondFactor } from '#features/factor/queries.ts'
import { arePasskeysPossible } from '#features/factor/rules.ts'
import { listIdentities } from '#features/identity/queries.ts'
import { listSessions } from '#features/session/queries.ts'
import { formatDate, formatList } from '#platform/i18n/format.ts'
import type { PersonalPageContext } from '../page.ts'
import { serviceName } from './link.ts'
import { ownerOf } from './area.ts'

/** The account at a glance. */
export interface AccountData {
  readonly nickname: string
  readonly userName: string
  readonly email: string
  /** Null without a verified one. */
  readonly mobile: string | null
  /** A number can be added here, as text messages can be sent. */
  readonly canAddMobile: boolean
  readonly registered: string
  readonly hasPassword: boolean
  readonly hasSecondFactor: boolean
  /** Null where the shop's address can have none, and there are none. */
  readonly passkeys: string | null
  readonly devices: string
  /** Names of the linked services; null without any. */
  readonly links: string | null
}

export async function accountData(page: PersonalPageContext): Promise<AccountData> {
  const { ctx, t, language } = page
  const person = ownerOf(page)
  const [factor, passkeys, sessions, identities] = await Promise.all([
    readSecondFactor(ctx.db, person.accountId), listPasskeys(ctx.db, person.accountId), listSessions(ctx.db, ctx, person), listIdentities(ctx.db, person.accountId),
  ])
  return {
    nickname: person.nickname,
    userName: person.userName,
    email: person.email,
    mobile: person.mobileVerified ? person.mobile : null,
    canAddMobile: page.offer.isSmsPossible,
    registered: formatDate(language.code, person.registeredAt, page.timeZone),
    hasPassword: person.hasPassword,
    hasSecondFactor: factor.isOn,
    passkeys: passkeys.length > 0 || arePasskeysPossible(page.publicUrl) ? t('user.passkeys', { count: passkeys.length }) : null,
    devices: t('user.devices', { count: sessions.length }),
    links: identities.length === 0 ? null : formatList(language.code, identities.map(({ platform }) => serviceName(page, platform))),
  }
}
