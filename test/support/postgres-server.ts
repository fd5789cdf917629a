import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { DEMO_SHOP } from '#features/base/shop/rules.ts'
import { createLogger } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { removeDataFolder } from './data-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Server of this run; each test file makes its own database on it. */
    readonly postgresUrl: string
  }
}

export const EMPTY_TEMPLATE = 'template_empty'

/** Starts one throw-away PostgreSQL for the run and makes the migrated template. Faster than real: nothing is synced. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'lukado-test-'))
  const log = createLogger({ level: 'error' })
  const server = await startEmbeddedPostgres({ dataDirectory, log, durable: false })
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  await admin.query(`create database ${EMPTY_TEMPLATE}`)
  await migrate(databaseUrl(server.url, EMPTY_TEMPLATE))
  const shop = new pg.Client({ connectionString: databaseUrl(server.url, EMPTY_TEMPLATE) })
  await shop.connect()
  // Tests buy in shops whose texts nobody has written.
  await shop.query(
    `insert into setting (key, value) values ('shop', $1), ('sell_incomplete', 'true')`,
    [JSON.stringify(DEMO_SHOP)],
  )
  await shop.end()
  await admin.end()
  project.provide('postgresUrl', server.url)
  return async () => {
    await server.stop()
    removeDataFolder(dataDirectory)
  }
}

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
