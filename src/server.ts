/** The web process as built: API, pages and pictures over one port. */
import { configFromEnvironment } from '#platform/config.ts'
import { readStaticFiles } from '#platform/http/static-files.ts'
import { createLogger } from '#platform/log.ts'
import { CLIENT_FOLDER, readClientAssets } from '#storefront/server/assets.ts'
import { createWeb, serve } from './web.ts'

const config = configFromEnvironment()
const log = createLogger({ level: config.logLevel, fields: { process: 'web' } })
const assets = readClientAssets()
const files = await readStaticFiles(CLIENT_FOLDER)
serve(
  await createWeb({ config, log, assets: () => assets, files: () => files, isDevelopment: false }),
  config,
  log,
)
