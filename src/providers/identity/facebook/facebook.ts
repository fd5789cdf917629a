import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { identityOf } from '../answers.ts'
import { askWith, codeFlowProvider } from '../code-flow.ts'
import type { IdentityProvider } from '../provider.ts'
import type { ClientSettings } from '../service.ts'

const DIALOG = 'https://www.facebook.com'
const GRAPH = 'https://graph.facebook.com'
const VERSION = 'v24.0'

/** https://developers.facebook.com/docs/graph-api/reference/user/ */
const user = z.object({
  id: z.string().regex(/^\d{1,32}$/),
  name: z.string().catch(''),
  email: z.string().catch(''),
})

/**
 * Facebook Login, built by hand: OAuth 2 with PKCE. Facebook does not say whether an address is verified, so it counts as not.
 * Calls carry a proof that they come from the app (appsecret_proof), so that a stolen token is of no use elsewhere.
 */
export function facebookProvider(
  settings: ClientSettings,
  hosts: { readonly dialog: string; readonly graph: string } = { dialog: DIALOG, graph: GRAPH },
): IdentityProvider {
  const appSecret = settings.clientSecret.reveal()
  return codeFlowProvider({
    platform: 'facebook',
    name: 'Facebook',
    issuer: DIALOG,
    // Phones are sent on to another host of theirs.
    origin: 'https://*.facebook.com',
    authorizationEndpoint: `${hosts.dialog}/${VERSION}/dialog/oauth`,
    tokenEndpoint: `${hosts.graph}/${VERSION}/oauth/access_token`,
    clientId: settings.clientId,
    clientSecret: appSecret,
    scope: 'public_profile email',
    async whoIs(accessToken) {
      const url = new URL(`/${VERSION}/me`, hosts.graph)
      url.searchParams.set('fields', 'id,name,email')
      url.searchParams.set(
        'appsecret_proof',
        createHmac('sha256', appSecret).update(accessToken).digest('hex'),
      )
      const told = await askWith(accessToken, url, user)
      return identityOf(DIALOG, {
        sub: told.id,
        email: told.email,
        email_verified: false,
        name: told.name,
      })
    },
  })
}
