import { existsSync } from 'node:fs'
import { newClient } from '#platform/client.ts'
import type { Config } from '#platform/config.ts'
import { makeDataDirectory } from '#platform/data-directory.ts'
import type { Log } from '#platform/log.ts'
import { runningEmbeddedPostgres, startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import type { DatabaseAddresses } from '#platform/postgres/roles.ts'
import { refusal } from '#platform/refusal.ts'

const OLDEST_SERVER = 18

/**
 * Runs a command's work against the shop's database: the operator's own server, the embedded one of an instance that runs
 * now, or else the embedded one started for this command alone.
 */
export async function withDatabase<T>(
  config: Config,
  log: Log,
  work: (addresses: DatabaseAddresses) => Promise<T>,
): Promise<T> {
  const own = ownAddresses(config)
  if (own) {
    await checkServer(own.program)
    return work(own)
  }
  makeDataDirectory(config.dataDirectory)
  const running = runningEmbeddedPostgres(config.dataDirectory)
  if (running) return work(running)
  const server = await startEmbeddedPostgres({
    dataDirectory: config.dataDirectory,
    log,
    archiveTo: config.backupDirectory,
  })
  try {
    return await work(server.addresses)
  } finally {
    await server.stop()
  }
}

/** Refuses what would make an empty shop to look for orders in it. */
export function requireShop({ databaseUrl, dataDirectory }: Config): void {
  if (databaseUrl === undefined && !existsSync(dataDirectory))
    throw refusal(noShopSentence(dataDirectory))
}

export function noShopSentence(dataDirectory: string): string {
  return `There is no shop in ${dataDirectory}. Commands need the variables that the shop is started with (DATA_DIR, or DATABASE_URL). A new shop begins with npm start, or with npm run cli -- operator create <name> owner.`
}

/** Of the operator's own server, where there is one. Its tools copy it, not this program. */
export function ownAddresses(config: Config): DatabaseAddresses | undefined {
  const program = config.databaseUrl?.reveal()
  if (!program) return undefined
  return { program, owner: config.databaseOwnerUrl?.reveal() ?? program, server: program }
}

/** Refuses a server that cannot be reached or is older than the SQL of this program. */
export async function checkServer(url: string): Promise<void> {
  const client = newClient({ connectionString: url, connectionTimeoutMillis: 15_000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ major: number }>(
      `select current_setting('server_version_num')::int / 10000 as major`,
    )
    const major = rows[0]?.major ?? 0
    if (major < OLDEST_SERVER)
      throw refusal(
        `DATABASE_URL points to PostgreSQL ${major}; this program needs PostgreSQL ${OLDEST_SERVER} or newer.`,
      )
  } catch (error) {
    if (error instanceof Error && error.name === 'Refusal') throw error
    const { hostname, port, pathname } = new URL(url)
    throw refusal(
      `The database ${pathname.slice(1)} on ${hostname}:${port || 5432} (DATABASE_URL) cannot be opened: ${reasonOf(error)}.`,
      error,
    )
  } finally {
    await client.end().catch(() => {})
  }
}

/** Refuses a database that tells of a commit before it is on disk: an order could be paid and then forgotten. */
export async function checkDurability(url: string): Promise<void> {
  const client = newClient({ connectionString: url, connectionTimeoutMillis: 15_000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ name: string }>(
      `select name from pg_settings where name in ('fsync', 'synchronous_commit') and setting = 'off' order by name`,
    )
    if (rows.length > 0)
      throw refusal(
        `The database runs with ${rows.map(({ name }) => `${name} = off`).join(' and ')}, so that a crash could lose orders that were paid: switch it on.`,
      )
  } finally {
    await client.end().catch(() => {})
  }
}

/** A name that stands for several addresses fails with one error for each of them. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message || error.name : String(error)
}
