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

export async function bringToNewestSchema(databaseUrl: string, log: Log): Promise<void> {
  const { applied } = await migrate(databaseUrl)
  if (applied.length > 0) log.info('migrated the database', { applied })
}

/** Fills an empty demo shop, so that the first visit finds goods. */
export async function importDemo({ config }: Preparation): Promise<void> {
  if (!config.demo) return
}
