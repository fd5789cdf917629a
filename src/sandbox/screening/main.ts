/** A screening service for tests, on this machine and over people who are made up: a process of its own, which the demo does not start. */
import { z } from 'zod'
import { openScreeningSandbox } from './service.ts'

const settings = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65_535),
    YENTE_API_KEY: z.string().min(8).optional(),
    SLOW_MS: z.coerce.number().int().min(0).default(20_000),
  })
  .parse(process.env)

const sandbox = await openScreeningSandbox({
  port: settings.PORT,
  apiKey: settings.YENTE_API_KEY ?? null,
  slowMs: settings.SLOW_MS,
})
process.stdout.write(`${sandbox.origin}\n`)

const stop = () => {
  sandbox.close()
  process.exit(0)
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
