import {
  ClientSecretPost,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type ClientAuth,
  type Configuration,
  type CustomFetch,
} from 'openid-client'
import { asIdentityFailure, identityOf, personClaims } from '../answers.ts'
import { checkClient } from '../check-client.ts'
import { fetchOutside } from '../outside.ts'
import type {
  AuthorizationAnswer,
  AuthorizationRequest,
  IdentityProvider,
  ProviderIdentity,
} from '../provider.ts'
import { isLoopback } from '../loopback.ts'

export interface OidcOptions {
  readonly platform: string
  readonly name: string
  /** As in its openid-configuration. Plain http is accepted on this machine only. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope?: string
  /** Where people are sent, when that is not the issuer's own origin. */
  readonly origin?: string
  /** Further parameters of the authorization request. */
  readonly parameters?: Readonly<Record<string, string>>
  /** In place of sending the secret with the request for a token. */
  readonly authentication?: ClientAuth
  /** Off only where the provider documents no PKCE; the nonce then ties the code to the request. */
  readonly usesPkce?: boolean
  /** Claims a person's details are asked for with a second call, when the token does not tell them. */
  readonly asksUserInfo?: boolean
  /** Requests stay on this machine whatever the issuer's address says. */
  readonly isOwnMachine?: boolean
  readonly timeoutMs?: number
  readonly fetch?: (url: string, options?: RequestInit) => Promise<Response>
}

const TIMEOUT_MS = 8_000
/** Keys and addresses of a provider change rarely, and never without an overlap of days. */
const DISCOVERY_AGE_MS = 60 * 60 * 1_000

/**
 * An OpenID provider (OpenID Connect Core 1.0, code flow): state, nonce, PKCE S256, the issuer of the answer (RFC 9207) and
 * the id token with its signature, audience and times are checked.
 */
export function oidcProvider(options: OidcOptions): IdentityProvider {
  const configuration = discovered(options)
  return {
    platform: options.platform,
    name: options.name,
    origin: options.origin ?? new URL(options.issuer).origin,
    async authorizationUrl(request) {
      try {
        return buildAuthorizationUrl(await configuration(), requestParameters(options, request))
      } catch (error) {
        throw asIdentityFailure(error)
      }
    },
    async exchange(answer) {
      try {
        return await redeem(options, await configuration(), answer)
      } catch (error) {
        throw asIdentityFailure(error)
      }
    },
    check: async (redirectUri) => checkClient(await configuration(), redirectUri),
  }
}

function requestParameters(
  options: OidcOptions,
  request: AuthorizationRequest,
): Record<string, string> {
  return {
    scope: options.scope ?? 'openid email profile',
    redirect_uri: request.redirectUri,
    state: request.state,
    nonce: request.nonce,
    ...(options.usesPkce === false
      ? {}
      : { code_challenge: request.codeChallenge, code_challenge_method: 'S256' }),
    ui_locales: request.language,
    ...options.parameters,
  }
}

async function redeem(
  options: OidcOptions,
  configuration: Configuration,
  answer: AuthorizationAnswer,
): Promise<ProviderIdentity> {
  const landing = new URL(answer.redirectUri)
  landing.search = new URLSearchParams(answer.parameters).toString()
  const tokens = await authorizationCodeGrant(configuration, landing, {
    expectedState: answer.state,
    expectedNonce: answer.nonce,
    idTokenExpected: true,
    ...(options.usesPkce === false ? {} : { pkceCodeVerifier: answer.codeVerifier }),
  })
  const claims = personClaims.parse(tokens.claims())
  const identity = identityOf(configuration.serverMetadata().issuer, claims)
  if (
    identity.email !== '' ||
    options.asksUserInfo === false ||
    !configuration.serverMetadata().userinfo_endpoint
  )
    return identity
  const told = personClaims.parse(
    await fetchUserInfo(configuration, tokens.access_token, claims.sub),
  )
  return identityOf(identity.issuer, { ...told, name: told.name || claims.name })
}

/** What the provider says of itself, asked at first use, kept for an hour, and asked again after a failure. */
function discovered(options: OidcOptions): () => Promise<Configuration> {
  const issuer = new URL(options.issuer)
  if (issuer.protocol !== 'https:' && !isLoopback(issuer) && !options.isOwnMachine)
    throw new Error(`The issuer ${options.issuer} is not reached over https`)
  let known: { readonly asked: Promise<Configuration>; readonly until: number } | undefined
  return () => {
    if (!known || known.until < performance.now()) {
      const asked = ask(issuer, options)
      const mine = { asked, until: performance.now() + DISCOVERY_AGE_MS }
      known = mine
      asked.catch(() => {
        if (known === mine) known = undefined
      })
    }
    return known.asked
  }
}

function ask(issuer: URL, options: OidcOptions): Promise<Configuration> {
  return discovery(
    issuer,
    options.clientId,
    {},
    options.authentication ?? ClientSecretPost(options.clientSecret),
    {
      timeout: (options.timeoutMs ?? TIMEOUT_MS) / 1_000,
      [customFetch]: (options.fetch ?? fetchOutside) as CustomFetch,
      execute: [
        enableNonRepudiationChecks,
        ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : []),
      ],
    },
  )
}
