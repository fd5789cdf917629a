import type { Config } from '#platform/config.ts'
import {
  environmentOnlyOf,
  wrapped,
  type GivenSettings,
  type ServiceSettings,
} from '#platform/service-settings.ts'
import type { SupplyProvider, Suppliers } from './provider.ts'
import type { SupplyService } from './service.ts'
import { SUPPLY_SERVICES } from './services.ts'

/** What is known of suppliers beside what was entered for them. */
export interface SupplyEnvironment {
  /** Given by the environment: they hold whatever is entered. */
  readonly services: ServiceSettings
  /** Addresses and what belongs to them, which nothing else gives. */
  readonly addresses: GivenSettings
  /** Of a demo's own suppliers, which hold where nothing was entered. */
  readonly own: ServiceSettings
  /** A demo calls its own suppliers alone, whatever is entered. */
  readonly isDemo: boolean
}

type Given = Pick<Config, 'supply' | 'sandboxPorts' | 'demo'>

/**
 * Where suppliers' settings come from. In a demo all of them are its own sandboxes, whatever the environment says: it takes no money, so
 * that it spends none. What is entered there is tried at the sandboxes as well.
 */
export function supplyEnvironment({ supply, sandboxPorts, demo }: Given): SupplyEnvironment {
  if (!demo) return { services: supply.services, addresses: supply.apiUrls, own: {}, isDemo: false }
  const shared = supply.sandboxSecret
  const own = SUPPLY_SERVICES.flatMap((service) => {
    const port = sandboxPorts[`supply-${service.code}`]
    if (port === undefined || shared === null) return []
    const values = service.sandbox(`http://127.0.0.1:${port}`, shared.reveal())
    return [[service, wrapped(values)] as const]
  })
  return {
    services: {},
    addresses: Object.fromEntries(own.flatMap(([service, given]) => addressesOf(service, given))),
    own: Object.fromEntries(own.map(([service, given]) => [service.code, given])),
    isDemo: true,
  }
}

function addressesOf(service: SupplyService, given: GivenSettings) {
  const names = environmentOnlyOf(service)
  return Object.entries(given).filter(([name]) => names.includes(name))
}

/** The suppliers whose settings are complete; what one needs is loaded only then. @param entered in the console, by code */
export async function offeredSuppliers(
  config: Given,
  now: () => Date,
  entered: ServiceSettings = {},
): Promise<Suppliers> {
  const { services, own, isDemo } = supplyEnvironment(config)
  const offered = new Map<string, SupplyProvider>()
  for (const service of SUPPLY_SERVICES) {
    const { code } = service
    // What is entered in a demo is for its sandboxes: without them it goes nowhere.
    const isOpen = !isDemo || own[code] !== undefined
    const given = services[code] ?? (isOpen ? entered[code] : undefined) ?? own[code]
    if (given) offered.set(code, await service.open(given, now))
  }
  return offered
}
