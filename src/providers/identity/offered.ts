import type { IdentitySettings } from '#platform/identity-config.ts'
import { oidcProvider } from './oidc/oidc.ts'
import { fetchAt } from './outside.ts'
import type { IdentityProvider } from './provider.ts'
import { IDENTITY_SERVICES } from './services.ts'

/** Where the demo's own provider stands below the shop's address. */
export const SANDBOX_PATH = '/sandbox/identity'
export const SANDBOX_CLIENT = 'lukado'

/** The providers a shop is configured for by platform, in the order they are offered. */
export async function offeredProviders(
  config: {
    readonly identity: IdentitySettings
    readonly publicUrl: string
    readonly sandboxPorts: Readonly<Record<string, number>>
  },
  now: () => Date,
): Promise<ReadonlyMap<string, IdentityProvider>> {
  const { services, sandboxSecret } = config.identity
  const port = config.sandboxPorts['identity']
  const opened = IDENTITY_SERVICES.flatMap(({ code, open }) => {
    const given = services[code]
    return given ? [open(given, now)] : []
  })
  const offered = await Promise.all(opened)
  if (sandboxSecret && port)
    offered.push(demoProvider(config.publicUrl, port, sandboxSecret.reveal()))
  return new Map(offered.map((provider) => [provider.platform, provider]))
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
