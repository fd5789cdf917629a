import { clientId, clientSecret, identityService } from '../service.ts'

export const facebook = identityService({
  code: 'facebook',
  settings: { FACEBOOK_CLIENT_ID: clientId, FACEBOOK_CLIENT_SECRET: clientSecret },
  open: async (settings) => {
    const { facebookProvider } = await import('./facebook.ts')
    return facebookProvider({
      clientId: settings.FACEBOOK_CLIENT_ID,
      clientSecret: settings.FACEBOOK_CLIENT_SECRET,
    })
  },
})
