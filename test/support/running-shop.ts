import { mkdtempSync, rmSync } from 'node:fs'
import { spawn, type ChildProcess } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#platform/config.ts'
import { freePort } from '#platform/free-port.ts'
import { createLogger } from '#platform/log.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { createWeb, type WebOptions } from '../../src/web.ts'

export interface RunningShop {
  readonly origin: string
  /** Every line of the log so far. */
  readonly log: readonly string[]
  readonly stop: () => Promise<void>
}

/** The web process's own listener over a database, on a port of its own in this process, with assets that are none. */
export async function startShop(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
  options: Pick<WebOptions, 'holdSnapshot'> = {},
): Promise<RunningShop> {
  const folder = mkdtempSync(join(tmpdir(), 'lukado-shop-'))
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const log: string[] = []
  const web = await createWeb({
    config: readConfig({
      PORT: String(port),
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      PUBLIC_URL: origin,
      SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
      SMTP_URL: 'smtp://127.0.0.1:1',
      DEMO: '0',
      ...settings,
    }),
    log: createLogger({
      level: 'info',
      write: (line) => log.push(line),
      fields: { process: 'web' },
    }),
    assets: () => ({ entry: '/assets/x.js', styles: [], chunksOf: () => [] }),
    consoleAssets: () => ({ entry: '/console/assets/x.js', styles: [], chunksOf: () => [] }),
    files: () => new Map(),
    isDevelopment: false,
    ...options,
  })
  const server: Server = createServer(web.listener)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const beside = ['pictures.ts', 'vault.ts'].map((entry) =>
    keepBeside(entry, { ...settings, DATA_DIR: folder }),
  )
  return {
    origin,
    log,
    async stop() {
      for (const other of beside) other.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await web.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** A process that the web process asks, started anew whenever it ends, as the one that draws does by itself now and then. */
function keepBeside(
  entry: string,
  environment: Readonly<Record<string, string>>,
): { readonly stop: () => void } {
  let isStopped = false
  let child: ChildProcess
  const start = () => {
    child = spawn(process.execPath, [join(PROJECT_ROOT, 'src', entry)], {
      env: { PATH: process.env.PATH ?? '', ...environment },
      stdio: 'ignore',
    })
    child.once('exit', () => {
      if (!isStopped) start()
    })
  }
  start()
  return {
    stop: () => {
      isStopped = true
      child.kill('SIGKILL')
    },
  }
}
