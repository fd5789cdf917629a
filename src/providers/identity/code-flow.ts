import {
  ClientSecretPost,
  Configuration,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  customFetch,
  type CustomFetch,
  type ServerMetadata,
} from 'openid-client'
import type { z } from 'zod'
import { asIdentityFailure, checkAnswer, identityFailure, isRefusal } from './answers.ts'
import { checkClient } from './check-client.ts'
import { fetchOutside } from './outside.ts'
import type { AuthorizationAnswer, IdentityProvider, ProviderIdentity } from './provider.ts'
import { isLoopback } from './loopback.ts'

export interface CodeFlowOptions {
  readonly platform: string
  readonly name: string
  /** Under which subjects of this service are kept; it has no OpenID issuer. */
  readonly issuer: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  /** Where the browser ends up, when that is not the authorization endpoint's own origin. */
  readonly origin?: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: string
  readonly parameters?: Readonly<Record<string, string>>
  /** Asks the service who the bearer of this access token is. */
  readonly whoIs: (accessToken: string) => Promise<ProviderIdentity>
}

const TIMEOUT_SECONDS = 8

/** A service that speaks OAuth 2 without OpenID Connect: the code flow with state and PKCE, then a question about the person. */
export function codeFlowProvider(options: CodeFlowOptions): IdentityProvider {
  const configuration = configured(options)
  return {
    platform: options.platform,
    name: options.name,
    origin: options.origin ?? new URL(options.authorizationEndpoint).origin,
    authorizationUrl: async (request) =>
      buildAuthorizationUrl(configuration, {
        scope: options.scope,
        redirect_uri: request.redirectUri,
        state: request.state,
        code_challenge: request.codeChallenge,
        code_challenge_method: 'S256',
        ...options.parameters,
      }),
    async exchange(answer) {
      try {
        checkAnswer(answer.parameters)
        return await options.whoIs(await accessTokenFor(configuration, answer))
      } catch (error) {
        throw asIdentityFailure(error)
      }
    },
    check: (redirectUri) => checkClient(configuration, redirectUri),
  }
}

async function accessTokenFor(
  configuration: Configuration,
  answer: AuthorizationAnswer,
): Promise<string> {
  const { code, state } = answer.parameters
  const landing = new URL(answer.redirectUri)
  landing.search = new URLSearchParams({ code: code ?? '', state: state ?? '' }).toString()
  const tokens = await authorizationCodeGrant(configuration, landing, {
    expectedState: answer.state,
    pkceCodeVerifier: answer.codeVerifier,
  })
  return tokens.access_token
}

/** GET with an access token; the JSON it answers, read with `shape`. */
export async function askWith<T>(accessToken: string, url: URL, shape: z.ZodType<T>): Promise<T> {
  const answer = await fetchOutside(url.href, {
    headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
  })
  if (!answer.ok)
    throw identityFailure(
      isRefusal(answer.status) ? 'invalid' : 'unavailable',
      new Error(`${url.origin} answered ${answer.status}`),
    )
  return shape.parse(await answer.json())
}

function configured(options: CodeFlowOptions): Configuration {
  const server: ServerMetadata = {
    issuer: options.issuer,
    authorization_endpoint: options.authorizationEndpoint,
    token_endpoint: options.tokenEndpoint,
  }
  const configuration = new Configuration(
    server,
    options.clientId,
    {},
    ClientSecretPost(options.clientSecret),
  )
  configuration.timeout = TIMEOUT_SECONDS
  configuration[customFetch] = fetchOutside as CustomFetch
  if (isLoopback(new URL(options.tokenEndpoint))) allowInsecureRequests(configuration)
  return configuration
}
