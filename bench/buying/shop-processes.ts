import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NODE_ENVIRONMENT, NODE_FLAGS } from '#cli/start/node-process.ts'
import { inheritedEnvironment } from '#platform/child-environment.ts'
import { freePort } from '#platform/free-port.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { stop, waitFor } from '../processes.ts'

export interface ShopOptions {
  readonly databaseUrl: string
  readonly dataDirectory: string
  /** For what the sandboxes keep. */
  readonly folder: string
  /** Where CPU profiles are put when the processes end. */
  readonly profileFolder: string | null
}

export interface ShopProcesses {
  /** Where the web process listens. */
  readonly port: number
  /** Where the payment service listens. */
  readonly paymentPort: number
  readonly pids: {
    readonly web: number
    readonly worker: number
    readonly payment: number
    readonly mail: number
  }
  readonly stop: () => Promise<void>
}

/** Of the shop while it is measured, as `startWeb` gives it to the web process. */
export const SECRET_KEY = Buffer.alloc(32, 1)

const READY_TIMEOUT_MS = 60_000

/** One web and one worker process, and beside them the payment service and the mail server that a demo has, each a process of its own. */
export async function startShop({
  databaseUrl,
  dataDirectory,
  folder,
  profileFolder,
}: ShopOptions): Promise<ShopProcesses> {
  const [port, paymentPort, mailPort, smtpPort] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ])
  const shopUrl = `http://127.0.0.1:${port}`
  const shared = environmentOf({ shopUrl, paymentPort, mailPort, smtpPort })
  const shop = { ...shared, DATABASE_URL: databaseUrl, DATA_DIR: dataDirectory }
  const children: ChildProcess[] = []
  const start = (entry: string, environment: Readonly<Record<string, string>>) => {
    const flags =
      profileFolder === null
        ? NODE_FLAGS
        : [...NODE_FLAGS, '--cpu-prof', `--cpu-prof-dir=${profileFolder}`]
    const child = spawn(process.execPath, [...flags, join(PROJECT_ROOT, entry)], {
      cwd: PROJECT_ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...environment, ...NODE_ENVIRONMENT },
    })
    children.push(child)
    return child
  }
  // The shop before the services that it calls.
  const stopAll = async () => {
    for (const child of children.toReversed()) await stop(child)
  }
  try {
    const payment = start('src/sandbox/payment/main.ts', {
      ...shared,
      DATA_DIR: folder,
      PORT: String(paymentPort),
    })
    const mail = start('src/sandbox/mail/main.ts', {
      ...shared,
      DATA_DIR: folder,
      PORT: String(mailPort),
    })
    const worker = start('src/worker.ts', { ...shop, ROLE: 'worker' })
    // What the web process asks: it gets where they listen, and no setting of theirs.
    for (const entry of ['src/vault.ts', 'src/pictures.ts'])
      start(entry, { ...inheritedEnvironment(), DATA_DIR: dataDirectory })
    const web = start('build/server/server.js', { ...shop, ROLE: 'web', PORT: String(port) })
    await Promise.all([
      waitFor(`${shopUrl}/readyz`, web, READY_TIMEOUT_MS),
      untilListening(paymentPort),
      untilListening(smtpPort),
    ])
    const pid = (child: ChildProcess) => child.pid ?? 0
    return {
      port,
      paymentPort,
      pids: { web: pid(web), worker: pid(worker), payment: pid(payment), mail: pid(mail) },
      stop: stopAll,
    }
  } catch (error) {
    await stopAll()
    throw error
  }
}

/** What all of its processes are told. */
function environmentOf({
  shopUrl,
  paymentPort,
  mailPort,
  smtpPort,
}: {
  readonly shopUrl: string
  readonly paymentPort: number
  readonly mailPort: number
  readonly smtpPort: number
}) {
  return {
    ...inheritedEnvironment(),
    HOST: '127.0.0.1',
    PUBLIC_URL: shopUrl,
    LOG_LEVEL: 'warn',
    DEMO: '1',
    RATE_LIMITS: 'off',
    SECRET_KEY: SECRET_KEY.toString('base64'),
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    SANDBOX_PORTS: `payment:${paymentPort},mail:${mailPort},smtp:${smtpPort}`,
    SANDBOX_PAYMENT_SECRET: randomBytes(32).toString('base64url'),
    SANDBOX_SHOP_URL: shopUrl,
  }
}

async function untilListening(port: number): Promise<void> {
  for (
    const deadline = performance.now() + READY_TIMEOUT_MS;
    performance.now() < deadline;
    await sleep(20)
  ) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () =>
        resolve(false),
      )
      socket.once('connect', () => socket.destroy())
    })
    if (isThere) return
  }
  throw new Error(`nobody listens on ${port}`)
}
