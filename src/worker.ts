import { run } from 'graphile-worker'
import { present } from '#kernel/assert.ts'
import { configFromEnvironment } from '#platform/config.ts'
import { createLogger } from '#platform/log.ts'
import { jobLogger } from '#platform/jobs.ts'

/** The jobs process: runs what commands have enqueued. Run by Node from its sources; nothing here is built. */
const config = configFromEnvironment()
const log = createLogger({ level: config.logLevel, fields: { process: 'worker' } })
const runner = await run({
  connectionString: present(config.databaseUrl, 'DATABASE_URL').reveal(),
  concurrency: 4,
  noHandleSignals: true,
  // A job is found by notification at once; the poll is for what was missed.
  pollInterval: 2_000,
  logger: jobLogger(log),
  taskList: {},
})
log.info('ready for jobs')

const stop = () => void runner.stop().finally(() => process.exit(0))
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
await runner.promise
