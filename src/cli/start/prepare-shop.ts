import type { Config } from '#platform/config.ts'
import type { Log } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'

export type Preparation = Readonly<{
  config: Config
  databaseUrl: string
  log: Log
  /** Tells the operator what takes a while. */
  say(line: string): void
}>

/** Brings the database to where the web and worker processes can use it. */
export async function prepareShop({ databaseUrl, log }: Preparation): Promise<void> {
  const { applied } = await migrate(databaseUrl)
  if (applied.length > 0) log.info('migrated the database', { applied })
}
