import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
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

const READY_MS = 240_000

export type Victim = 'web' | 'worker' | 'postgres'

/** The whole demo shop as `npm start` runs it, on a data directory of its own. */
export interface FaultShop {
  readonly address: string
  /** Ends one of its processes as a power cut would. Throws when the shop itself has ended. @returns false while it is not there */
  readonly kill: (victim: Victim) => boolean
  /** Asks until the shop answers again. @returns milliseconds it took */
  readonly recovered: () => Promise<number>
  /** Runs one of its commands, as `npm run cli -- …` does. */
  readonly cli: (...args: readonly string[]) => Promise<void>
  /** Work on its database from outside. */
  readonly withCtx: <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>
  readonly stop: () => Promise<void>
}

export async function startShop(): Promise<FaultShop> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'lukado-faults-'))
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const environment = {
    ...inheritedEnvironment(),
    PORT: String(port),
    DATA_DIR: dataDirectory,
    DEMO: '1',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
    PUBLIC_URL: address,
  }
  const child = spawn(process.execPath, ['src/cli.ts', 'start'], {
    cwd: PROJECT_ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ready = Promise.withResolvers<void>()
  const listen = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-20_000)
    if (output.includes('Ready: ')) ready.resolve()
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  let end: string | undefined
  child.once('exit', (code) => {
    end = `the shop ended with ${code}: ${output}`
    ready.reject(new Error(end))
  })
  const timer = setTimeout(
    () => ready.reject(new Error(`the shop was not ready in time: ${output}`)),
    READY_MS,
  )
  await ready.promise
  clearTimeout(timer)

  const isUp = () =>
    fetch(`${address}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ status }) => status === 200,
      () => false,
    )
  return {
    address,
    kill: (victim) => {
      if (end !== undefined) throw new Error(end)
      return killBy(join(dataDirectory, 'run', `${victim}.pid`))
    },
    recovered: async () => {
      const began = performance.now()
      while (!(await isUp())) {
        if (performance.now() - began > 60_000)
          throw new Error(`the shop does not come back: ${output}`)
        await sleep(20)
      }
      return performance.now() - began
    },
    cli: async (...args) => {
      const command = spawn(process.execPath, ['src/cli.ts', ...args], {
        cwd: PROJECT_ROOT,
        env: environment,
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      const code = await new Promise((resolve) => command.once('exit', resolve))
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
    },
    withCtx: async (work) => {
      const url = runningEmbeddedPostgres(dataDirectory)?.server
      if (!url) throw new Error('the database is not running')
      const db = openDatabase({ url, poolSize: 8, statementTimeoutMs: 120_000 })
      try {
        return await work(
          createCtx({
            db,
            keys: openKeys(readConfig({ DATA_DIR: dataDirectory })),
            log: createLogger({ level: 'error' }),
            actor: 'system',
          }),
        )
      } finally {
        await db.destroy()
      }
    },
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      if (end === undefined) {
        child.kill('SIGTERM')
        await ended
      }
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

function killBy(pidFile: string): boolean {
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').trim()) : Number.NaN
  if (!Number.isInteger(pid) || pid <= 1) return false
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch {
    return false
  }
}
