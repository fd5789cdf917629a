import { fork } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { present } from '#kernel/assert.ts'
import { freePort } from '#platform/free-port.ts'
import type { FaultShop } from './shop.ts'

/** A second machine of the same shop: web, vault and worker over the same database, kept running as `start` keeps them. */
export interface Machine {
  readonly address: string
  /** Undefined while it is not known. */
  readonly pid: (name: 'web' | 'worker' | 'vault') => number | undefined
  readonly stop: () => Promise<void>
}

/** The keys that the machines of a shop share. */
const KEY_FILES = ['secret.key', 'vault.key']

export async function addMachine(shop: FaultShop): Promise<Machine> {
  const home = mkdtempSync(join(tmpdir(), 'lukado-machine-'))
  mkdirSync(join(home, 'run'))
  for (const file of KEY_FILES) copyFileSync(join(shop.home, file), join(home, file))
  const child = fork(join(import.meta.dirname, 'second-machine.ts'), {
    env: {
      // It reaches the demo's sandboxes by the settings that the first one's processes were given.
      ...environmentOf(present(shop.pid('web'), 'the web process')),
      PORT: String(await freePort()),
      DATA_DIR: home,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  // It says a lot about processes that are killed.
  for (const stream of [child.stdout, child.stderr]) stream?.resume()
  const pids = new Map<string, number>()
  const address = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the second machine ended with ${code}`)))
    child.on('message', (told: { address?: string; name?: string; pid?: number }) => {
      if (told.name !== undefined && told.pid !== undefined) pids.set(told.name, told.pid)
      if (told.address !== undefined) resolve(told.address)
    })
  })
  return {
    address,
    pid: (name) => pids.get(name),
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      if (child.exitCode === null && child.kill('SIGTERM')) await ended
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function environmentOf(pid: number): Record<string, string> {
  return Object.fromEntries(
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}
