import { z } from 'zod'
import { identityOf } from '../answers.ts'
import { askWith, codeFlowProvider } from '../code-flow.ts'
import type { IdentityProvider } from '../provider.ts'
import type { ClientSettings } from '../service.ts'

const ORIGIN = 'https://discord.com'

/** https://discord.com/developers/docs/resources/user#user-object */
const user = z.object({
  id: z.string().regex(/^\d{1,20}$/),
  username: z.string(),
  global_name: z.string().nullish(),
  email: z.string().nullish(),
  verified: z.boolean().nullish(),
})

/** Discord: OAuth 2 with PKCE; the scope `email` adds the address and whether it is verified. */
export function discordProvider(settings: ClientSettings, origin = ORIGIN): IdentityProvider {
  return codeFlowProvider({
    platform: 'discord',
    name: 'Discord',
    issuer: ORIGIN,
    authorizationEndpoint: `${origin}/oauth2/authorize`,
    tokenEndpoint: `${origin}/api/v10/oauth2/token`,
    clientId: settings.clientId,
    clientSecret: settings.clientSecret.reveal(),
    scope: 'identify email',
    async whoIs(accessToken) {
      const told = await askWith(accessToken, new URL('/api/v10/users/@me', origin), user)
      return identityOf(ORIGIN, {
        sub: told.id,
        email: told.email ?? '',
        email_verified: told.verified ?? false,
        name: told.global_name ?? told.username,
      })
    },
  })
}
