import {
  addressesLacking,
  digestOf as digest,
  openValues as open,
  sealValues as seal,
  settingsOf as given,
  type EnteredValues,
} from '#features/office/service-settings/engine/settings.ts'
import type { Keys } from '#platform/keys.ts'
import type { GivenSettings } from '#platform/service-settings.ts'
import type { SupplyEnvironment } from '#providers/supply/offered.ts'
import type { SupplyService } from '#providers/supply/service.ts'
import { SUPPLY_SERVICES } from '#providers/supply/services.ts'
import type { TriedSupplier } from '#providers/supply/try-out.ts'

export type { SupplyEnvironment }
export type { Suppliers } from '#providers/supply/provider.ts'

/** What settings of suppliers are sealed for: no other key opens them, and theirs nothing else. */
const SEAL = 'supplier-service'

export type Tried = TriedSupplier['answer']

export const findSupplier = (code: string): SupplyService | undefined =>
  SUPPLY_SERVICES.find((service) => service.code === code)

export const sealValues = (keys: Keys, code: string, values: EnteredValues): Buffer =>
  seal(keys, SEAL, code, values)

/** Null for what was sealed with another key, or for another supplier. */
export const openValues = (keys: Keys, code: string, sealed: Uint8Array): EnteredValues | null =>
  open(keys, SEAL, code, sealed)

/** Whose account settings belong to, by what the supplier calls its customer; null where only a secret tells. */
export interface AccountChange {
  readonly before: string | null
  readonly after: string | null
}

/** What an approval binds. */
export const digestOf = (
  keys: Keys,
  code: string,
  values: EnteredValues | null,
  { before, after }: AccountChange,
): string => digest(keys, SEAL, code, values, [before, after])

export const settingsOf = (
  service: SupplyService,
  values: EnteredValues,
  { addresses }: Pick<SupplyEnvironment, 'addresses'>,
): GivenSettings => given(service, values, addresses)

const ACCOUNT_MAX = 200

/** Whose account these are of. */
export const accountOf = (service: SupplyService, settings: GivenSettings): string | null =>
  service.account === undefined
    ? null
    : (settings[service.account]?.reveal().slice(0, ACCOUNT_MAX) ?? null)

export type SupplyMode = 'live' | 'test'

/** Whether what is bought there is for real; null where the settings do not tell. */
export function modeOf(service: SupplyService, settings: GivenSettings): SupplyMode | null {
  const [name] = Object.entries(service.plain ?? {}).find(
    ([, options]) => options !== 'id' && options.includes('live') && options.includes('sandbox'),
  ) ?? [null]
  if (name === null) return null
  return settings[name]?.reveal() === 'sandbox' ? 'test' : 'live'
}

/** What keeps settings of a supplier from being entered here; null for nothing. */
export function closedBy(
  service: SupplyService,
  { services, addresses, own, isDemo }: SupplyEnvironment,
): { readonly by: 'environment' | 'address'; readonly names: readonly string[] } | null {
  if (services[service.code]) return { by: 'environment', names: [] }
  const lacking = addressesLacking(service, addresses)
  if (lacking.length > 0) return { by: 'address', names: lacking }
  return isDemo && !own[service.code] ? { by: 'address', names: [] } : null
}

/** Whether purchases may be made at another account than before, as the two differ or one is not told. */
export const mayBeOther = ({ before, after }: AccountChange): boolean =>
  before === null || before !== after

/** Whether they certainly are. */
export const isOther = ({ before, after }: AccountChange): boolean =>
  before !== null && after !== null && before !== after
