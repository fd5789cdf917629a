import { z } from 'zod'
import {
  digestOf as digest,
  openValues as open,
  sealValues as seal,
  settingsOf as given,
  type EnteredValues,
} from '#features/office/service-settings/engine/settings.ts'
import type { Keys } from '#platform/keys.ts'
import type { GivenSettings, ServiceSettings } from '#platform/service-settings.ts'
import type {
  PaymentMode,
  PaymentService,
  ServiceAccount,
  TriedSettings,
} from '#providers/payment/service.ts'
import { PAYMENT_SERVICES } from '#providers/payment/services.ts'

export {
  addressesLacking,
  isWhole,
  mergedValues,
  shownSettings,
  type EnteredValues,
  type ShownSetting,
} from '#features/office/service-settings/engine/settings.ts'
export type { PaymentMode, ServiceAccount }

/** What settings of payment services are sealed for: no other key opens them, and theirs nothing else. */
const SEAL = 'payment-service'

/** How a trial ended. */
export type Tried = TriedSettings['answer']

/** What the environment says of payment services: it wins, and it alone names addresses. */
export interface PaymentEnvironment {
  readonly services: ServiceSettings
  readonly apiUrls: GivenSettings
}

export const findService = (code: string): PaymentService | undefined =>
  PAYMENT_SERVICES.find((service) => service.code === code)

export const sealValues = (keys: Keys, code: string, values: EnteredValues): Buffer =>
  seal(keys, SEAL, code, values)

/** Null for what was sealed with another key, or for another service. */
export const openValues = (keys: Keys, code: string, sealed: Uint8Array): EnteredValues | null =>
  open(keys, SEAL, code, sealed)

/** Accounts by which settings are replaced by others; null where one is not known. */
export interface AccountChange {
  readonly before: ServiceAccount | null
  readonly after: ServiceAccount | null
}

/** What an approval binds: it says nothing of the values to whoever has not the shop's key. */
export function digestOf(
  keys: Keys,
  code: string,
  values: EnteredValues | null,
  { before, after }: AccountChange,
): string {
  const accounts = [before, after].map((account) => account && [account.id, account.name])
  return digest(keys, SEAL, code, values, accounts)
}

/** Whether money may go to another account than before: it does where the two differ, and may where either is not told. */
export const mayBeOther = ({ before, after }: AccountChange): boolean =>
  before === null || before.id !== after?.id

const accountShape = z.object({ id: z.string(), name: z.string().nullable() })

/** An account as it stands in what waits for an approval; null for none. */
export function accountIn(details: unknown): ServiceAccount | null {
  const read = accountShape.safeParse(details)
  return read.success ? read.data : null
}

/** Settings as the service's adapter takes them: with the address that the environment names, where it names one. */
export const settingsOf = (
  service: PaymentService,
  values: EnteredValues,
  { apiUrls }: Pick<PaymentEnvironment, 'apiUrls'>,
): GivenSettings => given(service, values, apiUrls)
