/** Stripe's API for tests, on this machine and with no money: a process of its own, which the demo does not start. */
import { z } from 'zod'
import { openStripeSandbox } from './service.ts'

const settings = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65_535),
    STRIPE_SECRET_KEY: z.string().min(8),
    STRIPE_WEBHOOK_SECRET: z.string().min(8),
    WEBHOOK_URL: z.url().optional(),
    DELIVERIES: z.coerce.number().int().min(1).max(10).default(1),
  })
  .parse(process.env)

const sandbox = await openStripeSandbox({
  port: settings.PORT,
  secretKey: settings.STRIPE_SECRET_KEY,
  webhookSecret: settings.STRIPE_WEBHOOK_SECRET,
  webhookUrl: settings.WEBHOOK_URL ?? null,
  deliveries: settings.DELIVERIES,
})
process.stdout.write(`${sandbox.origin}\n`)

const stop = () => {
  sandbox.close()
  process.exit(0)
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
