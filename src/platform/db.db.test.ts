import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useDatabase } from '../../test/support/database.ts'

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
