/**
 * `npm run dev`: the shop with hot reload. Vite serves and refreshes the browser's code and runs the server's from source;
 * the database is the embedded one (or DATABASE_URL), with the demo catalogue imported when it is empty.
 */
import { createServer as createHttpServer } from 'node:http'
import { keepSandboxes, withSandboxSettings } from '#cli/start/sandboxes.ts'
import { startNode } from '#cli/start/node-process.ts'
import { readConfig, type Config } from '#platform/config.ts'
import { makeDataDirectory } from '#platform/data-directory.ts'
import { programKey } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { secret } from '#platform/secret.ts'
import { createServer as createVite, type ViteDevServer } from 'vite'
import type { Web } from '../src/web.ts'

const log = createLogger({ level: 'info', fields: { process: 'dev' } })
const config = readConfig(process.env)
makeDataDirectory(config.dataDirectory)
const embedded = config.databaseUrl
  ? null
  : await startEmbeddedPostgres({ dataDirectory: config.dataDirectory, log })
const databaseUrl = config.databaseUrl?.reveal() ?? embedded?.url ?? ''
await migrate(databaseUrl)
const webConfig: Config = await withSandboxSettings({
  ...config,
  databaseUrl: secret(databaseUrl),
  secretKey: programKey(config),
})
const others = [
  ...keepSandboxes(webConfig, log),
  startNode('src/worker.ts', { ...webConfig, role: 'worker' }),
]

const http = createHttpServer()
const vite = await createVite({ server: { middlewareMode: { server: http } }, appType: 'custom' })
let web = await loadWeb(vite)
http.on('request', (req, res) => vite.middlewares(req, res, () => web.listener(req, res)))
http.listen(config.port, config.host, () => process.stdout.write(`Ready: ${config.publicUrl}\n`))

vite.watcher.on('change', (file) => {
  if (!/\/(?:src|locales)\//.test(file)) return
  // The server reads texts from the files, not through Vite: let its modules read them again.
  if (file.includes('/locales/')) vite.moduleGraph.invalidateAll()
  void loadWeb(vite).then(
    (next) => {
      const old = web
      web = next
      return old.close()
    },
    (error: unknown) => log.error('not reloaded', { error }),
  )
})

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(
    signal,
    () =>
      void vite
        .close()
        .then(() => web.close())
        .then(() => Promise.all(others.map((other) => other.stop())))
        .then(() => embedded?.stop())
        .finally(() => process.exit(0)),
  )

/** The server's modules, read anew: Vite drops what has changed. */
async function loadWeb(server: ViteDevServer): Promise<Web> {
  const { createWeb } = (await server.ssrLoadModule(
    '/src/web.ts',
  )) as typeof import('../src/web.ts')
  const assets = { entry: '/src/storefront/browser/dev-entry.ts', styles: [] }
  return createWeb({
    config: webConfig,
    log,
    assets: () => assets,
    files: () => new Map(),
    isDevelopment: true,
  })
}
