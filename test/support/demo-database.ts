import pg from 'pg'
import { inject } from 'vitest'
import { DEMO_FOLDER, importCatalogue } from '#features/goods/transfer/commands.ts'
import { openDatabase } from '#platform/db.ts'
import { createTestCtx, useDatabase, type TestDatabase } from './database.ts'
import { databaseUrl, EMPTY_TEMPLATE } from './postgres-server.ts'

const DEMO_TEMPLATE = 'template_demo'
const UNFINISHED = `${DEMO_TEMPLATE}_new`
const LOCK = 1

/** A database of its own with the demo catalogue, which is imported once in a run: by the file that first asks for it. */
export function useDemoDatabase(): TestDatabase {
  return useDatabase(demoTemplate)
}

async function demoTemplate(): Promise<string> {
  const server = inject('postgresUrl')
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      DEMO_TEMPLATE,
    ])
    if (rowCount === 0) {
      await client.query(`drop database if exists ${UNFINISHED} with (force)`)
      await client.query(`create database ${UNFINISHED} template ${EMPTY_TEMPLATE}`)
      await importDemo(databaseUrl(server, UNFINISHED))
      await client.query(`alter database ${UNFINISHED} rename to ${DEMO_TEMPLATE}`)
    }
    return DEMO_TEMPLATE
  } finally {
    await client.end()
  }
}

async function importDemo(url: string): Promise<void> {
  const db = openDatabase({ url, poolSize: 4, statementTimeoutMs: 30_000 })
  try {
    const { faults } = await importCatalogue(createTestCtx(db), DEMO_FOLDER)
    if (faults.length > 0)
      throw new Error(`the demo catalogue has faults: ${JSON.stringify(faults.slice(0, 5))}`)
  } finally {
    await db.destroy()
  }
}
