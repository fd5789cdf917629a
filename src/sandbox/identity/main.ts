import { join, resolve } from 'node:path'
import { z } from 'zod'
import { startService } from './service.ts'

const settings = z
  .object({
    PORT: z.coerce.number().int().min(1).max(65_535),
    PUBLIC_URL: z.url(),
    DATA_DIR: z.string().min(1),
    SANDBOX_IDENTITY_SECRET: z.string().min(32),
  })
  .parse(process.env)

const server = await startService({
  port: settings.PORT,
  publicUrl: new URL(settings.PUBLIC_URL).origin,
  folder: join(resolve(settings.DATA_DIR), 'sandbox', 'identity'),
  clientSecret: settings.SANDBOX_IDENTITY_SECRET,
})

process.once('SIGTERM', () => {
  server.close(() => process.exit(0))
  server.closeAllConnections()
})
