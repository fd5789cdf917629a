/** The demo's payment service: takes no money. */
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { startService } from './service.ts'

const settings = z
  .object({
    PORT: z.coerce.number().int().min(1).max(65_535),
    PUBLIC_URL: z.url(),
    DATA_DIR: z.string().min(1),
    SANDBOX_PAYMENT_SECRET: z.string().min(32),
    SANDBOX_SHOP_URL: z.url(),
  })
  .parse(process.env)

const service = await startService({
  port: settings.PORT,
  publicUrl: new URL(settings.PUBLIC_URL).origin,
  shopUrl: new URL(settings.SANDBOX_SHOP_URL).origin,
  folder: join(resolve(settings.DATA_DIR), 'sandbox', 'payment'),
  secret: settings.SANDBOX_PAYMENT_SECRET,
})

process.once('SIGTERM', () => void service.stop().finally(() => process.exit(0)))
