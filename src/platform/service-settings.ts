import { z } from 'zod'
import { secret, type Secret } from './secret.ts'

/** Variables of the environment as they were given, wrapped, since most are secrets. */
export type GivenSettings = Readonly<Record<string, Secret>>

/** What an outside service says of its settings, in its own folder. */
export interface ServiceDeclaration {
  readonly code: string
  /**
   * The variables it reads, by name. It is offered once all of those are given that have no default and are not optional: they
   * stand or fall together.
   */
  readonly settings: z.ZodRawShape
  /** The setting that names another server of the same protocol. */
  readonly apiUrl?: string
  /** Others that say where it is called, and what of this machine's network it may reach: the environment alone gives them. */
  readonly environmentOnly?: readonly string[]
}

/** Settings that are entered nowhere: secrets go where they say. */
export const environmentOnlyOf = ({
  apiUrl,
  environmentOnly = [],
}: Pick<ServiceDeclaration, 'apiUrl' | 'environmentOnly'>): readonly string[] =>
  apiUrl === undefined ? environmentOnly : [apiUrl, ...environmentOnly]

/** Settings of the services that are offered, by their code. */
export type ServiceSettings = Readonly<Record<string, GivenSettings>>

/** Settings of accounts that were replaced by others, by the code of their service, newest first. */
export type FormerSettings = Readonly<Record<string, readonly GivenSettings[]>>

/** What the environment says of services of one kind. */
export interface ReadSettings {
  readonly settings: ServiceSettings
  /** Addresses of other servers, also where the rest of a service's settings is not given. */
  readonly apiUrls: GivenSettings
  readonly problems: readonly string[]
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Another server of a service's protocol. Money and secrets go there: in the clear on this machine only. */
export const apiUrlSetting = z
  .string()
  .refine((text) => {
    const url = URL.parse(text)
    const isOrigin = url?.pathname === '/' && url.search === '' && url.username === ''
    return isOrigin && (url.protocol === 'https:' || LOOPBACK.has(url.hostname))
  }, 'must be an https address with nothing after its host, or http on this machine')
  .transform((text) => new URL(text).origin)
  .optional()

/** Addresses of other servers: the environment alone names them, also where the rest of a service's settings comes from elsewhere. */
function apiUrlsOf(
  services: readonly Pick<ServiceDeclaration, 'apiUrl' | 'environmentOnly'>[],
  given: Environment,
): GivenSettings {
  return wrapped(
    Object.fromEntries(
      services.flatMap(environmentOnlyOf).flatMap((name) => {
        const value = given[name]?.trim()
        return value ? [[name, value]] : []
      }),
    ),
  )
}

type Environment = Readonly<Record<string, string | undefined>>

/** The settings of every service given whole, and a sentence for every fault: a service given in part, or a value that is none. */
export function readServiceSettings(
  services: readonly ServiceDeclaration[],
  given: Environment,
): ReadSettings {
  const settings: Record<string, GivenSettings> = {}
  const problems: string[] = []
  for (const service of services) {
    const values = Object.fromEntries(
      Object.keys(service.settings).flatMap((name) => {
        const value = given[name]?.trim()
        return value ? [[name, value]] : []
      }),
    )
    const half = halfGiven(service, values)
    const parsed = z.object(service.settings).partial().safeParse(values)
    // No value is shown: most of them are secrets.
    for (const { path, message } of parsed.error?.issues ?? []) {
      problems.push(`${String(path[0])} ${message}.`)
    }
    if (half) problems.push(half)
    if (isWhole(service, values)) settings[service.code] = wrapped(values)
  }
  return { settings: Object.freeze(settings), problems, apiUrls: apiUrlsOf(services, given) }
}

/** The variables that a service was given, as it reads them itself. */
export function parseSettings<Shape extends z.ZodRawShape>(
  shape: Shape,
  given: GivenSettings,
): z.infer<z.ZodObject<Shape>> {
  const values = Object.entries(given).map(([name, value]) => [name, value.reveal()])
  return z.object(shape).parse(Object.fromEntries(values))
}

/** The same settings as variables, for a child process. */
export function serviceEnvironment(settings: ServiceSettings): Record<string, string> {
  const given = Object.values(settings).flatMap((values) => Object.entries(values))
  return Object.fromEntries(given.map(([name, value]) => [name, value.reveal()]))
}

/** Settings without which a service is not offered. */
export function needsOf({ settings }: Pick<ServiceDeclaration, 'settings'>): string[] {
  const isNeeded = (name: string) => !z.safeParse(settings[name] ?? z.never(), undefined).success
  return Object.keys(settings).filter(isNeeded)
}

function isWhole(service: ServiceDeclaration, values: Environment): boolean {
  return needsOf(service).every((name) => values[name] !== undefined)
}

function halfGiven(service: ServiceDeclaration, values: Environment): string | null {
  const needs = needsOf(service)
  const absent = needs.filter((name) => values[name] === undefined)
  // An address alone is no part of a service: the rest may be entered in the console.
  const elsewhere = environmentOnlyOf(service)
  const present = needs.filter((name) => values[name] !== undefined && !elsewhere.includes(name))
  if (absent.length === 0 || present.length === 0) return null
  const isOne = present.length === 1
  return `${present.join(', ')} ${isOne ? 'needs' : 'need'} ${absent.join(', ')} beside ${isOne ? 'it' : 'them'}.`
}

export function wrapped(values: Readonly<Record<string, string>>): GivenSettings {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, secret(value)]))
}
