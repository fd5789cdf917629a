import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useDatabase } from '../../test/support/database.ts'
import { createWriteProbe } from './write-probe.ts'

const database = useDatabase()

test('a database that reads but cannot write to its disk is told from one that can', async () => {
  const { db } = database.ctx
  const probe = createWriteProbe(db, 0)
  expect(await probe()).toBe(true)
  // What a full disk is to the probe: no file of its own may grow.
  await db.connection().execute(async (one) => {
    await sql`set temp_file_limit = 0`.execute(one)
    try {
      expect(await createWriteProbe(one, 0)()).toBe(false)
    } finally {
      await sql`reset temp_file_limit`.execute(one)
    }
  })
  expect(await probe()).toBe(true)
})

test('the database is asked once for many who ask at the same time', async () => {
  const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(
    database.ctx.db,
  )
  const probe = createWriteProbe(database.ctx.db, 60_000)
  const answers = await Promise.all(Array.from({ length: 50 }, probe))
  expect(answers.every((answer) => answer)).toBe(true)
  const after = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(
    database.ctx.db,
  )
  // Others of the same server count too.
  expect(Number(after.rows[0]?.id) - Number(rows[0]?.id)).toBeLessThan(50)
})
