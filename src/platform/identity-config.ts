import { createPrivateKey } from 'node:crypto'
import { z } from 'zod'
import { secret, type Secret } from './secret.ts'

/** What a service that signs people in gave the shop; null where it is not offered. */
export interface IdentitySettings {
  readonly google: ClientSettings | null
  readonly apple: AppleSettings | null
  readonly facebook: ClientSettings | null
  readonly discord: ClientSettings | null
  readonly oidc: OidcSettings | null
  /** What the shop and the demo's own provider share, made anew at every start; null outside the demo. */
  readonly sandboxSecret: Secret | null
}

export interface ClientSettings {
  readonly clientId: string
  readonly clientSecret: Secret
}

export interface AppleSettings {
  /** The Services ID. */
  readonly clientId: string
  readonly teamId: string
  readonly keyId: string
  /** PKCS #8 in PEM, the content of the .p8 file. */
  readonly privateKey: Secret
}

export interface OidcSettings extends ClientSettings {
  readonly issuer: string
  /** What people read on the button. */
  readonly name: string
}

type Environment = Readonly<Record<string, string | undefined>>

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

const clientId = z.string().max(300)
const clientSecret = z.string().max(500).transform(secret)
const appleName = z
  .string()
  .regex(/^[A-Z0-9]{10}$/, 'must be 10 upper case letters and digits, as Apple shows it')

/** The settings of one service stand or fall together, OIDC_NAME excepted. */
export const identitySettings = {
  GOOGLE_CLIENT_ID: clientId.optional(),
  GOOGLE_CLIENT_SECRET: clientSecret.optional(),
  APPLE_CLIENT_ID: clientId.optional(),
  APPLE_TEAM_ID: appleName.optional(),
  APPLE_KEY_ID: appleName.optional(),
  APPLE_PRIVATE_KEY: z
    .string()
    .transform(withLineBreaks)
    .refine(
      isP256Key,
      'must be the content of the .p8 file that Apple gave you; line breaks may be written as \\n',
    )
    .transform(secret)
    .optional(),
  FACEBOOK_CLIENT_ID: clientId.optional(),
  FACEBOOK_CLIENT_SECRET: clientSecret.optional(),
  DISCORD_CLIENT_ID: clientId.optional(),
  DISCORD_CLIENT_SECRET: clientSecret.optional(),
  OIDC_ISSUER: z
    .string()
    .max(500)
    .refine(
      isIssuer,
      'must be an https address without query, as in its openid-configuration (http only for this machine)',
    )
    .optional(),
  OIDC_CLIENT_ID: clientId.optional(),
  OIDC_CLIENT_SECRET: clientSecret.optional(),
  OIDC_NAME: z.string().max(40, 'must be at most 40 characters long').default('Single sign-on'),
  SANDBOX_IDENTITY_SECRET: clientSecret.optional(),
}

type Values = z.infer<z.ZodObject<typeof identitySettings>>

const SETS: readonly (readonly (keyof Values)[])[] = [
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY'],
  ['FACEBOOK_CLIENT_ID', 'FACEBOOK_CLIENT_SECRET'],
  ['DISCORD_CLIENT_ID', 'DISCORD_CLIENT_SECRET'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
]

export const IDENTITY_SECRETS: readonly string[] = Object.keys(identitySettings).filter((name) =>
  /_(?:SECRET|PRIVATE_KEY)$/.test(name),
)

/** A sentence for every service that was given only in part. */
export function halfIdentitySets(given: Environment): string[] {
  return SETS.flatMap((names) => {
    const absent = names.filter((name) => !given[name])
    const present = names.filter((name) => given[name])
    return absent.length === 0 || present.length === 0
      ? []
      : [
          `${present.join(', ')} ${present.length === 1 ? 'needs' : 'need'} ${absent.join(', ')} beside ${present.length === 1 ? 'it' : 'them'}.`,
        ]
  })
}

export function identitySettingsOf(values: Values): IdentitySettings {
  return Object.freeze({
    google: clientOf(values.GOOGLE_CLIENT_ID, values.GOOGLE_CLIENT_SECRET),
    apple:
      values.APPLE_CLIENT_ID &&
      values.APPLE_TEAM_ID &&
      values.APPLE_KEY_ID &&
      values.APPLE_PRIVATE_KEY
        ? {
            clientId: values.APPLE_CLIENT_ID,
            teamId: values.APPLE_TEAM_ID,
            keyId: values.APPLE_KEY_ID,
            privateKey: values.APPLE_PRIVATE_KEY,
          }
        : null,
    facebook: clientOf(values.FACEBOOK_CLIENT_ID, values.FACEBOOK_CLIENT_SECRET),
    discord: clientOf(values.DISCORD_CLIENT_ID, values.DISCORD_CLIENT_SECRET),
    oidc: oidcOf(values),
    sandboxSecret: values.SANDBOX_IDENTITY_SECRET ?? null,
  })
}

/** The same settings as environment variables, for a child process. */
export function identityEnvironment(settings: IdentitySettings): Record<string, string> {
  const { google, apple, facebook, discord, oidc, sandboxSecret } = settings
  return {
    ...(google
      ? { GOOGLE_CLIENT_ID: google.clientId, GOOGLE_CLIENT_SECRET: google.clientSecret.reveal() }
      : {}),
    ...(apple
      ? {
          APPLE_CLIENT_ID: apple.clientId,
          APPLE_TEAM_ID: apple.teamId,
          APPLE_KEY_ID: apple.keyId,
          APPLE_PRIVATE_KEY: apple.privateKey.reveal(),
        }
      : {}),
    ...(facebook
      ? {
          FACEBOOK_CLIENT_ID: facebook.clientId,
          FACEBOOK_CLIENT_SECRET: facebook.clientSecret.reveal(),
        }
      : {}),
    ...(discord
      ? {
          DISCORD_CLIENT_ID: discord.clientId,
          DISCORD_CLIENT_SECRET: discord.clientSecret.reveal(),
        }
      : {}),
    ...(oidc
      ? {
          OIDC_ISSUER: oidc.issuer,
          OIDC_CLIENT_ID: oidc.clientId,
          OIDC_CLIENT_SECRET: oidc.clientSecret.reveal(),
          OIDC_NAME: oidc.name,
        }
      : {}),
    ...(sandboxSecret ? { SANDBOX_IDENTITY_SECRET: sandboxSecret.reveal() } : {}),
  }
}

/** Plain http is good enough only where no network lies between. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.has(url.hostname)
}

function clientOf(id: string | undefined, key: Secret | undefined): ClientSettings | null {
  return id && key ? { clientId: id, clientSecret: key } : null
}

function oidcOf(values: Values): OidcSettings | null {
  const client = clientOf(values.OIDC_CLIENT_ID, values.OIDC_CLIENT_SECRET)
  return client && values.OIDC_ISSUER
    ? { ...client, issuer: values.OIDC_ISSUER, name: values.OIDC_NAME }
    : null
}

function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))) &&
    !url.username &&
    !url.password &&
    !url.search &&
    !url.hash
  )
}

/** A file's content in one line of an .env file. */
function withLineBreaks(text: string): string {
  return text.replaceAll('\\n', '\n').trim()
}

function isP256Key(pem: string): boolean {
  try {
    const key = createPrivateKey(pem)
    return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}
