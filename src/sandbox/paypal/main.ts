/** PayPal's API for tests, on this machine and with no money: a process of its own, which the demo does not start. */
import { z } from 'zod'
import { openPaypalSandbox } from './service.ts'

const settings = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65_535),
    PAYPAL_CLIENT_ID: z.string().min(1),
    PAYPAL_CLIENT_SECRET: z.string().min(1),
    PAYPAL_WEBHOOK_ID: z.string().min(1),
    WEBHOOK_URL: z.url().optional(),
    DELIVERIES: z.coerce.number().int().min(1).max(10).default(1),
  })
  .parse(process.env)

const sandbox = await openPaypalSandbox({
  port: settings.PORT,
  clientId: settings.PAYPAL_CLIENT_ID,
  clientSecret: settings.PAYPAL_CLIENT_SECRET,
  webhookId: settings.PAYPAL_WEBHOOK_ID,
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
