import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inheritedEnvironment } from '#platform/child-environment.ts'
import { readConfig } from '#platform/config.ts'
import { createCtx, type Ctx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { freePort } from '#platform/free-port.ts'
import { openKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { runningEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { removeDataFolder } from '../support/data-folder.ts'

const READY_MS = 240_000
const BACK_MS = 60_000
const STOP_MS = 180_000
const SAID_MAX = 100_000
/** A command that the database keeps waiting has to end by itself before. */
const COMMAND_MS = 180_000

export const PROCESSES = ['web', 'worker', 'vault', 'pictures', 'postgres'] as const
export type Process = (typeof PROCESSES)[number]

/** The whole demo shop as `npm start` runs it, on a data directory of its own. */
export interface FaultShop {
  readonly address: string
  /** Its data directory. */
  readonly home: string
  /** Everything it has said, but for what was long ago. */
  readonly said: () => string
  /** Undefined while it is not there. Throws when the shop itself has ended. */
  readonly pid: (process: Process) => number | undefined
  /** What /readyz answers; 0 for nothing. */
  readonly readiness: () => Promise<number>
  /** Asks until the shop is ready again. @returns milliseconds it took */
  readonly recovered: (withinMs?: number) => Promise<number>
  /** Runs one of its commands, as `npm run cli -- …` does. */
  readonly cli: (...args: readonly string[]) => Promise<void>
  /** What `doctor` finds wrong. */
  readonly complaints: () => Promise<string>
  /** Work on its database from outside. */
  readonly withCtx: <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>
  readonly stop: () => Promise<void>
}

/** Where a stream of the shop's goes: to us, to what is open, or into a pipe whose reader has gone. */
export type Output = 'heard' | 'gone' | number

export interface ShopOptions {
  readonly home: string
  readonly environment?: Readonly<Record<string, string>>
  /** Of its output and its log. */
  readonly output?: readonly [Output, Output]
}

/** A data directory that the user who runs the database for root may pass. */
export function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'lukado-faults-'))
  chmodSync(home, 0o711)
  return home
}

export async function startShop({
  home,
  environment: given = {},
  output = ['heard', 'heard'],
}: ShopOptions): Promise<FaultShop> {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const environment = {
    ...inheritedEnvironment(),
    PORT: String(port),
    DATA_DIR: home,
    DEMO: '1',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
    PUBLIC_URL: address,
    ...given,
  }
  const [out, log] = output.map((to) => (typeof to === 'number' ? to : 'pipe'))
  const child = spawn(process.execPath, ['src/cli.ts', 'start'], {
    cwd: PROJECT_ROOT,
    env: environment,
    stdio: ['ignore', out ?? 'pipe', log ?? 'pipe'],
  })
  let said = ''
  for (const [index, from] of [child.stdout, child.stderr].entries()) {
    if (output[index] === 'gone') from?.destroy()
    else
      from?.on('data', (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-SAID_MAX)
      })
  }
  let end: string | undefined
  child.once('exit', (code) => {
    end = `the shop ended with ${code}: ${said}`
  })

  const pid = (name: Process) => {
    if (end !== undefined) throw new Error(end)
    return pidIn(join(home, 'run', `${name}.pid`))
  }
  const readiness = () =>
    fetch(`${address}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => 0,
    )
  const until = async (isThere: () => Promise<boolean>, withinMs: number) => {
    const began = performance.now()
    while (!(await isThere())) {
      if (end !== undefined) throw new Error(end)
      if (performance.now() - began > withinMs)
        throw new Error(`the shop is not there after ${withinMs} ms: ${said}`)
      await sleep(20)
    }
    return performance.now() - began
  }
  const command = (args: readonly string[]) =>
    runCommand(args, { ...environment, LOG_LEVEL: 'error' })

  const stop = async () => {
    if (end !== undefined) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    const inTime = ended.then(() => true)
    if (await Promise.race([inTime, sleep(STOP_MS, false, { ref: false })])) return
    // What hangs would keep the whole run from ending.
    child.kill('SIGKILL')
    await ended
    throw new Error(`the shop did not stop within ${STOP_MS} ms: ${said}`)
  }
  const isThere = async () =>
    (await readiness()) === 200 && PROCESSES.every((name) => pid(name) !== undefined)
  await until(isThere, READY_MS).catch(async (error: unknown) => {
    await stop().catch(() => {})
    throw error
  })
  return {
    address,
    home,
    said: () => said,
    pid,
    readiness,
    recovered: (withinMs = BACK_MS) => until(async () => (await readiness()) === 200, withinMs),
    cli: async (...args) => {
      const { code, out } = await command(args)
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${out}`)
    },
    complaints: async () =>
      (await command(['doctor'])).out
        .split('\n')
        .filter((line) => line.startsWith('wrong'))
        .join('\n'),
    withCtx: (work) => withDatabase(home, work),
    stop,
  }
}

export function removeHome(home: string): void {
  removeDataFolder(home)
}

function pidIn(file: string): number | undefined {
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').trim()) : Number.NaN
  return Number.isInteger(pid) && pid > 1 ? pid : undefined
}

/** Ends a process as a power cut would. @returns false while it is not there */
export function killAtOnce(pid: number | undefined): boolean {
  if (pid === undefined) return false
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch {
    return false
  }
}

async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly out: string }> {
  const child = spawn(process.execPath, ['src/cli.ts', ...args], {
    cwd: PROJECT_ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: COMMAND_MS,
    killSignal: 'SIGKILL',
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out }
}

async function withDatabase<T>(home: string, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const url = runningEmbeddedPostgres(home)?.server
  if (!url) throw new Error('the database is not running')
  const db = openDatabase({ url, poolSize: 8, statementTimeoutMs: 120_000 })
  try {
    return await work(
      createCtx({
        db,
        keys: openKeys(readConfig({ DATA_DIR: home })),
        log: createLogger({ level: 'error' }),
        actor: 'system',
      }),
    )
  } finally {
    await db.destroy()
  }
}
