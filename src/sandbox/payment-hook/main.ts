/** A payment service of an owner's own for tests, on this machine and with no money: a process of its own, which the demo does not start. */
import { z } from 'zod'
import { LIES } from './lies.ts'
import { openPaymentHookSandbox } from './service.ts'

const settings = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65_535),
    PAYMENT_HOOK_SECRET: z.string().min(32),
    WEBHOOK_URL: z.url().optional(),
    DELIVERIES: z.coerce.number().int().min(1).max(10).default(1),
    TWO_STEP: z.enum(['0', '1']).default('0'),
    LIE: z.enum(LIES).optional(),
  })
  .parse(process.env)

const sandbox = await openPaymentHookSandbox({
  port: settings.PORT,
  secret: settings.PAYMENT_HOOK_SECRET,
  webhookUrl: settings.WEBHOOK_URL ?? null,
  deliveries: settings.DELIVERIES,
  isTwoStep: settings.TWO_STEP === '1',
  lie: settings.LIE ?? null,
})
process.stdout.write(`${sandbox.url}\n`)

const stop = () => {
  sandbox.close()
  process.exit(0)
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
