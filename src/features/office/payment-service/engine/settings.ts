import { z } from 'zod'
import { fieldError } from '#kernel/error.ts'
import type { Keys } from '#platform/keys.ts'
import {
  needsOf,
  wrapped,
  type GivenSettings,
  type ServiceSettings,
} from '#platform/service-settings.ts'
import type {
  PaymentMode,
  PaymentService,
  ServiceAccount,
  TriedSettings,
} from '#providers/payment/service.ts'

export type { PaymentMode, ServiceAccount }
import { PAYMENT_SERVICES } from '#providers/payment/services.ts'

/** What settings of payment services are sealed for: no other key opens them, and theirs nothing else. */
const SEAL = 'payment-service'

/** How a trial ended. */
export type Tried = TriedSettings['answer']

/** Settings as they are entered, by name. */
export type EnteredValues = Readonly<Record<string, string>>

/** What the environment says of payment services: it wins, and it alone names addresses. */
export interface PaymentEnvironment {
  readonly services: ServiceSettings
  readonly apiUrls: GivenSettings
}

export const findService = (code: string): PaymentService | undefined =>
  PAYMENT_SERVICES.find((service) => service.code === code)

/** What can be entered: all but an address, to which secrets could be sent. */
export const enterableOf = ({ settings, apiUrl }: PaymentService): readonly string[] =>
  Object.keys(settings).filter((name) => name !== apiUrl)

export function sealValues(keys: Keys, code: string, values: EnteredValues): Buffer {
  return keys.seal(SEAL, Buffer.from(JSON.stringify({ code, values })))
}

const sealedShape = z.object({ code: z.string(), values: z.record(z.string(), z.string()) })

/** Null for what was sealed with another key, or for another service. */
export function openValues(keys: Keys, code: string, sealed: Uint8Array): EnteredValues | null {
  try {
    const opened = sealedShape.parse(JSON.parse(keys.open(SEAL, sealed).toString('utf8')))
    return opened.code === code ? opened.values : null
  } catch {
    return null
  }
}

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
  const listed =
    values && Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const accounts = [before, after].map((account) => account && [account.id, account.name])
  return keys.mac(SEAL, JSON.stringify([code, listed, accounts])).toString('hex')
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

/**
 * What is there, with what was entered anew. Throws, at its field, for what the service does not know, what it cannot be, and what is
 * still missing.
 */
export function mergedValues(
  service: PaymentService,
  kept: EnteredValues,
  entered: EnteredValues,
): EnteredValues {
  const names = enterableOf(service)
  for (const [name, value] of Object.entries(entered)) {
    if (!names.includes(name)) throw fieldError(name, 'unknown_field')
    if (!z.safeParse(service.settings[name] ?? z.never(), value.trim()).success)
      throw fieldError(name, 'setting_format')
  }
  const given = Object.entries(entered).map(([name, value]) => [name, value.trim()] as const)
  const merged: EnteredValues = { ...kept, ...Object.fromEntries(given) }
  for (const name of needsOf(service))
    if (merged[name] === undefined) throw fieldError(name, 'required')
  return merged
}

/** Whether values are all that a service needs, and each of them what it can be. */
export const isWhole = (service: PaymentService, values: EnteredValues): boolean =>
  enterableOf(service).every(
    (name) => z.safeParse(service.settings[name] ?? z.never(), values[name]).success,
  )

/** Settings as the service's adapter takes them: with the address that the environment names, where it names one. */
export function settingsOf(
  service: PaymentService,
  values: EnteredValues,
  { apiUrls }: Pick<PaymentEnvironment, 'apiUrls'>,
): GivenSettings {
  const own = enterableOf(service).flatMap((name) => {
    const value = values[name]
    return value === undefined ? [] : [[name, value]]
  })
  const address = service.apiUrl === undefined ? undefined : apiUrls[service.apiUrl]
  return {
    ...wrapped(Object.fromEntries(own) as Record<string, string>),
    ...(service.apiUrl !== undefined && address ? { [service.apiUrl]: address } : {}),
  }
}

export interface ShownSetting {
  readonly name: string
  readonly kind: 'secret' | 'id' | 'choice'
  /** Of a choice. */
  readonly options: readonly string[]
  readonly isNeeded: boolean
  readonly isSet: boolean
  /** A choice, or the end of an id; never anything of a secret. */
  readonly shown: string | null
}

/** Shorter ids are not shown even by their end. */
const SHOWN_FROM = 12
const SHOWN_END = 4

/** A service's settings as people may see them. */
export function shownSettings(
  service: PaymentService,
  values: Readonly<Record<string, string | undefined>>,
): ShownSetting[] {
  const needed = needsOf(service)
  return enterableOf(service).map((name) => {
    const plain = service.plain?.[name]
    const value = values[name]
    const kind = plain === undefined ? 'secret' : plain === 'id' ? 'id' : 'choice'
    const isEndShown = kind === 'id' && value !== undefined && value.length >= SHOWN_FROM
    return {
      name,
      kind,
      options: plain === undefined || plain === 'id' ? [] : plain,
      isNeeded: needed.includes(name),
      isSet: value !== undefined,
      shown:
        kind === 'choice'
          ? (value ?? null)
          : isEndShown
            ? (value?.slice(-SHOWN_END) ?? null)
            : null,
    }
  })
}
