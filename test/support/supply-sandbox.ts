import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const ROOT = join(import.meta.dirname, '..', '..')
export const SANDBOX_SECRET = 'a-secret-of-tests-that-is-long-enough'
/** "Slow" is longer than a supplier is waited for in tests. */
const SLOW_MS = 5_000

export interface SoldThere {
  readonly supplier: string
  readonly id: string
  readonly reference: string
  readonly sku: string
  readonly state: string
  readonly cost: string
}

export interface SupplyBooks {
  readonly balances: readonly { readonly supplier: string; readonly balance: string }[]
  readonly purchases: readonly SoldThere[]
  readonly notices: readonly {
    readonly supplier: string
    readonly body: string
    readonly headers: Record<string, string>
  }[]
}

export interface RunningSupplySandbox {
  /** Changes when it is started again. */
  readonly originOf: (supplier: string) => string
  readonly pid: () => number
  readonly books: () => Promise<SupplyBooks>
  readonly setBalance: (supplier: string, cents: bigint) => Promise<void>
  /** How many made-up products are listed, at so many hundredths of their cost. */
  readonly setBulk: (count: number, percent: number) => Promise<void>
  /** Ends it as a crash does, and starts it over the same files. */
  readonly crash: () => Promise<void>
  readonly stop: () => Promise<void>
}

interface Told {
  readonly origin: string
  readonly origins: Readonly<Record<string, string>>
}

/** The demo's suppliers as a process of their own, over a folder that is gone afterwards. */
export async function startSupplySandbox(): Promise<RunningSupplySandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'lukado-supply-'))
  let { child, told } = await launch(folder)
  const authorization = `Bearer ${SANDBOX_SECRET}`
  const control = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${told.origin}/sandbox/supply${path}`, {
      ...init,
      headers: { authorization },
    })
    if (!answer.ok) throw new Error(`the sandbox answered ${answer.status}`)
    return (await answer.json()) as SupplyBooks
  }
  return {
    originOf: (supplier) => told.origins[supplier] ?? '',
    pid: () => child.pid ?? 0,
    books: () => control('.json'),
    async setBalance(supplier, cents) {
      await control('/balance', {
        method: 'POST',
        body: JSON.stringify({ supplier, cents: String(cents) }),
      })
    },
    async setBulk(count, percent) {
      await control('/bulk', { method: 'POST', body: JSON.stringify({ count, percent }) })
    },
    async crash() {
      await end(child, 'SIGKILL')
      ;({ child, told } = await launch(folder))
    },
    async stop() {
      await end(child, 'SIGTERM')
      rmSync(folder, { recursive: true })
    },
  }
}

async function launch(
  folder: string,
): Promise<{ readonly child: ChildProcess; readonly told: Told }> {
  const child = spawn(process.execPath, [join(ROOT, 'src/sandbox/supply/main.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: folder,
      SANDBOX_SUPPLY_SECRET: SANDBOX_SECRET,
      SANDBOX_SUPPLY_SLOW_MS: String(SLOW_MS),
    },
  })
  for await (const line of createInterface({ input: child.stdout }))
    return { child, told: JSON.parse(line) as Told }
  throw new Error('the sandbox did not start')
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}
