import { listSessions } from '#features/people/session/queries.ts'
import { formatMoment } from '#platform/i18n/format.ts'
import type { PersonalPageContext } from '../page.ts'
import { ownerOf } from '../user/area.ts'

/** Where the account is signed in. */
export interface DevicesData {
  readonly devices: readonly {
    readonly id: string
    readonly name: string
    readonly isPhone: boolean
    readonly isThis: boolean
    readonly notes: readonly string[]
  }[]
}

const PHONES: readonly string[] = ['iOS', 'iPadOS', 'Android', 'HarmonyOS']

export async function devicesData(page: PersonalPageContext): Promise<DevicesData> {
  const { ctx, t, language, timeZone } = page
  const moment = (at: Date): string => formatMoment(language.code, at, timeZone)
  const sessions = await listSessions(ctx.db, ctx, ownerOf(page))
  const devices = sessions.map(({ id, browser, system, network, createdAt, seenAt, current }) => ({
    id,
    name:
      browser === '' && system === ''
        ? t('account.deviceUnknown')
        : browser === '' || system === ''
          ? browser + system
          : t('account.deviceName', { browser, system }),
    isPhone: PHONES.includes(system),
    isThis: current,
    notes: [
      ...(current ? [] : [t('account.deviceSeen', { time: moment(seenAt) })]),
      t('account.deviceSince', { time: moment(createdAt) }),
      ...(network === ''
        ? []
        : [t('account.deviceNetwork', { network: `\u2068${network}\u2069` })]),
    ],
  }))
  return { devices: devices.sort((a, b) => Number(b.isThis) - Number(a.isThis)) }
}
