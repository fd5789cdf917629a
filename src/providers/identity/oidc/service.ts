import { z } from 'zod'
import { isLoopback } from '../loopback.ts'
import { clientId, clientSecret, identityService } from '../service.ts'

/** Any OpenID provider. */
export const oidc = identityService({
  code: 'oidc',
  settings: {
    OIDC_ISSUER: z
      .string()
      .max(500)
      .refine(
        isIssuer,
        'must be an https address without query, as in its openid-configuration (http only for this machine)',
      ),
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    /** What people read on the button. */
    OIDC_NAME: z.string().max(40, 'must be at most 40 characters long').default('Single sign-on'),
  },
  open: async (settings) => {
    const { oidcProvider } = await import('./oidc.ts')
    return oidcProvider({
      platform: 'oidc',
      name: settings.OIDC_NAME,
      issuer: settings.OIDC_ISSUER,
      clientId: settings.OIDC_CLIENT_ID,
      clientSecret: settings.OIDC_CLIENT_SECRET.reveal(),
    })
  },
})

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
