/** The demo's suppliers: nothing they sell is worth anything. */
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { openSupplySandbox } from './service.ts'

const PORT_NAME = /^supply-([a-z]+)$/
const settings = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65_535),
    DATA_DIR: z.string().min(1),
    SANDBOX_PORTS: z.string().default(''),
    SANDBOX_SUPPLY_SECRET: z.string().min(32),
    SANDBOX_SHOP_URL: z.url().optional(),
    SANDBOX_SUPPLY_BULK: z.coerce.number().int().min(0).max(100_000).default(0),
    SANDBOX_SUPPLY_SLOW_MS: z.coerce.number().int().min(0).default(52_000),
  })
  .parse(process.env)

const ports = Object.fromEntries(
  settings.SANDBOX_PORTS.split(',').flatMap((entry) => {
    const [name = '', port] = entry.split(':')
    const [, supplier] = PORT_NAME.exec(name) ?? []
    return supplier === undefined ? [] : [[supplier, Number(port)]]
  }),
)
const sandbox = await openSupplySandbox({
  port: settings.PORT,
  ports,
  folder: join(resolve(settings.DATA_DIR), 'sandbox', 'supply'),
  secret: settings.SANDBOX_SUPPLY_SECRET,
  noticeUrl:
    settings.SANDBOX_SHOP_URL === undefined
      ? null
      : `${new URL(settings.SANDBOX_SHOP_URL).origin}/api/webhook`,
  slowMs: settings.SANDBOX_SUPPLY_SLOW_MS,
  bulk: settings.SANDBOX_SUPPLY_BULK,
})
if (settings.PORT === 0)
  process.stdout.write(`${JSON.stringify({ origin: sandbox.origin, origins: sandbox.origins })}\n`)

process.once('SIGTERM', () => void sandbox.stop().finally(() => process.exit(0)))
