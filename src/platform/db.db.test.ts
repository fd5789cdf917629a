import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useDatabase } from '../../test/support/database.ts'
import { openDatabase } from './db.ts'

const database = useDatabase()

test('a connection that dies within a transaction fails that transaction alone', async () => {
  const { db } = database.ctx
  const broken = db.transaction().execute(async (tx) => {
    const {
      rows: [own],
    } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await sql`select pg_terminate_backend(${own?.pid})`.execute(db)
    // The word of its end comes while nothing is asked.
    await new Promise((resolve) => setTimeout(resolve, 100))
    await sql`select 1`.execute(tx)
  })
  await expect(broken).rejects.toThrow()
  const { rows } = await sql<{ answer: number }>`select 42 as answer`.execute(db)
  expect(rows).toEqual([{ answer: 42 }])
})

test('a column that a newer release adds fails no statement that was prepared before, and at most a transaction once', async () => {
  const { db } = database.ctx
  await sql`create table widened (id integer)`.execute(db)
  const read = () => sql`select * from widened`.execute(db)
  await Promise.all(Array.from({ length: 8 }, read))
  await sql`alter table widened add more text`.execute(db)
  await Promise.all(Array.from({ length: 16 }, read))

  const readWithin = () => db.transaction().execute((tx) => sql`select * from widened`.execute(tx))
  await Promise.all(Array.from({ length: 8 }, readWithin))
  await sql`alter table widened add another text`.execute(db)
  // Each connection that knows the old statement is given up by the transaction that meets it.
  await Promise.allSettled(Array.from({ length: 16 }, readWithin))
  await Promise.all(Array.from({ length: 16 }, readWithin))
})

test('a transaction in which nothing is asked is ended after the time it was given', async () => {
  const db = openDatabase({
    url: database.url,
    poolSize: 1,
    statementTimeoutMs: 60_000,
    idleInTransactionMs: 50,
  })
  const thinking = (on: typeof db) =>
    on.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      await sql`select 1`.execute(tx)
    })
  await expect(thinking(db)).rejects.toThrow()
  await thinking(database.ctx.db)
  await db.destroy()
})
