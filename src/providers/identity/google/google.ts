import { oidcProvider } from '../oidc/oidc.ts'
import type { IdentityProvider } from '../provider.ts'
import type { ClientSettings } from '../service.ts'

/** Google Identity, OpenID Connect: accounts.google.com. */
export function googleProvider(
  settings: ClientSettings,
  issuer = 'https://accounts.google.com',
): IdentityProvider {
  return oidcProvider({
    platform: 'google',
    name: 'Google',
    issuer,
    clientId: settings.clientId,
    clientSecret: settings.clientSecret.reveal(),
    parameters: { prompt: 'select_account' },
  })
}
