import { configFromEnvironment } from '#platform/config.ts'
import { createLogger } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import type { Run } from './commands.ts'
import { withDatabase } from './database.ts'

export const migrateCommand: Run = async () => {
  const config = configFromEnvironment()
  const log = createLogger({ level: config.logLevel })
  const { applied } = await withDatabase(config, log, migrate)
  process.stdout.write(
    applied.length === 0
      ? 'The database has the newest schema already.\n'
      : `Applied ${applied.join(', ')}.\n`,
  )
  return 0
}
