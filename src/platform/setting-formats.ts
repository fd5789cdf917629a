import { z } from 'zod'
import { parseProxies } from './http/visitor.ts'

export const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i

export const VAULT_KEYS =
  /^[1-9][0-9]{0,8}:[A-Za-z0-9+/]{43}=(?:,[1-9][0-9]{0,8}:[A-Za-z0-9+/]{43}=)*$/

export const SANDBOX_PORTS = /^(?:[a-z-]+:\d{1,5}(?:,[a-z-]+:\d{1,5})*)?$/

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}` })
}

export function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null &&
    (url.protocol === 'postgres:' || url.protocol === 'postgresql:') &&
    url.pathname.length > 1
  )
}

export function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null &&
    (url.protocol === 'smtp:' || url.protocol === 'smtps:') &&
    url.hostname !== '' &&
    (url.pathname === '' || url.pathname === '/') &&
    !url.hash
  )
}

/** A plain address of ASCII characters: anything that a mail header would need quotes for is refused. */
export function isMailAddress(text: string): boolean {
  const [local, host, ...rest] = text.split('@')
  return (
    rest.length === 0 &&
    /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/.test(local ?? '') &&
    HOST_NAME.test(host ?? '')
  )
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    !url.username &&
    !url.password &&
    url.pathname === '/' &&
    !url.search &&
    !url.hash
  )
}

export function isKey(text: string): boolean {
  return /^[A-Za-z0-9+/]{43}=$/.test(text)
}

export function areProxies(text: string): boolean {
  try {
    return parseProxies(text) !== null
  } catch {
    return false
  }
}

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The origin of an address of the shop's own; undefined where none is named. */
export const originLike = (example: string) =>
  z
    .string()
    .refine(
      isOrigin,
      `must be an address like ${example}, with http or https and nothing after the host and port`,
    )
    .transform((text) => new URL(text).origin)
    .optional()
