import { z } from 'zod'
import { fieldError } from '#kernel/error.ts'
import type { Keys } from '#platform/keys.ts'
import {
  environmentOnlyOf,
  needsOf,
  wrapped,
  type GivenSettings,
  type ServiceDeclaration,
} from '#platform/service-settings.ts'

/** Settings as they are entered, by name. */
export type EnteredValues = Readonly<Record<string, string>>

/** A service whose settings are entered in the console. */
export interface EnterableService extends ServiceDeclaration {
  readonly plain?: Readonly<Record<string, 'id' | readonly string[]>>
}

/** What can be entered: all but where it is called, to which secrets could be sent. */
export function enterableOf(service: EnterableService): readonly string[] {
  const elsewhere = environmentOnlyOf(service)
  return Object.keys(service.settings).filter((name) => !elsewhere.includes(name))
}

/** @param seal what they are sealed for: no other key opens them */
export function sealValues(keys: Keys, seal: string, code: string, values: EnteredValues): Buffer {
  return keys.seal(seal, Buffer.from(JSON.stringify({ code, values })))
}

const sealedShape = z.object({ code: z.string(), values: z.record(z.string(), z.string()) })

/** Null for what was sealed with another key, or for another service. */
export function openValues(
  keys: Keys,
  seal: string,
  code: string,
  sealed: Uint8Array,
): EnteredValues | null {
  try {
    const opened = sealedShape.parse(JSON.parse(keys.open(seal, sealed).toString('utf8')))
    return opened.code === code ? opened.values : null
  } catch {
    return null
  }
}

/** What an approval binds: it says nothing of the values to whoever has not the shop's key. @param more what it binds beside them */
export function digestOf(
  keys: Keys,
  seal: string,
  code: string,
  values: EnteredValues | null,
  more: unknown,
): string {
  const listed =
    values && Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return keys.mac(seal, JSON.stringify([code, listed, more])).toString('hex')
}

/**
 * What is there, with what was entered anew. Throws, at its field, for what the service does not know, what it cannot be, and what is
 * still missing.
 */
export function mergedValues(
  service: EnterableService,
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
    if (names.includes(name) && merged[name] === undefined) throw fieldError(name, 'required')
  return merged
}

/** Whether values are all that a service needs, and each of them what it can be. */
export const isWhole = (service: EnterableService, values: EnteredValues): boolean =>
  enterableOf(service).every(
    (name) => z.safeParse(service.settings[name] ?? z.never(), values[name]).success,
  )

/** Settings as the service's adapter takes them: with what the environment alone says, where it says it. */
export function settingsOf(
  service: EnterableService,
  values: EnteredValues,
  environment: GivenSettings,
): GivenSettings {
  const own = enterableOf(service).flatMap((name) => {
    const value = values[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const addresses = environmentOnlyOf(service).flatMap((name) => {
    const given = environment[name]
    return given === undefined ? [] : [[name, given] as const]
  })
  return { ...wrapped(Object.fromEntries(own)), ...Object.fromEntries(addresses) }
}

/** What the environment alone can say, without which the service cannot be called. */
export const addressesLacking = (
  service: EnterableService,
  environment: GivenSettings,
): readonly string[] =>
  needsOf(service).filter(
    (name) => environmentOnlyOf(service).includes(name) && environment[name] === undefined,
  )

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
  service: EnterableService,
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

/** What was given, as text: of settings that are shown only by `shownSettings`. */
export const revealed = (given: GivenSettings): EnteredValues =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value.reveal()]))
