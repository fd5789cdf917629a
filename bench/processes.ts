import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NODE_ENVIRONMENT, NODE_FLAGS } from '#cli/start/node-process.ts'
import { inheritedEnvironment } from '#platform/child-environment.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { freePort } from '#platform/free-port.ts'

export interface WebProcess {
  readonly port: number
  readonly pid: number
  /** From spawning to /readyz. */
  readonly startMs: number
  readonly stop: () => Promise<void>
}

export interface WebProcessOptions {
  /** Where a CPU profile is put when the process ends. */
  readonly profileFolder: string | null
}

const READY_TIMEOUT_MS = 300_000

/** The built web process on a database, as `start` would run it. */
export async function startWeb(
  databaseUrl: string,
  dataDirectory: string,
  { profileFolder }: WebProcessOptions,
): Promise<WebProcess> {
  const port = await freePort()
  const flags =
    profileFolder === null
      ? NODE_FLAGS
      : [...NODE_FLAGS, '--cpu-prof', `--cpu-prof-dir=${profileFolder}`]
  const began = performance.now()
  const child = spawn(
    process.execPath,
    [...flags, join(PROJECT_ROOT, 'build', 'server', 'server.js')],
    {
      cwd: PROJECT_ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...inheritedEnvironment(),
        PORT: String(port),
        HOST: '127.0.0.1',
        DATABASE_URL: databaseUrl,
        DATA_DIR: dataDirectory,
        ROLE: 'web',
        SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
        LOG_LEVEL: 'warn',
        RATE_LIMITS: 'off',
        ...NODE_ENVIRONMENT,
      },
    },
  )
  await waitFor(`http://127.0.0.1:${port}/readyz`, child, READY_TIMEOUT_MS)
  return { port, pid: child.pid ?? 0, startMs: performance.now() - began, stop: () => stop(child) }
}

/** Asks until the answer is 200. Throws when the process ends first, or too late. */
export async function waitFor(url: string, child: ChildProcess, timeoutMs: number): Promise<void> {
  for (
    const deadline = performance.now() + timeoutMs;
    performance.now() < deadline;
    await sleep(10)
  ) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The process ended before ${url} answered`)
    const status = await fetch(url, { headers: { 'accept-language': 'en' } }).then(
      async (answer) => (await answer.arrayBuffer(), answer.status),
      () => 0,
    )
    if (status === 200) return
  }
  throw new Error(`${url} does not answer`)
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  if (await Promise.race([ended.then(() => true), sleep(20_000, false, { ref: false })])) return
  child.kill('SIGKILL')
  await ended
}

/** Runs a script of Node to its end; throws when it fails. */
export async function runNode(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(process.execPath, args, {
    cwd: PROJECT_ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...inheritedEnvironment(), ...environment },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`)
}
