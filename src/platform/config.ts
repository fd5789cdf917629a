import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { IDENTITY_SERVICES } from '#providers/identity/services.ts'
import { PAYMENT_SERVICES } from '#providers/payment/services.ts'
import { SUPPLY_SERVICES } from '#providers/supply/services.ts'
import { RATE_SERVICES } from '#providers/rates/services.ts'
import { SCREENING_SERVICES } from '#providers/screening/services.ts'
import { isLoopbackHost } from './http/loopback.ts'
import { identitySettings, type IdentitySettings } from './identity-config.ts'
import { paymentSettings, type PaymentSettings, paymentSettingsOf } from './payment-config.ts'
import { supplySettings, type SupplySettings, supplySettingsOf } from './supply-config.ts'
import { refusal } from './refusal.ts'
import { secret, type Secret } from './secret.ts'
import { readServiceSettings, type ServiceSettings } from './service-settings.ts'
import {
  areProxies,
  HOST_NAME,
  isKey,
  isMailAddress,
  originLike,
  isPostgresUrl,
  isSmtpUrl,
  isTimeZone,
  oneOf,
  SANDBOX_PORTS,
  VAULT_KEYS,
} from './setting-formats.ts'

export type Role = 'all' | 'web' | 'worker'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Every setting of the program, checked and frozen. `docs/operating/configure.md` explains each for operators. */
export type Config = Readonly<{
  host: string
  port: number
  /** Absolute path. */
  dataDirectory: string
  /** Undefined means: run the embedded PostgreSQL under the data directory. */
  databaseUrl: Secret | undefined
  /** For migrating one's own server: of the role that owns the tables. Undefined means: that of databaseUrl does. */
  databaseOwnerUrl: Secret | undefined
  /** Absolute path. Where the embedded PostgreSQL's backups and its log go; undefined means nothing is archived. */
  backupDirectory: string | undefined
  /** Origin without a trailing slash: `https://shop.example`. */
  publicUrl: string
  role: Role
  demo: boolean
  /** A demo that others than this machine may reach: whoever can reads everybody's mails and takes every account. */
  isDemoPublic: boolean
  shopTimeZone: string
  logLevel: LogLevel
  rateLimits: boolean
  /** Browsers keep a page for when the shop cannot be reached. */
  offlinePage: boolean
  /** 32 bytes in base64. Undefined means: the key file in the data directory. */
  secretKey: Secret | undefined
  /** Keys that card keys are encrypted under: number:key, separated by commas, the last is used for new ones. Undefined means: a file in the data directory. */
  vaultKeys: Secret | undefined
  /** Addresses and ranges of proxies whose X-Forwarded-For is believed, separated by commas. */
  trustedProxies: string
  /** Longer passwords with any character, as today's advice has it, in place of the shop's own upper bounds. */
  strictPasswords: boolean
  /** Services that people may sign in with. */
  identity: IdentitySettings
  /** Services that take payments. */
  payment: PaymentSettings
  /** Services that goods are bought from. */
  supply: SupplySettings
  /** Sources of exchange rates that may be asked. */
  rates: ServiceSettings
  /** Services that know whom nothing may be sold to. */
  screening: ServiceSettings
  /** Whether this web process serves the console. */
  console: boolean
  /** Origin that alone serves the console. Undefined means: the shop's own. */
  consoleOrigin: string | undefined
  /** Programs that act for people may buy, by the Model Context Protocol at /mcp. */
  mcp: boolean
  /** Webhooks may go to this machine: for development. */
  webhookLoopback: boolean
  /** Mail server. Undefined means: mails wait unsent, but for the demo, which keeps them in its mailbox page. */
  smtpUrl: Secret | undefined
  /** Address that mails come from. */
  mailFrom: string
  /** Service that sends text messages. Undefined means: phone numbers cannot be added, but in the demo, which mails them to its mailbox. */
  twilio: TwilioSettings | undefined
  /** Loopback ports of the demo's sandboxes by name, chosen by `start`; empty outside the demo. */
  sandboxPorts: Readonly<Record<string, number>>
}>

export type TwilioSettings = Readonly<{
  accountSid: string
  authToken: Secret
  /** A number of ours in E.164, a name of letters and digits, or the id of a messaging service ("MG…"). */
  from: string
}>

type Environment = Readonly<Record<string, string | undefined>>

const ANY_HOST = new Set(['0.0.0.0', '::'])

const settings = z.object({
  PORT: z
    .string()
    .default('3000')
    .refine(
      (text) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535,
      'must be a whole number from 1 to 65535',
    )
    .transform(Number),
  HOST: z
    .string()
    .default('127.0.0.1')
    .refine(
      (text) => isIP(text) !== 0 || HOST_NAME.test(text),
      'must be an IP address or a host name, without a port',
    ),
  DATA_DIR: z
    .string()
    .default('./data')
    .refine(
      (text) => !text.includes('\0') && !text.startsWith('~'),
      'must be a path; write the home folder out instead of ~',
    )
    .transform((text) => resolve(text)),
  BACKUP_DIR: z
    .string()
    .refine(
      (text) => !/["'`$\\%\n\0]/.test(text) && !text.startsWith('~'),
      'must be a path without quotes, $, %, backslash or backquote; write the home folder out instead of ~',
    )
    .transform((text) => resolve(text))
    .optional(),
  DATABASE_URL: z
    .string()
    .refine(isPostgresUrl, 'must look like postgres://user:password@host:5432/database')
    .transform(secret)
    .optional(),
  DATABASE_OWNER_URL: z
    .string()
    .refine(isPostgresUrl, 'must look like postgres://user:password@host:5432/database')
    .transform(secret)
    .optional(),
  PUBLIC_URL: originLike('https://shop.example'),
  ROLE: oneOf(['all', 'web', 'worker']).default('all'),
  DEMO: oneOf(['0', '1', 'public']).optional(),
  SHOP_TIME_ZONE: z
    .string()
    .default('UTC')
    .refine(isTimeZone, 'must be a time zone name like Europe/Berlin or UTC'),
  LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error']).default('info'),
  RATE_LIMITS: oneOf(['on', 'off']).default('on'),
  OFFLINE_PAGE: oneOf(['on', 'off']).default('on'),
  SECRET_KEY: z
    .string()
    .refine(isKey, 'must be 32 bytes in base64, as `openssl rand -base64 32` prints')
    .transform(secret)
    .optional(),
  VAULT_KEYS: z
    .string()
    .regex(
      VAULT_KEYS,
      'must be number:key, separated by commas, each key 32 bytes in base64, as `openssl rand -base64 32` prints',
    )
    .transform(secret)
    .optional(),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .refine(areProxies, 'must be IP addresses or ranges like 10.0.0.0/8, separated by commas'),
  STRICT_PASSWORDS: oneOf(['0', '1']).default('0'),
  CONSOLE: oneOf(['on', 'off']).default('on'),
  CONSOLE_ORIGIN: originLike('https://desk.example'),
  MCP: oneOf(['off', 'on']).default('off'),
  WEBHOOK_LOOPBACK: oneOf(['off', 'allow']).default('off'),
  ...identitySettings,
  ...paymentSettings,
  ...supplySettings,
  SMTP_URL: z
    .string()
    .refine(
      isSmtpUrl,
      'must look like smtp://user:password@host:587 or smtps://user:password@host:465',
    )
    .transform(secret)
    .optional(),
  MAIL_FROM: z
    .string()
    .max(254)
    .refine(isMailAddress, 'must be an address like no-reply@shop.example, without a name')
    .optional(),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/, 'must be an account id: AC and 32 digits or letters a to f')
    .optional(),
  TWILIO_AUTH_TOKEN: z.string().max(200).transform(secret).optional(),
  TWILIO_FROM: z
    .string()
    .regex(
      /^(?:\+[1-9][0-9]{6,14}|MG[0-9a-f]{32}|(?=[A-Za-z0-9 ]*[A-Za-z])[A-Za-z0-9 ]{1,11})$/,
      'must be a number like +15005550006, a name of up to 11 letters and digits, or the id of a messaging service',
    )
    .optional(),
  SANDBOX_PORTS: z
    .string()
    .default('')
    .refine((text) => SANDBOX_PORTS.test(text), 'must be left to the start command')
    .transform(portsByName),
})

/** Names of the environment variables that mean something to the program. */
export const SETTING_NAMES: readonly string[] = Object.keys(settings.shape)

/** Those that outside services declare in their folders. */
export const SERVICE_SETTING_NAMES: readonly string[] = [
  ...IDENTITY_SERVICES,
  ...PAYMENT_SERVICES,
  ...SUPPLY_SERVICES,
  ...RATE_SERVICES,
  ...SCREENING_SERVICES,
].flatMap((service) => Object.keys(service.settings))

/**
 * Checks all settings at once. Throws a refusal whose message holds one sentence a line for every problem.
 * An empty variable counts as absent, as `docker compose` and shells pass them.
 */
export function readConfig(environment: Environment): Config {
  const given = Object.fromEntries(
    SETTING_NAMES.map((name) => [name, environment[name]?.trim() || undefined]),
  )
  const parsed = settings.safeParse(given)
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => problemOf(String(issue.path[0]), issue.message, given))
  const identity = readServiceSettings(IDENTITY_SERVICES, environment)
  const payment = readServiceSettings(PAYMENT_SERVICES, environment)
  const supply = readServiceSettings(SUPPLY_SERVICES, environment)
  const rates = readServiceSettings(RATE_SERVICES, environment)
  const screening = readServiceSettings(SCREENING_SERVICES, environment)
  problems.push(
    ...identity.problems,
    ...payment.problems,
    ...supply.problems,
    ...rates.problems,
    ...screening.problems,
    ...contradictionsIn(given),
  )
  if (parsed.success) problems.push(...openDemoIn(given))
  if (!parsed.success || problems.length > 0) throw refusal(problems.join('\n'))
  const values = parsed.data
  const publicUrl = values.PUBLIC_URL ?? addressOf(values.HOST, values.PORT)
  const demo = isDemoAsked(values.DEMO, values)
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    dataDirectory: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    databaseOwnerUrl: values.DATABASE_OWNER_URL,
    backupDirectory: values.BACKUP_DIR,
    publicUrl,
    role: values.ROLE,
    demo,
    isDemoPublic: values.DEMO === 'public',
    shopTimeZone: values.SHOP_TIME_ZONE,
    logLevel: values.LOG_LEVEL,
    rateLimits: values.RATE_LIMITS === 'on',
    offlinePage: values.OFFLINE_PAGE === 'on',
    secretKey: values.SECRET_KEY,
    vaultKeys: values.VAULT_KEYS,
    trustedProxies: values.TRUSTED_PROXIES,
    strictPasswords: values.STRICT_PASSWORDS === '1',
    identity: Object.freeze({
      services: identity.settings,
      sandboxSecret: values.SANDBOX_IDENTITY_SECRET ?? null,
    }),
    payment: paymentSettingsOf(values, payment, demo),
    supply: supplySettingsOf(values, supply, demo),
    rates: rates.settings,
    screening: screening.settings,
    console: values.CONSOLE === 'on',
    consoleOrigin: values.CONSOLE_ORIGIN,
    mcp: values.MCP === 'on',
    webhookLoopback: values.WEBHOOK_LOOPBACK === 'allow',
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? defaultSender(publicUrl),
    twilio:
      values.TWILIO_ACCOUNT_SID && values.TWILIO_AUTH_TOKEN && values.TWILIO_FROM
        ? {
            accountSid: values.TWILIO_ACCOUNT_SID,
            authToken: values.TWILIO_AUTH_TOKEN,
            from: values.TWILIO_FROM,
          }
        : undefined,
    sandboxPorts: demo ? values.SANDBOX_PORTS : {},
  })
}

export function configFromEnvironment(): Config {
  return readConfig(process.env)
}

/** Where a browser or a health check on this machine reaches a server listening on `host`. */
export function addressOf(host: string, port: number): string {
  const reachable = ANY_HOST.has(host) ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host
  return `http://${reachable}:${port}`
}

function isDemoAsked(
  asked: string | undefined,
  given: { DATABASE_URL?: unknown; PUBLIC_URL?: unknown },
): boolean {
  return asked === undefined ? !given.DATABASE_URL && !given.PUBLIC_URL : asked !== '0'
}

function contradictionsIn(given: Environment): string[] {
  const problems: string[] = []
  if ((given.ROLE === 'web' || given.ROLE === 'worker') && !given.DATABASE_URL) {
    problems.push(
      `ROLE=${given.ROLE} needs DATABASE_URL, because only ROLE=all runs the embedded PostgreSQL.`,
    )
  }
  if ((given.ROLE === 'web' || given.ROLE === 'worker') && !given.SECRET_KEY) {
    problems.push(
      `ROLE=${given.ROLE} needs SECRET_KEY, the same for every process of the shop: codes made by one are checked by another.`,
    )
  }
  if (given.RATE_LIMITS === 'off' && given.PUBLIC_URL?.toLowerCase().startsWith('https:')) {
    problems.push(
      'RATE_LIMITS=off is refused while PUBLIC_URL is https: it is meant for load tests only.',
    )
  }
  const twilio = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM']
  const missing = twilio.filter((name) => !given[name])
  if (missing.length > 0 && missing.length < twilio.length)
    problems.push(
      `${missing.join(' and ')} must be set as well: text messages need all of ${twilio.join(', ')}.`,
    )
  return problems
}

function openDemoIn(given: Environment): string[] {
  const open =
    given.DEMO !== 'public' && isDemoAsked(given.DEMO, given)
      ? addressBeyondLoopback(given)
      : undefined
  return open
    ? [
        `The demo is refused with ${open}, which others than this machine can reach: anybody there could read every mail of the shop and take every account. Set DEMO=0 for a real shop, or DEMO=public for a demo that is everybody's.`,
      ]
    : []
}

function addressBeyondLoopback({ HOST, PUBLIC_URL }: Environment): string | undefined {
  if (HOST && !isLoopbackHost(HOST)) return `HOST=${HOST}`
  const url = PUBLIC_URL ? URL.parse(PUBLIC_URL) : null
  return url && !isLoopbackHost(url.hostname) ? `PUBLIC_URL=${PUBLIC_URL}` : undefined
}

const SECRET_SETTINGS = new Set([
  'DATABASE_URL',
  'SECRET_KEY',
  'VAULT_KEYS',
  'SMTP_URL',
  'TWILIO_AUTH_TOKEN',
  'SANDBOX_IDENTITY_SECRET',
  'SANDBOX_PAYMENT_SECRET',
  'SANDBOX_SUPPLY_SECRET',
])

/** The value is shown, since the operator typed it, except for the settings that hold a secret. */
function problemOf(name: string, message: string, given: Environment): string {
  const value = SECRET_SETTINGS.has(name) ? '' : `, not "${given[name] ?? ''}"`
  return `${name} ${message}${value}.`
}

/** Nobody reads answers there. An IP address is no mail domain: a shop tried out on one writes as this machine. */
function defaultSender(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  return `no-reply@${isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : 'localhost'}`
}

function portsByName(text: string): Record<string, number> {
  return Object.fromEntries(
    text
      .split(',')
      .filter((entry) => entry !== '')
      .map((entry) => entry.split(':'))
      .map(([name, port]) => [name, Number(port)]),
  )
}
