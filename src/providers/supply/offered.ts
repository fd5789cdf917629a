import type { Config } from '#platform/config.ts'
import { secret } from '#platform/secret.ts'
import type { GivenSettings } from '#platform/service-settings.ts'
import type { SupplyProvider, Suppliers } from './provider.ts'
import { SUPPLY_SERVICES } from './services.ts'

/**
 * The suppliers whose settings are complete; what one needs is loaded only then. In a demo all of them are its own sandboxes, whatever
 * is set: it takes no money, so that it spends none.
 */
export async function offeredSuppliers(
  { supply, sandboxPorts, demo }: Pick<Config, 'supply' | 'sandboxPorts' | 'demo'>,
  now: () => Date,
): Promise<Suppliers> {
  const offered = new Map<string, SupplyProvider>()
  for (const service of SUPPLY_SERVICES) {
    const port = sandboxPorts[`supply-${service.code}`]
    const given = demo
      ? port === undefined || supply.sandboxSecret === null
        ? undefined
        : wrapped(service.sandbox(`http://127.0.0.1:${port}`, supply.sandboxSecret.reveal()))
      : supply.services[service.code]
    if (given) offered.set(service.code, await service.open(given, now))
  }
  return offered
}

const wrapped = (values: Readonly<Record<string, string>>): GivenSettings =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, secret(value)]))
