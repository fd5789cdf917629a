import { findPackageJSON } from 'node:module'
import { randomBytes } from 'node:crypto'
import { environmentOf } from '#platform/child-environment.ts'
import { addressOf, type Config } from '#platform/config.ts'
import { freePort } from '#platform/free-port.ts'
import { openKeys } from '#platform/keys.ts'
import type { Log } from '#platform/log.ts'
import { refusal } from '#platform/refusal.ts'
import { secret } from '#platform/secret.ts'
import { SUPPLY_SERVICES } from '#providers/supply/services.ts'
import { keepRunning, type SupervisedProcess } from './keep-running.ts'
import { startNode } from './node-process.ts'
import { noteSandboxes, supplySecret } from './running-sandboxes.ts'
import { heartbeats } from './signs-of-life.ts'

interface Sandbox {
  /** It is found at `{PUBLIC_URL}/sandbox/<name>` and listens on the port of this name. */
  readonly name: string
  readonly entry: string
  /** Names of other ports it listens on. */
  readonly ports: readonly string[]
  readonly memoryMb?: number
  /** What it needs of the packages that a production install leaves out. */
  readonly packages?: readonly string[]
}

/** The demo's stand-ins for outside services, each a process of its own. */
const SANDBOXES: readonly Sandbox[] = [
  {
    name: 'identity',
    entry: 'src/sandbox/identity/main.ts',
    ports: [],
    packages: ['oidc-provider'],
  },
  { name: 'mail', entry: 'src/sandbox/mail/main.ts', ports: ['smtp'], packages: ['smtp-server'] },
  // It remembers every payment of the last weeks.
  { name: 'payment', entry: 'src/sandbox/payment/main.ts', ports: [], memoryMb: 256 },
  {
    name: 'supply',
    entry: 'src/sandbox/supply/main.ts',
    ports: SUPPLY_SERVICES.map(({ code }) => `supply-${code}`),
    memoryMb: 128,
  },
]

/** They do little: less memory for more collecting. */
const small = (megabytes = 96) => ['--max-semi-space-size=1', `--max-old-space-size=${megabytes}`]

/** Refuses a demo where what its sandboxes need is not installed, before anything is started. */
export function checkSandboxPackages(
  { demo, role }: Pick<Config, 'demo' | 'role'>,
  isInstalled: (name: string) => boolean = isPackageInstalled,
): void {
  if (!demo || role !== 'all') return
  const missing = SANDBOXES.flatMap(({ packages = [] }) => packages).filter(
    (name) => !isInstalled(name),
  )
  if (missing.length > 0)
    throw refusal(
      `The demo needs packages that a production install leaves out (${missing.join(', ')}): install all of them with npm ci, or set DEMO=0 for a real shop.`,
    )
}

function isPackageInstalled(name: string): boolean {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined
  } catch {
    return false
  }
}

/**
 * What the demo's processes are told of its sandboxes: their ports, the mail server (but a demo that was given one sends
 * through that) and the secrets shared with the sign-in service, the payment service and the suppliers. Those of the latter two stay
 * the same as long as the shop's key does, since payments and purchases outlive a restart.
 */
export async function withSandboxSettings(config: Config): Promise<Config> {
  if (!config.demo || config.role !== 'all')
    return {
      ...config,
      sandboxPorts: {},
      payment: { ...config.payment, sandbox: null },
      supply: { ...config.supply, sandboxSecret: null },
    }
  const names = SANDBOXES.flatMap(({ name, ports }) => [name, ...ports])
  const ports = Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, await freePortBeside(config.port)] as const),
    ),
  )
  return {
    ...config,
    sandboxPorts: ports,
    smtpUrl: config.smtpUrl ?? secret(`smtp://127.0.0.1:${ports.smtp}`),
    identity: { ...config.identity, sandboxSecret: secret(randomBytes(32).toString('base64url')) },
    payment: {
      ...config.payment,
      sandbox: {
        secret: secret(openKeys(config).mac('sandbox payment', 'secret').toString('base64url')),
        shopUrl: addressOf(config.host, config.port),
      },
    },
    supply: { ...config.supply, sandboxSecret: supplySecret(config) },
  }
}

/** Nobody listens on the shop's own port yet, so that it is free as well. */
async function freePortBeside(shop: number): Promise<number> {
  for (;;) {
    const port = await freePort()
    if (port !== shop) return port
  }
}

/** Starts each sandbox that has a port, and again when it ends, however often: the shop goes on meanwhile. */
export function keepSandboxes(config: Config, log: Log): SupervisedProcess[] {
  if (Object.keys(config.sandboxPorts).length > 0) noteSandboxes(config)
  return SANDBOXES.flatMap(({ name, entry, memoryMb }) => {
    const port = config.sandboxPorts[name]
    if (port === undefined) return []
    const launch = () =>
      startNode(
        entry,
        environmentOf({ ...config, port, host: '127.0.0.1', vaultKeys: undefined }),
        small(memoryMb),
      )
    const kept = keepRunning({
      name: `${name} sandbox`,
      first: launch(),
      launch: async () => launch(),
      log,
      signs: heartbeats,
      isMinor: true,
    })
    return [kept]
  })
}
