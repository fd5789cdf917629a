import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createApi, type PictureHandler } from '#api/app.ts'
import { createChangeStream, type ChangeStream } from '#api/console/stream.ts'
import { userInfo } from '#api/calls/user-info.ts'
import { createPersonalCalls, type PersonalCalls } from '#api/personal/run.ts'
import type { Services } from '#api/personal/services.ts'
import { createMcpTransport } from '#api/mcp/transport.ts'
import { createResellerTransport } from '#api/reseller/transport.ts'
import { REQUIRED_TEXTS } from '#features/base/shop/rules.ts'
import { holdSnapshot, type SnapshotHolder } from '#features/goods/browse/flows.ts'
import { NO_SAMPLES, readSampleTexts } from '#features/goods/content/engine/sample-texts.ts'
import { lookOpener, themeOf } from '#features/base/theme/flows.ts'
import { onSettingFault } from '#features/base/setting/queries.ts'
import { createVaultClient } from '#features/buying/vault/engine/vault-process.ts'
import { keepAnnouncing } from '#features/buying/vault/flows.ts'
import { createAsking } from '#features/buying/payment/flows.ts'
import { createAccountChecks } from '#features/supply/account-check/flows.ts'
import { isSmsPossible } from '#features/people/phone/rules.ts'
import { createDetection } from '#features/supply/detection/flows.ts'
import { createPictureService, ownPicture } from '#features/goods/picture/flows.ts'
import { createPictureMaker } from '#features/goods/picture/pipeline/make.ts'
import { resolvePicture, sentPictures } from '#features/goods/picture/queries.ts'
import { createPageCounter } from '#features/base/analytics/flows.ts'
import { createReceiptDrawer } from '#features/buying/receipt/engine/drawer.ts'
import { createUploadReader } from '#features/goods/upload/pipeline/upload-reader.ts'
import { present } from '#kernel/assert.ts'
import type { Config } from '#platform/config.ts'
import { openClock } from '#platform/clock.ts'
import { createCtx, type Ctx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { withOwnNames } from '#platform/http/own-names.ts'
import { withCommonHeaders } from '#platform/http/common-headers.ts'
import { answerBrokenRequests, boundConnections } from '#platform/http/connections.ts'
import { createRateLimits } from '#platform/http/rate-limiter.ts'
import type { StaticFile } from '#platform/http/static-files.ts'
import { withOriginForm } from '#platform/http/origin-form.ts'
import { withUnreadBodies } from '#platform/http/unread-bodies.ts'
import { parseProxies, visitorOf, type Visitor } from '#platform/http/visitor.ts'
import { openKeys } from '#platform/keys.ts'
import { socketOf } from '#platform/local-service.ts'
import type { Log } from '#platform/log.ts'
import { createWriteProbe } from '#platform/write-probe.ts'
import { PROGRAM_VERSION } from '#platform/version.ts'
import { keepHeartbeat } from '#platform/running-process.ts'
import { secret } from '#platform/secret.ts'
import { createSmtpSender } from '#providers/mail/smtp/smtp-sender.ts'
import { offeredProviders } from '#providers/identity/offered.ts'
import type { ConsoleAssets } from '#console/server/assets.ts'
import type { ClientAssets } from '#storefront/server/assets.ts'
import { createPages, type Pages } from '#storefront/server/handler.ts'
import type { People } from '#storefront/server/personal.ts'
import { headerPerson } from '#storefront/state/header-person.ts'
import { SECURITY_TXT_PATH, securityTxt } from '#storefront/server/security-txt.ts'
import { webManifest } from '#storefront/server/manifest.ts'
import { serviceWorker, WORKER_PATH } from '#storefront/server/offline/worker.ts'
import { themeFile } from '#storefront/server/theme-file.ts'
import { createSitemap } from '#storefront/server/sitemap.ts'
import { pathsWithStock } from '#storefront/server/touched.ts'
import { withReadLimit } from './limit-gate.ts'
import { startAlerting } from './alerting.ts'
import { consoleDoor } from './console-door.ts'
import { consoleOf, openDeskDatabase } from './console-part.ts'
import { createListener } from './listener.ts'
import type { Suppliers } from '#providers/supply/provider.ts'
import { followPayments } from './payment-providers.ts'
import { followSuppliers } from './supply-services.ts'
import { followTexts } from './text-overrides.ts'
import { withPostedLanding } from './posted-landing.ts'
import { withSandboxes } from './sandbox-gate.ts'

export interface WebOptions {
  readonly config: Config
  readonly log: Log
  readonly assets: () => ClientAssets
  readonly consoleAssets: () => ConsoleAssets
  readonly files: () => ReadonlyMap<string, StaticFile>
  /** Keeps no page and leaves the security policy to the development server. */
  readonly isDevelopment: boolean
  /** The development server keeps the catalogue in memory over its reloads. */
  readonly holdSnapshot?: typeof holdSnapshot
}

export interface Web {
  readonly listener: RequestListener
  /** Ends what would stay open as long as somebody listens. */
  readonly endStreams: () => void
  readonly close: () => Promise<void>
}

/** Lets a request through to what is behind it, or answers it. */
type Gate = (next: RequestListener) => RequestListener
const PAGE_CACHE_BYTES = 64 * 1024 * 1024

/** Everything the web process serves, over one database, before anybody listens. */
export async function createWeb(options: WebOptions): Promise<Web> {
  const { config } = options
  const base = await openBase(options)
  const { ctx } = base
  const texts = await followTexts(ctx, base.databaseUrl)
  // What changes before there are pages leaves none in doubt.
  let made: Pages | null = null
  const holder = await (options.holdSnapshot ?? holdSnapshot)({
    db: base.db,
    databaseUrl: base.databaseUrl,
    log: options.log,
    // A demo sells on the samples: nothing of it is for real.
    samples: config.demo ? NO_SAMPLES : await readSampleTexts(REQUIRED_TEXTS),
    onChange: (_, change) => made?.follow(change),
    onStock: (products) => made?.doubt(new Set(products.flatMap(pathsWithStock))),
  })
  const followed = await followPayments(config, ctx, base.databaseUrl)
  const paying = { providers: followed.providers, publicUrl: config.publicUrl }
  const outside = startOutside(options, base, () => [...followed.providers.keys()])
  const identityProviders = await offeredProviders(config, ctx.now)
  const supplying = await followSuppliers(config, ctx, base.databaseUrl)
  const payments = { ...paying, ask: createAsking(ctx, paying) }
  const services = servicesOf(config, ctx, {
    identityProviders,
    payments,
    vault: outside.vault,
    askOperator: createDetection(ctx, supplying.suppliers),
    checkAccount: createAccountChecks(supplying.suppliers),
  })
  const personal = createPersonalCalls({ ctx, snapshot: holder.current, services })
  const people = peopleOf(config, ctx, services, personal)
  const signInOrigins = [...identityProviders.values()].map(({ origin }) => origin)
  const counter = createPageCounter(ctx, config.shopTimeZone)
  const consoleOrigin = consoleDoor(config).origin
  const pages = createPages({
    ...options,
    missed: counter.missed,
    people,
    formTargets: () => [...new Set([...signInOrigins, ...followed.origins()])],
    openLook: lookOpener(ctx),
    consoleOrigin,
    snapshot: holder.current,
    publicUrl: config.publicUrl,
    timeZone: config.shopTimeZone,
    newId: ctx.newId,
    // Whoever changes a page does not want to meet it as it was.
    hasOfflinePage: config.offlinePage && !options.isDevelopment,
    cacheBytes: options.isDevelopment ? 0 : PAGE_CACHE_BYTES,
  })
  made = pages // They name the ways to pay, and say the owner's own words:
  for (const each of [followed, texts]) each.onChange(pages.doubtAll)
  const changes = createChangeStream({ ctx, isHttps: consoleOrigin.startsWith('https:') })
  const behind = { suppliers: supplying.suppliers, countPage: counter.count, changes }
  return {
    listener: listenerOf({ options, base, holder, pages, services, personal, ...behind }),
    endStreams: changes.close,
    close: async () => {
      await outside.stop()
      await Promise.all([followed.close(), supplying.close(), texts.close()])
      await counter.close()
      base.clock.stop()
      await base.heartbeat.stop()
      await holder.close()
      await Promise.all([base.db.destroy(), base.deskDb.destroy()])
    },
  }
}

type Base = Awaited<ReturnType<typeof openBase>>

/** What everything else stands on: the database, its time, and a sign of life. */
async function openBase({ config, log }: WebOptions) {
  const databaseUrl = present(config.databaseUrl, 'DATABASE_URL').reveal()
  const db = openDatabase({ url: databaseUrl, poolSize: 16, statementTimeoutMs: 5_000 })
  const deskDb = openDeskDatabase(databaseUrl)
  onSettingFault((key, fault) =>
    log.warn('a setting cannot be read, its default holds', { key, fault }),
  )
  const clock = await openClock(db, log)
  const keys = openKeys(config)
  const ctx = createCtx({ db, clock, keys, log, actor: 'system', isLimited: config.rateLimits })
  const processId = ctx.newId()
  const heartbeat = keepHeartbeat(ctx, clock, 'web', processId, config)
  return { databaseUrl, db, deskDb, clock, ctx, processId, heartbeat }
}

/** Alerts to whoever runs the shop, and the vault's own process. */
function startOutside(
  { config, log }: WebOptions,
  { databaseUrl, clock, ctx, processId }: Base,
  providers: () => readonly string[],
) {
  const mail = config.smtpUrl
    ? createSmtpSender({ url: config.smtpUrl, from: config.mailFrom })
    : null
  const alerting = startAlerting({
    databaseUrl,
    context: { clock, keys: ctx.keys, log },
    id: processId,
    publicUrl: config.publicUrl,
    timeZone: config.shopTimeZone,
    providers,
    mail,
  })
  const vault = createVaultClient(socketOf(config.dataDirectory, 'vault'), log)
  const announcing = keepAnnouncing(ctx, vault, {
    id: ctx.newId(),
    name: `web process ${process.pid} on ${hostname()}`,
  })
  const stop = async () => {
    await alerting.stop()
    mail?.close()
    await announcing.stop()
  }
  return { vault, stop }
}

function servicesOf(
  config: Config,
  ctx: Ctx,
  given: Pick<
    Services,
    'identityProviders' | 'payments' | 'vault' | 'askOperator' | 'checkAccount'
  >,
): Services {
  return {
    ...given,
    publicUrl: config.publicUrl,
    isHttps: config.publicUrl.startsWith('https:'),
    timeZone: config.shopTimeZone,
    isDemo: config.demo,
    strictPasswords: config.strictPasswords,
    isSmsPossible: isSmsPossible(config),
    drawReceipt: createReceiptDrawer(socketOf(config.dataDirectory, 'pictures'), themeOf(ctx.db)),
    readUpload: createUploadReader(socketOf(config.dataDirectory, 'pictures')),
    takeShare: createRateLimits({ isOn: config.rateLimits, now: () => ctx.now().getTime() }),
  }
}

function peopleOf(
  config: Config,
  ctx: Ctx,
  { strictPasswords, isSmsPossible, identityProviders, payments, isHttps }: Services,
  { personOf, run, takesFiles }: PersonalCalls,
): People {
  return {
    ctx,
    personOf,
    run,
    isHttps,
    takesFiles,
    offer: {
      strictPasswords,
      isSmsPossible,
      services: [...identityProviders.values()].map(({ platform, name }) => ({ platform, name })),
    },
    payments: { ...payments, transferDetails: config.payment.bankTransferDetails },
    headerOf: async (person, shop) => {
      const of = { db: ctx.db, shop, language: person.language, timeZone: config.shopTimeZone }
      return headerPerson(await userInfo(of, person))
    },
  }
}

interface Parts {
  readonly options: WebOptions
  readonly base: Base
  readonly holder: SnapshotHolder
  readonly pages: Pages
  readonly services: Services
  readonly personal: PersonalCalls
  readonly suppliers: Suppliers
  readonly countPage: () => void
  readonly changes: ChangeStream
}

/** The gates a request passes, outermost first, before the table of `listener.ts` says who answers it. */
function listenerOf(parts: Parts): RequestListener {
  const { options, services } = parts
  const { config, log } = options
  const { takeShare, isHttps, publicUrl } = services
  const proxies = parseProxies(config.trustedProxies)
  const visitor = (req: IncomingMessage) => visitorOf(req, proxies)
  const isFile = (path: string) => options.files().has(path)
  const gates: readonly Gate[] = [
    withOriginForm,
    (next) => withCommonHeaders(next, isHttps),
    withUnreadBodies,
    (next) => (config.demo && !config.isDemoPublic ? withOwnNames(next, publicUrl) : next),
    (next) =>
      config.rateLimits
        ? withReadLimit(next, { takeShare, visitorOf: visitor, isFile, log })
        : next,
    (next) => withSandboxes(next, { ports: config.sandboxPorts, publicUrl: publicUrl }),
    (next) => (config.identity.services['apple'] ? withPostedLanding(next, publicUrl) : next),
  ]
  return gates.reduceRight((next, gate) => gate(next), answererOf(parts, visitor))
}

/** Whoever answers what has passed the gates. */
function answererOf(
  { options, base, holder, pages, services, personal, suppliers, countPage, changes }: Parts,
  visitor: (req: IncomingMessage) => Visitor,
): RequestListener {
  const { files, config, log } = options
  const { publicUrl } = config
  const snapshot = holder.current
  const signed = { ctx: base.ctx, snapshot, services, visitorOf: visitor }
  const app = createApi({
    ctx: base.ctx,
    snapshot,
    pictures: openPictures(options, base, holder),
    timeZone: config.shopTimeZone,
    publicUrl,
    release: PROGRAM_VERSION,
    personal,
    resellers: createResellerTransport(signed),
    mcp: config.mcp
      ? createMcpTransport({ ...signed, publicUrl, release: PROGRAM_VERSION })
      : undefined,
    payments: services.payments,
    suppliers,
    visitorOf: visitor,
  })
  const sitemap = createSitemap({ snapshot, publicUrl })
  const console = consoleOf(config, { ...base.ctx, db: base.deskDb }, services, {
    snapshot,
    suppliers,
    visitor,
    assets: options.consoleAssets,
    changes: changes.listener,
    isDevelopment: options.isDevelopment,
  })
  return createListener({
    countPage,
    pages,
    files,
    holder,
    log,
    visitorOf: visitor,
    publicUrl,
    takeShare: services.takeShare,
    shopFile: async (path, request) => {
      const shop = snapshot()
      if (path === SECURITY_TXT_PATH) return securityTxt(shop.settings, publicUrl, base.ctx.now())
      if (path === WORKER_PATH)
        return serviceWorker({ name: shop.settings.name, isOn: config.offlinePage }, request)
      const own = webManifest(path, shop) ?? themeFile(path, shop.theme, lookOpener(base.ctx))
      return own ?? sitemap(path, request.encoding)
    },
    app,
    console,
    isDatabaseWritable: createWriteProbe(base.db),
  })
}

function openPictures(
  { config, log }: WebOptions,
  { ctx }: Base,
  holder: SnapshotHolder,
): PictureHandler {
  return createPictureService({
    cacheDirectory: join(config.dataDirectory, 'cache', 'pictures'),
    now: ctx.now,
    // No page links to a picture with effects yet, so that no signed address outlives the process.
    secret: secret(Buffer.from(ctx.random(32)).toString('base64url')),
    make: createPictureMaker(socketOf(config.dataDirectory, 'pictures'), sentPictures(ctx.db)),
    resolve: (code) =>
      ownPicture(resolvePicture(holder.current().pictures, code), config.dataDirectory),
    onFault: (error) => log.warn('picture cache', { error }),
  }).handle
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
  boundConnections(server, parseProxies(config.trustedProxies))
  answerBrokenRequests(server, config.publicUrl.startsWith('https:'))
  server.listen(config.port, config.host, () =>
    log.info('listening', { host: config.host, port: config.port }),
  )
  const stop = () => {
    server.close(() => void web.close().finally(() => process.exit(0)))
    web.endStreams()
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), 5_000).unref()
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  return server
}
