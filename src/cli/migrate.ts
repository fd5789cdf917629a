import { configFromEnvironment } from '#platform/config.ts'
import { createLogger } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import type { Run } from './commands.ts'
import { withDatabase } from './database.ts'

export const migrateCommand: Run = async () => {
  const config = configFromEnvironment()
  const log = createLogger({ level: config.logLevel })
  const { applied, edition } = await withDatabase(config, log, migrate)
  const done = [...applied, ...(edition === undefined ? [] : [`functions, edition ${edition}`])]
  process.stdout.write(
    done.length === 0
      ? 'The database has the newest schema already.\n'
      : `Applied ${done.join(', ')}.\n`,
  )
  return 0
}
