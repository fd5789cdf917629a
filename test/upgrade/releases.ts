import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inheritedEnvironment } from '#platform/child-environment.ts'
import { runningEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { PROJECT_ROOT } from '#platform/project.ts'

const READY_MS = 600_000
const STOP_MS = 120_000

/** A checkout of the program, of whatever release. */
export interface Release {
  readonly name: string
  readonly commit: string | null
  readonly folder: string
  /** Whose packages it runs on, in words. */
  readonly packages: string
}

export const newest: Release = {
  name: 'the newest release',
  commit: null,
  folder: PROJECT_ROOT,
  packages: 'its own packages',
}

/**
 * The tree of an earlier commit in a folder of its own, with the packages that it names, from npm's cache as far as they are there; null
 * where the repository's history does not reach so far back.
 */
export function checkOut(commit: string, folder: string): Release | null {
  if (git('cat-file', '-e', `${commit}^{commit}`) !== 0) return null
  if (git('worktree', 'add', '--quiet', '--detach', '--force', folder, commit) !== 0)
    throw new Error(`git could not check out ${commit}`)
  const release = { name: `release ${commit}`, commit, folder }
  const { status, stderr } = spawnSync(
    'npm',
    ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: folder, env: inheritedEnvironment(), encoding: 'utf8' },
  )
  if (status === 0) return { ...release, packages: 'its own packages' }
  // Neither cache nor registry has them: better to rehearse with others than not at all, and to say so.
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
  symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(folder, 'node_modules'))
  return {
    ...release,
    packages: `the packages of the newest release, as npm ci gave it none (${stderr.trim().split('\n').at(-1) ?? ''})`,
  }
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
  /** Without it, the embedded server of the data directory. */
  readonly databaseUrl?: string
  /** Without them, those of the data directory. */
  readonly keys?: Readonly<Record<string, string>>
  readonly port: number
}

export function ownKeys(): Readonly<Record<string, string>> {
  return {
    SECRET_KEY: randomBytes(32).toString('base64'),
    VAULT_KEYS: `1:${randomBytes(32).toString('base64')}`,
  }
}

/** Of the database as its owner sees it; the embedded one has to run. */
export function addressOfDatabase({ dataDirectory, databaseUrl }: Site): string {
  const address = databaseUrl ?? runningEmbeddedPostgres(dataDirectory)?.server
  if (address === undefined) throw new Error(`no database runs in ${dataDirectory}`)
  return address
}

function environmentOfSite({
  dataDirectory,
  databaseUrl,
  keys,
  port,
}: Site): Record<string, string> {
  return {
    ...inheritedEnvironment(),
    PORT: String(port),
    DATA_DIR: dataDirectory,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DEMO: '1',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
    ...keys,
  }
}

/** The Node that came with the release's packages. */
function nodeOf({ folder }: Release): string {
  const own = join(folder, 'node_modules', '.bin', 'node')
  return existsSync(own) ? own : process.execPath
}

export async function runCommand(release: Release, site: Site, ...args: string[]): Promise<void> {
  const child = spawn(nodeOf(release), ['src/cli.ts', ...args], {
    cwd: release.folder,
    env: environmentOfSite(site),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`${args.join(' ')} of ${release.name} ended with ${String(code)}`)
}

/** Shops that have not ended. */
const running = new Set<ChildProcess>()

/** Ends what a rehearsal that broke off has left running. */
export async function endShops(): Promise<void> {
  for (const child of running) {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    if ((await Promise.race([ended, sleep(STOP_MS, 'late', { ref: false })])) === 'late')
      child.kill('SIGKILL')
  }
}

export interface Shop {
  /** Throws when the shop has ended by itself. */
  readonly stop: () => Promise<void>
}

/** Runs a release as `npm start` does, until it is ready. */
export async function runShop(release: Release, site: Site): Promise<Shop> {
  const child = spawn(nodeOf(release), ['src/cli.ts', 'start'], {
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
  running.add(child)
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => {
      running.delete(child)
      resolve(code)
    })
  })
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
