import type { IdentitySettings } from '#platform/identity-config.ts'
import { appleProvider } from './apple/apple.ts'
import { discordProvider } from './discord/discord.ts'
import { facebookProvider } from './facebook/facebook.ts'
import { googleProvider } from './google/google.ts'
import { oidcProvider } from './oidc/oidc.ts'
import { fetchAt } from './outside.ts'
import type { IdentityProvider } from './provider.ts'

/** Where the demo's own provider stands below the shop's address. */
export const SANDBOX_PATH = '/sandbox/identity'
export const SANDBOX_CLIENT = 'lukado'

/** The providers a shop is configured for by platform, in the order they are offered. */
export function offeredProviders(
  config: {
    readonly identity: IdentitySettings
    readonly publicUrl: string
    readonly sandboxPorts: Readonly<Record<string, number>>
  },
  now: () => Date,
): ReadonlyMap<string, IdentityProvider> {
  const { google, apple, facebook, discord, oidc, sandboxSecret } = config.identity
  const port = config.sandboxPorts['identity']
  const offered = [
    google && googleProvider(google),
    apple && appleProvider(apple, now),
    facebook && facebookProvider(facebook),
    discord && discordProvider(discord),
    oidc &&
      oidcProvider({
        platform: 'oidc',
        name: oidc.name,
        issuer: oidc.issuer,
        clientId: oidc.clientId,
        clientSecret: oidc.clientSecret.reveal(),
      }),
    sandboxSecret && port ? demoProvider(config.publicUrl, port, sandboxSecret.reveal()) : null,
  ]
  return new Map(
    offered
      .filter((provider) => provider !== null)
      .map((provider) => [provider.platform, provider]),
  )
}

/** Its address is the shop's own; the shop itself talks with it directly, as its public address may not lead back to this machine. */
function demoProvider(publicUrl: string, port: number, clientSecret: string): IdentityProvider {
  return oidcProvider({
    platform: 'demo',
    name: 'Demo ID',
    issuer: `${publicUrl}${SANDBOX_PATH}`,
    clientId: SANDBOX_CLIENT,
    clientSecret,
    isOwnMachine: true,
    fetch: fetchAt(publicUrl, `http://127.0.0.1:${port}`),
  })
}
