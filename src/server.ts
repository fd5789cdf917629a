/** The web process as built: API, pages and pictures over one port. */
import { CONSOLE_FOLDER, readConsoleAssets } from '#console/server/assets.ts'
import { configFromEnvironment } from '#platform/config.ts'
import { readStaticFiles } from '#platform/http/static-files.ts'
import { createLogger } from '#platform/log.ts'
import { CLIENT_FOLDER, readClientAssets } from '#storefront/server/assets.ts'
import { createWeb, serve } from './web.ts'

const config = configFromEnvironment()
const log = createLogger({ level: config.logLevel, fields: { process: 'web' } })
const assets = readClientAssets()
const consoleAssets = readConsoleAssets()
const files = new Map([
  ...(await readStaticFiles(CLIENT_FOLDER)),
  ...(await readStaticFiles(CONSOLE_FOLDER)),
])
serve(
  await createWeb({
    config,
    log,
    assets: () => assets,
    consoleAssets: () => consoleAssets,
    files: () => files,
    isDevelopment: false,
  }),
  config,
  log,
)
