import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import { createCtx, type Ctx } from '#platform/ctx.ts'
import { openDatabase, type Db } from '#platform/db.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { databaseUrl, EMPTY_TEMPLATE } from './postgres-server.ts'

export interface TestDatabase {
  /** Filled in before the first test of the file. */
  readonly ctx: Ctx
  readonly url: string
}

let serial = 0

/** A database of its own for the calling test file, copied from the migrated template or another one; dropped at the end. */
export function useDatabase(
  template: () => Promise<string> = () => Promise.resolve(EMPTY_TEMPLATE),
): TestDatabase {
  const made: { ctx?: Ctx; url?: string; name?: string } = {}
  beforeAll(async () => {
    made.name = `test_${process.pid}_${(serial += 1)}`
    await admin(`create database ${made.name} template ${await template()}`)
    made.url = databaseUrl(inject('postgresUrl'), made.name)
    const db = openDatabase({
      // On a busy machine an import thinks for long between two statements.
      idleInTransactionMs: 120_000,
      url: made.url,
      poolSize: 8,
      statementTimeoutMs: 30_000,
    })
    made.ctx = createTestCtx(db)
  })
  afterAll(async () => {
    await made.ctx?.db.destroy()
    if (made.name) await admin(`drop database ${made.name} with (force)`)
  })
  return {
    get ctx() {
      if (!made.ctx) throw new Error('the database is made in beforeAll')
      return made.ctx
    },
    get url() {
      return made.url ?? ''
    },
  }
}

export function createTestCtx(db: Db): Ctx {
  return createCtx({
    db,
    keys: createKeys(Buffer.alloc(32, 7)),
    log: createLogger({ level: 'error' }),
    actor: 'test',
  })
}

async function admin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
