import { createPrivateKey, sign } from 'node:crypto'
import type { ClientAuth } from 'openid-client'
import { z } from 'zod'
import type { Secret } from '#platform/secret.ts'
import { displayName } from '../answers.ts'
import { oidcProvider } from '../oidc/oidc.ts'
import type { IdentityProvider } from '../provider.ts'

export interface AppleSettings {
  /** The Services ID. */
  readonly clientId: string
  readonly teamId: string
  readonly keyId: string
  /** PKCS #8 in PEM, the content of the .p8 file. */
  readonly privateKey: Secret
}

const ISSUER = 'https://appleid.apple.com'
const SECRET_LIFE_SECONDS = 300

/** Apple tells the name beside the code, unsigned, and only the first time. */
const firstTime = z.object({
  name: z.object({ firstName: z.string().catch(''), lastName: z.string().catch('') }),
})

/**
 * Sign in with Apple for the web: OpenID Connect with a client secret that is a JWT signed by the team's key, and an answer
 * posted from Apple's page. No PKCE is documented for it; the nonce ties the code to the request.
 */
export function appleProvider(
  settings: AppleSettings,
  now: () => Date,
  issuer = ISSUER,
): IdentityProvider {
  const provider = oidcProvider({
    platform: 'apple',
    name: 'Apple',
    issuer,
    clientId: settings.clientId,
    clientSecret: '',
    scope: 'openid email name',
    parameters: { response_mode: 'form_post' },
    usesPkce: false,
    asksUserInfo: false,
    authentication: withClientSecret(settings, now),
  })
  return {
    ...provider,
    async exchange(answer) {
      const { user, ...parameters } = answer.parameters
      const identity = await provider.exchange({ ...answer, parameters })
      return { ...identity, displayName: identity.displayName || nameOf(user) }
    },
  }
}

/** https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret */
function withClientSecret(settings: AppleSettings, now: () => Date): ClientAuth {
  const key = createPrivateKey(settings.privateKey.reveal())
  return (_server, _client, body) => {
    const issued = Math.floor(now().getTime() / 1_000)
    const head = encode({ alg: 'ES256', kid: settings.keyId })
    const claims = encode({
      iss: settings.teamId,
      iat: issued,
      exp: issued + SECRET_LIFE_SECONDS,
      aud: ISSUER,
      sub: settings.clientId,
    })
    const signature = sign('sha256', Buffer.from(`${head}.${claims}`), {
      key,
      dsaEncoding: 'ieee-p1363',
    }).toString('base64url')
    body.set('client_id', settings.clientId)
    body.set('client_secret', `${head}.${claims}.${signature}`)
  }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function nameOf(user: string | undefined): string {
  if (!user) return ''
  try {
    const { name } = firstTime.parse(JSON.parse(user))
    return displayName(`${name.firstName} ${name.lastName}`)
  } catch {
    return ''
  }
}
