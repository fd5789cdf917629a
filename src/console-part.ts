import type { IncomingMessage, RequestListener } from 'node:http'
import { send } from '#api/answer.ts'
import { createConsoleCalls } from '#api/console/run.ts'
import { createConsoleTransport } from '#api/console/transport.ts'
import type { Services } from '#api/personal/services.ts'
import type { SnapshotHolder } from '#features/goods/browse/flows.ts'
import { findProduct } from '#features/goods/browse/queries.ts'
import { goodsImage } from '#features/goods/browse/views.ts'
import { productPath } from '#features/goods/catalogue/rules.ts'
import type { Config } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import { supplyEnvironment } from '#providers/supply/offered.ts'
import type { Suppliers } from '#providers/supply/provider.ts'
import { openDatabase, type Db } from '#platform/db.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import type { ConsoleAssets } from '#console/server/assets.ts'
import { consoleDoor } from './console-door.ts'
import { openConsolePages } from './console-pages.ts'
import { shopReady } from './shop-ready.ts'

/** A page of the console asks a dozen things at once: no shopper is to wait behind them for a connection, or for a core of the database's. */
const DESK_CONNECTIONS = 6

export function openDeskDatabase(url: string): Db {
  return openDatabase({
    url,
    poolSize: DESK_CONNECTIONS,
    statementTimeoutMs: 5_000,
    isModest: true,
  })
}

/** What of the web process the console stands on. */
interface ConsoleBehind {
  readonly snapshot: SnapshotHolder['current']
  readonly suppliers: Suppliers
  readonly visitor: (req: IncomingMessage) => Visitor
  readonly assets: () => ConsoleAssets
  readonly changes: RequestListener
  readonly isDevelopment: boolean
}

/** The console's calls and pages, under the origin that it is served from. */
export function consoleOf(
  config: Config,
  ctx: Ctx,
  services: Services,
  { snapshot, suppliers, visitor, assets, changes, isDevelopment }: ConsoleBehind,
) {
  const door = consoleDoor(config)
  const supplying = { environment: supplyEnvironment(config), suppliers }
  const ready = shopReady(config, ctx, () => [...services.payments.providers.keys()])
  const calls = createConsoleCalls({
    ctx,
    services: {
      origin: door.origin,
      isHttps: door.origin.startsWith('https:'),
      isDemo: config.demo,
      shopName: () => snapshot().settings.name,
      seller: () => {
        const { corporateName, address } = snapshot().settings
        return [corporateName, address, new URL(config.publicUrl).host]
      },
      timeZone: config.shopTimeZone,
      drawReceipt: services.drawReceipt,
      payments: services.payments,
      paymentEnvironment: config.payment,
      supplying,
      vault: services.vault,
      takeShare: services.takeShare,
      readUpload: services.readUpload,
      ready,
    },
  })
  const transport = createConsoleTransport({
    calls,
    origin: door.origin,
    visitorOf: visitor,
    log: ctx.log,
    newId: ctx.newId,
  })
  const listener: RequestListener = (req, res) =>
    void transport(req).then((answer) => send(res, req.method ?? 'GET', answer))
  const pages = openConsolePages({
    config,
    ctx,
    origin: door.origin,
    assets,
    shopName: () => snapshot().settings.name,
    pictureOf: (code) => {
      const shop = snapshot()
      const product = findProduct(shop, code)
      return product ? goodsImage(shop, product) : ''
    },
    aProductPath: () => {
      const [product] = snapshot().catalogue.products
      return product ? productPath(product) : null
    },
    paying: {
      environment: config.payment,
      publicUrl: config.publicUrl,
      providers: services.payments.providers,
    },
    supplying,
    ready,
    isDevelopment,
  })
  return { takes: door.takes, calls: listener, pages, changes }
}
