import type { MessageKey } from '#platform/i18n/keys.ts'
import { proofData, type ProofData } from '../forms/proof-data.ts'
import type { PageMeta, PersonalPageContext } from '../page.ts'
import { areaData, type AreaData } from '../user/area.ts'
import { closureData, type ClosureData } from './closure.ts'
import { addressesData, type AddressesData } from './addresses.ts'
import { devicesData, type DevicesData } from './devices.ts'
import { playersData, type PlayersData } from './players.ts'
import { profileData, type ProfileData } from './profile.ts'
import { securityData, type SecurityData } from './security.ts'

export const SECTIONS = ['profile', 'security', 'devices', 'addresses', 'players', 'data'] as const
export type Section = (typeof SECTIONS)[number]

/** What a section shows, by its name. */
export type SectionData =
  | ({ readonly section: 'profile' } & ProfileData)
  | ({ readonly section: 'security' } & SecurityData)
  | ({ readonly section: 'devices' } & DevicesData)
  | ({ readonly section: 'addresses' } & AddressesData)
  | ({ readonly section: 'players' } & PlayersData)
  | ({ readonly section: 'data' } & ClosureData)

export interface UserDetailData {
  readonly area: AreaData
  readonly title: string
  /** What has just been done. */
  readonly done: string | null
  readonly proof: ProofData
  readonly shown: SectionData
}

const DONE: Readonly<Record<string, MessageKey>> = {
  phone: 'account.mobileSaved',
  phoneRemoved: 'account.mobileRemoved',
  password: 'account.passwordChanged',
  factorOff: 'account.factorTurnedOff',
  passkey: 'account.passkeyAdded',
  passkeyRenamed: 'account.passkeyRenamed',
  passkeyRemoved: 'account.passkeyRemoved',
  device: 'account.deviceSignedOut',
  devices: 'account.devicesSignedOut',
  address: 'account.addressSaved',
  addressDefault: 'account.addressDefaultSaved',
  addressRemoved: 'account.addressRemoved',
  playerNamed: 'account.playerNamed',
  playerRemoved: 'account.playerRemoved',
}

/** `/userDetail?section=&do=`: one section a page, and one step of it at a time. */
export async function load(page: PersonalPageContext): Promise<UserDetailData> {
  const section = SECTIONS.find((name) => name === page.query.get('section')) ?? 'profile'
  const [area, proof, shown] = await Promise.all([
    areaData(page, 'account'),
    proofData(page),
    LOADERS[section](page),
  ])
  const done = DONE[page.query.get('done') ?? '']
  return {
    area,
    title: page.t('user.account'),
    done: done === undefined ? null : page.t(done),
    proof,
    shown,
  }
}

export function meta(data: UserDetailData, { t }: PersonalPageContext): PageMeta {
  return {
    title: t(`account.${data.shown.section}Title`),
    description: t('account.description'),
    noIndex: true,
  }
}

const LOADERS: Readonly<
  Record<Section, (page: PersonalPageContext) => SectionData | Promise<SectionData>>
> = {
  profile: (page) => ({ section: 'profile', ...profileData(page) }),
  security: async (page) => ({ section: 'security', ...(await securityData(page)) }),
  devices: async (page) => ({ section: 'devices', ...(await devicesData(page)) }),
  addresses: async (page) => ({ section: 'addresses', ...(await addressesData(page)) }),
  players: async (page) => ({ section: 'players', ...(await playersData(page)) }),
  data: async (page) => ({ section: 'data', ...(await closureData(page)) }),
}
