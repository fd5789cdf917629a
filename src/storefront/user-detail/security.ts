import { listPasskeys, readSecondFactor } from '#features/people/factor/queries.ts'
import { arePasskeysPossible, PASSKEY_NAME_MAX } from '#features/base/authenticator/rules.ts'
import { formatDate } from '#platform/i18n/format.ts'
import type { PersonalPageContext } from '../page.ts'
import { ownerOf } from '../user/area.ts'
import { linkableServices, type LinkableService } from '../user/link.ts'

const STEPS = [
  'password',
  'factor',
  'factor-off',
  'recovery',
  'passkey',
  'passkey-rename',
  'passkey-remove',
] as const
export type SecurityStep = (typeof STEPS)[number]

export interface ShownPasskey {
  readonly id: string
  readonly name: string
  readonly notes: readonly string[]
}

export interface SecurityData {
  readonly step: SecurityStep | null
  readonly hasPassword: boolean
  readonly strictPasswords: boolean
  /** For browsers that keep passwords by name. */
  readonly userName: string
  readonly store: string
  readonly factor: {
    readonly isOn: boolean
    readonly since: string | null
    readonly recoveryLeft: string
  }
  readonly passkeys: {
    readonly arePossible: boolean
    readonly nameMax: number
    readonly list: readonly ShownPasskey[] /** That a step is about. */
    readonly named: ShownPasskey | null
  }
  readonly links: readonly LinkableService[]
}

export async function securityData(page: PersonalPageContext): Promise<SecurityData> {
  const { ctx, t, language, timeZone, query } = page
  const person = ownerOf(page)
  const [factor, passkeys, links] = await Promise.all([
    readSecondFactor(ctx.db, person.accountId),
    listPasskeys(ctx.db, person.accountId),
    linkableServices(page),
  ])
  const date = (at: Date): string => formatDate(language.code, at, timeZone)
  const list = passkeys.map(({ id, name, createdAt, usedAt, isBackedUp }) => ({
    id,
    name,
    notes: [
      t('account.passkeySince', { date: date(createdAt) }),
      usedAt ? t('account.passkeyUsed', { date: date(usedAt) }) : t('account.passkeyNeverUsed'),
      ...(isBackedUp ? [t('account.passkeySynced')] : []),
    ],
  }))
  const named = list.find(({ id }) => id === query.get('id')) ?? null
  return {
    step: stepOf(page, factor.isOn, named !== null),
    hasPassword: person.hasPassword,
    strictPasswords: page.offer.strictPasswords,
    userName: person.userName,
    store: page.shop.settings.name,
    factor: {
      isOn: factor.isOn,
      since:
        factor.confirmedAt === null
          ? null
          : t('account.factorSince', { date: date(factor.confirmedAt) }),
      recoveryLeft: t('account.recoveryLeft', { count: factor.recoveryCodesLeft }),
    },
    passkeys: {
      arePossible: arePasskeysPossible(page.publicUrl),
      nameMax: PASSKEY_NAME_MAX,
      list,
      named,
    },
    links,
  }
}

/** A step that has nothing to work on is none. Turning codes on stays open when they are on: it ends with showing the recovery codes. */
function stepOf(
  { query }: PersonalPageContext,
  isFactorOn: boolean,
  isPasskeyNamed: boolean,
): SecurityStep | null {
  const step = STEPS.find((name) => name === query.get('do')) ?? null
  if ((step === 'factor-off' || step === 'recovery') && !isFactorOn) return null
  if ((step === 'passkey-rename' || step === 'passkey-remove') && !isPasskeyNamed) return null
  return step
}
