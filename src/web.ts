import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createApi } from '#api/app.ts'
import { userInfo } from '#api/calls/user-info.ts'
import { createPersonalCalls } from '#api/personal/run.ts'
import type { Services } from '#api/personal/services.ts'
import { holdSnapshot } from '#features/browse/flows.ts'
import { productPath } from '#features/catalogue/rules.ts'
import { createAsking } from '#features/payment/flows.ts'
import { isSmsPossible } from '#features/phone/rules.ts'
import { createPictureService } from '#features/picture/flows.ts'
import { resolvePicture } from '#features/picture/queries.ts'
import { present } from '#kernel/assert.ts'
import type { Config } from '#platform/config.ts'
import { createCtx } from '#platform/ctx.ts'
import { openDatabase, type Db } from '#platform/db.ts'
import { createRateLimits } from '#platform/http/rate-limiter.ts'
import type { StaticFile } from '#platform/http/static-files.ts'
import { parseProxies, visitorOf } from '#platform/http/visitor.ts'
import { openKeys } from '#platform/keys.ts'
import type { Log } from '#platform/log.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { secret } from '#platform/secret.ts'
import { openVaultKeys } from '#platform/vault-keys.ts'
import { offeredProviders } from '#providers/identity/offered.ts'
import type { ClientAssets } from '#storefront/server/assets.ts'
import { createPages } from '#storefront/server/handler.ts'
import type { People } from '#storefront/server/personal.ts'
import { headerPerson } from '#storefront/state/header-person.ts'
import { createSitemap } from '#storefront/server/sitemap.ts'
import { withReadLimit } from './limit-gate.ts'
import { createListener } from './listener.ts'
import { paymentProviders } from './payment-providers.ts'
import { withPostedLanding } from './posted-landing.ts'
import { withSandboxes } from './sandbox-gate.ts'

export interface WebOptions {
  readonly config: Config
  readonly log: Log
  readonly assets: () => ClientAssets
  readonly files: () => ReadonlyMap<string, StaticFile>
  /** Keeps no page and leaves the security policy to the development server. */
  readonly isDevelopment: boolean
}

export interface Web {
  readonly listener: RequestListener
  readonly close: () => Promise<void>
}

const PAGE_CACHE_BYTES = 64 * 1024 * 1024
const DATABASE_ANSWER_MS = 2_000

/** Everything the web process serves, over one database, before anybody listens. */
export async function createWeb(options: WebOptions): Promise<Web> {
  const { config, log } = options
  const databaseUrl = present(config.databaseUrl, 'DATABASE_URL').reveal()
  const db = openDatabase({ url: databaseUrl, poolSize: 16, statementTimeoutMs: 5_000 })
  const ctx = createCtx({
    db,
    keys: openKeys(config),
    log,
    actor: 'system',
    isLimited: config.rateLimits,
  })
  const holder = await holdSnapshot({
    db,
    databaseUrl,
    log,
    onChange: () => pages.clear(),
    onStock: (products) =>
      pages.forget(new Set(products.map((product) => productPath(product).split('?', 1)[0] ?? ''))),
  })
  const isHttps = config.publicUrl.startsWith('https:')
  const identityProviders = offeredProviders(config, ctx.now)
  const paying = { ...(await paymentProviders(config, ctx)), publicUrl: config.publicUrl }
  const payments = { ...paying, ask: createAsking(ctx, paying) }
  const services: Services = {
    publicUrl: config.publicUrl,
    isHttps,
    timeZone: config.shopTimeZone,
    isDemo: config.demo,
    strictPasswords: config.strictPasswords,
    isSmsPossible: isSmsPossible(config),
    identityProviders,
    payments,
    vaultKeys: openVaultKeys(config),
    takeShare: createRateLimits({ isOn: config.rateLimits, now: () => ctx.now().getTime() }),
  }
  const personal = createPersonalCalls({ ctx, snapshot: holder.current, services })
  const proxies = parseProxies(config.trustedProxies)
  const visitor = (req: IncomingMessage) => visitorOf(req, proxies)
  const people: People = {
    ctx,
    personOf: personal.personOf,
    run: personal.run,
    offer: {
      strictPasswords: config.strictPasswords,
      isSmsPossible: services.isSmsPossible,
      services: [...identityProviders.values()].map(({ platform, name }) => ({ platform, name })),
    },
    payments: { ...payments, transferDetails: config.payment.bankTransferDetails },
    headerOf: async (person, shop) =>
      headerPerson(
        await userInfo(
          { db, shop, language: person.language, timeZone: config.shopTimeZone },
          person,
        ),
      ),
  }
  const pages = createPages({
    people,
    formTargets: [
      ...new Set([
        ...[...identityProviders.values()].map(({ origin }) => origin),
        ...paying.origins,
      ]),
    ],
    snapshot: holder.current,
    assets: options.assets,
    publicUrl: config.publicUrl,
    timeZone: config.shopTimeZone,
    log,
    newId: ctx.newId,
    cacheBytes: options.isDevelopment ? 0 : PAGE_CACHE_BYTES,
    isDevelopment: options.isDevelopment,
  })
  const pictures = createPictureService({
    cacheDirectory: join(config.dataDirectory, 'cache', 'pictures'),
    now: ctx.now,
    // No page links to a picture with effects yet, so that no signed address outlives the process.
    secret: secret(Buffer.from(ctx.random(32)).toString('base64url')),
    resolve: (code) => resolvePicture(holder.current().pictures, code),
    onFault: (error) => log.warn('picture cache', { error }),
  })
  const api = createApi({
    ctx,
    snapshot: holder.current,
    pictures: pictures.handle,
    timeZone: config.shopTimeZone,
    publicUrl: config.publicUrl,
    release: readRelease(),
    personal,
    payments,
    visitorOf: visitor,
  })
  const listener = createListener({
    pages,
    files: options.files,
    holder,
    log,
    visitorOf: visitor,
    publicUrl: config.publicUrl,
    sitemap: createSitemap({ snapshot: holder.current, publicUrl: config.publicUrl }),
    app: api,
    isDatabaseReachable: () => isReachable(db),
  })
  const whole = config.identity.apple ? withPostedLanding(listener, config.publicUrl) : listener
  const limited = config.rateLimits
    ? withReadLimit(whole, { takeShare: services.takeShare, visitorOf: visitor })
    : whole
  return {
    listener: withSandboxes(limited, { ports: config.sandboxPorts, publicUrl: config.publicUrl }),
    close: async () => {
      await holder.close()
      await db.destroy()
    },
  }
}

/** A database that does not answer in time counts as gone: a frozen one keeps its connections open. */
function isReachable(db: Db): Promise<boolean> {
  const answered = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
  return Promise.race([answered, sleep(DATABASE_ANSWER_MS, false, { ref: false })])
}

function readRelease(): string {
  return (
    JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')) as { version: string }
  ).version
}

/** Listens, and on SIGTERM or SIGINT ends what is running, then closes. */
export function serve(web: Web, config: Config, log: Log): Server {
  const server = createServer(
    {
      keepAliveTimeout: 65_000,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 5_000,
    },
    web.listener,
  )
  server.listen(config.port, config.host, () =>
    log.info('listening', { host: config.host, port: config.port }),
  )
  const stop = () => {
    server.close(() => void web.close().finally(() => process.exit(0)))
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), 5_000).unref()
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  return server
}
