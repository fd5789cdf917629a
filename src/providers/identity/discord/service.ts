import { clientId, clientSecret, identityService } from '../service.ts'

export const discord = identityService({
  code: 'discord',
  settings: { DISCORD_CLIENT_ID: clientId, DISCORD_CLIENT_SECRET: clientSecret },
  open: async (settings) => {
    const { discordProvider } = await import('./discord.ts')
    return discordProvider({
      clientId: settings.DISCORD_CLIENT_ID,
      clientSecret: settings.DISCORD_CLIENT_SECRET,
    })
  },
})
