import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inheritedEnvironment } from '#platform/child-environment.ts'
import { PROJECT_ROOT } from '#platform/project.ts'

const READY_MS = 600_000
const STOP_MS = 120_000

/** A checkout of the program, of whatever release. */
export interface Release {
  readonly name: string
  readonly folder: string
}

export const newest: Release = { name: 'the newest release', folder: PROJECT_ROOT }

/** The tree of an earlier commit in a folder of its own; null where the repository's history does not reach so far back. */
export function checkOut(commit: string, folder: string): Release | null {
  if (git('cat-file', '-e', `${commit}^{commit}`) !== 0) return null
  if (git('worktree', 'add', '--quiet', '--detach', '--force', folder, commit) !== 0)
    throw new Error(`git could not check out ${commit}`)
  symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(folder, 'node_modules'))
  return { name: `release ${commit}`, folder }
}

export function forget(folder: string): void {
  if (existsSync(folder)) git('worktree', 'remove', '--force', folder)
}

function git(...args: string[]): number | null {
  return spawnSync('git', args, { cwd: PROJECT_ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
    .status
}

/** One shop that releases take turns to run: the same data directory, database, keys and address. */
export interface Site {
  readonly dataDirectory: string
  readonly databaseUrl: string
  readonly port: number
}

export function environmentOfSite({
  dataDirectory,
  databaseUrl,
  port,
}: Site): Record<string, string> {
  return {
    ...inheritedEnvironment(),
    PORT: String(port),
    DATA_DIR: dataDirectory,
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DEMO: '1',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
    SECRET_KEY: KEYS.secret,
    VAULT_KEYS: KEYS.vault,
  }
}

const KEYS = {
  secret: randomBytes(32).toString('base64'),
  vault: `1:${randomBytes(32).toString('base64')}`,
}

export async function runCommand(release: Release, site: Site, ...args: string[]): Promise<void> {
  const child = spawn(process.execPath, ['src/cli.ts', ...args], {
    cwd: release.folder,
    env: environmentOfSite(site),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`${args.join(' ')} of ${release.name} ended with ${code}`)
}

export interface Shop {
  /** Throws when the shop has ended by itself. */
  readonly stop: () => Promise<void>
}

/** Runs a release as `npm start` does, until it is ready. */
export async function runShop(release: Release, site: Site): Promise<Shop> {
  const child = spawn(process.execPath, ['src/cli.ts', 'start'], {
    cwd: release.folder,
    env: environmentOfSite(site),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const listen = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-20_000)
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  for (const deadline = performance.now() + READY_MS; !output.includes('Ready: '); await sleep(100))
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`${release.name} does not start: ${output}`)
    }
  return { stop: () => stop(child, ended, release, () => output) }
}

async function stop(
  child: ChildProcess,
  ended: Promise<number | null>,
  release: Release,
  output: () => string,
): Promise<void> {
  if (child.exitCode !== null) throw new Error(`${release.name} has ended by itself: ${output()}`)
  child.kill('SIGTERM')
  const code = await Promise.race([ended, sleep(STOP_MS, 'late' as const, { ref: false })])
  if (code === 'late') {
    child.kill('SIGKILL')
    throw new Error(`${release.name} does not stop: ${output()}`)
  }
}
