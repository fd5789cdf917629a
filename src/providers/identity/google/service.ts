import { clientId, clientSecret, identityService } from '../service.ts'

export const google = identityService({
  code: 'google',
  settings: { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret },
  open: async (settings) => {
    const { googleProvider } = await import('./google.ts')
    return googleProvider({
      clientId: settings.GOOGLE_CLIENT_ID,
      clientSecret: settings.GOOGLE_CLIENT_SECRET,
    })
  },
})
