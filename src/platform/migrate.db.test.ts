import { expect, test } from 'vitest'
import { useDatabase } from '../../test/support/database.ts'
import { migrate, MigrationError } from './migrate.ts'

const database = useDatabase()

test('a migrated database needs nothing more', async () => {
  expect(await migrate(database.url)).toEqual({ applied: [] })
})

test('a database of a newer program is refused with a sentence', async () => {
  const { db } = database.ctx
  await db.insertInto('migration').values({ name: '9999_future.sql', hash: 'x' }).execute()
  await expect(migrate(database.url)).rejects.toThrow(
    /newer version of Lukado \(it knows migration 9999_future.sql\)/,
  )
  await db.deleteFrom('migration').where('name', '=', '9999_future.sql').execute()
})

test('a released migration that was edited is refused', async () => {
  const { db } = database.ctx
  const first = await db
    .selectFrom('migration')
    .selectAll()
    .orderBy('name')
    .limit(1)
    .executeTakeFirstOrThrow()
  await db.updateTable('migration').set({ hash: 'other' }).where('name', '=', first.name).execute()
  await expect(migrate(database.url)).rejects.toThrow(MigrationError)
})
