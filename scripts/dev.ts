/**
 * `npm run dev`: the shop with hot reload. Vite serves and refreshes the browser's code and runs the server's from source;
 * the database is the embedded one (or DATABASE_URL). A demo gets its goods and people as by `npm start`.
 */
import { createServer as createHttpServer } from 'node:http'
import { join } from 'node:path'
import { keepRunning } from '#cli/start/keep-running.ts'
import { keepingOf, launchOwn } from '#cli/start/own-processes.ts'
import { ownAddresses } from '#cli/database.ts'
import { bringToNewestSchema, checkVaultKeys, prepareDemo } from '#cli/start/prepare-shop.ts'
import { keepSandboxes, withSandboxSettings } from '#cli/start/sandboxes.ts'
import { readConfig, type Config } from '#platform/config.ts'
import { makeDataDirectory } from '#platform/data-directory.ts'
import { programKey } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { present } from '#kernel/assert.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { secret } from '#platform/secret.ts'
import { createServer as createVite, type ViteDevServer } from 'vite'
import type { Web } from '../src/web.ts'
import { reloadPlugin } from './dev-reload.ts'
import { createSnapshotFile } from './dev-snapshot.ts'

/** Folders that the worker runs nothing of. */
const ONLY_WEB = /\/(?:src\/(?:storefront|console|ui|api|sandbox)|locales)\//

const config = readConfig(process.env)
const log = createLogger({ level: config.logLevel, fields: { process: 'dev' } })
makeDataDirectory(config.dataDirectory)
const embedded = config.databaseUrl
  ? null
  : await startEmbeddedPostgres({ dataDirectory: config.dataDirectory, log })
const addresses = present(ownAddresses(config) ?? embedded?.addresses, 'a database')
const databaseUrl = addresses.program
await bringToNewestSchema(addresses, log)
await checkVaultKeys(config, databaseUrl)
await prepareDemo({
  config,
  databaseUrl,
  stopping: new AbortController().signal,
  say: (line) => process.stdout.write(`${line}\n`),
})
const webConfig: Config = await withSandboxSettings({
  ...config,
  databaseUrl: secret(databaseUrl),
  secretKey: programKey(config),
})
const startWorker = () => launchOwn('worker', webConfig)
/** What the web process asks: the same in development. */
const asked = (['pictures', 'vault'] as const).map((name) =>
  keepRunning({
    name,
    first: launchOwn(name, webConfig),
    launch: async () => launchOwn(name, webConfig),
    log,
    ...keepingOf(name, webConfig),
  }),
)
let worker = startWorker()
const kept = [
  ...keepSandboxes(webConfig, log),
  ...asked,
  keepRunning({ name: 'worker', first: worker, launch: async () => (worker = startWorker()), log }),
]

const keptSnapshot = createSnapshotFile(databaseUrl)
const http = createHttpServer()
const vite = await createVite({
  server: { middlewareMode: { server: http } },
  appType: 'custom',
  cacheDir: join(config.dataDirectory, 'cache', 'vite'),
  plugins: [reloadPlugin(onChange)],
})
let web = await loadWeb(vite)
/** Settles when the newest change is in `web`, or could not be. */
let reloaded = Promise.resolve()
http.on('request', (req, res) =>
  vite.middlewares(req, res, () => void reloaded.then(() => web.listener(req, res))),
)
http.listen(config.port, config.host, () => process.stdout.write(`Ready: ${config.publicUrl}\n`))

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stop().finally(() => process.exit(0)))

function onChange(files: readonly string[]): void {
  reloaded = reloaded.then(reload)
  // It runs from the files without Vite: it is started again with them.
  if (files.some((file) => !ONLY_WEB.test(file))) void worker.stop()
}

/** What cannot be loaded is told, and the shop of before goes on. */
async function reload(): Promise<void> {
  const began = performance.now()
  try {
    const old = web
    web = await loadWeb(vite)
    await old.close()
    log.info('reloaded', { ms: Math.round(performance.now() - began) })
  } catch (error) {
    process.stderr.write(
      `Not reloaded: ${error instanceof Error ? error.message : String(error)}\n`,
    )
  }
}

/** The server's modules: Vite gives anew what has changed since it was asked last. */
async function loadWeb(server: ViteDevServer): Promise<Web> {
  const { createWeb } = (await server.ssrLoadModule(
    '/src/web.ts',
  )) as typeof import('../src/web.ts')
  const { holdSnapshot } = (await server.ssrLoadModule(
    '/src/features/goods/browse/flows.ts',
  )) as typeof import('../src/features/goods/browse/flows.ts')
  const entry = '/src/storefront/browser/dev-entry.ts'
  const assets = { entry, styles: stylesOf(server), chunksOf: () => [] }
  const consoleAssets = {
    entry: '/src/console/browser/dev-entry.ts',
    styles: ['/src/console/styles/console.css?direct'],
    chunksOf: () => [],
  }
  return createWeb({
    config: webConfig,
    log,
    assets: () => assets,
    consoleAssets: () => consoleAssets,
    files: () => new Map(),
    isDevelopment: true,
    holdSnapshot: keptSnapshot(holdSnapshot),
  })
}

/** Every stylesheet that the server's modules import, so that a page looks right before the application is loaded. */
function stylesOf(server: ViteDevServer): string[] {
  const urls = [...server.environments.ssr.moduleGraph.urlToModuleMap.keys()]
  return urls.filter((url) => url.endsWith('.css')).map((url) => `${url}?direct`)
}

async function stop(): Promise<void> {
  await vite.close()
  await web.close()
  await Promise.all(kept.map((one) => one.stop()))
  await embedded?.stop()
}
