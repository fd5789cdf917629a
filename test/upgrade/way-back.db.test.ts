import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readRow } from '#features/office/setting/queries.ts'
import { shopSettings } from '#features/base/shop/schema.ts'
import { useDatabase } from '../support/database.ts'
import { readWayBack } from './way-back.ts'

const database = useDatabase()

/** The parts of `shop` that the release of commit 7a503f7 reads; any other keeps it from starting. */
const KNOWN_THEN = [
  'name',
  'corporate_name',
  'address',
  'copyright',
  'footer',
  'pay_types',
  'social',
]

/** Every part that there is now: a real value is not needed, since nothing but their names keeps that release from starting. */
const PARTS = Object.keys(shopSettings.in.shape)

test('the way back takes away every part of the shop that the oldest release does not know, and no other', async () => {
  const { commands, statement } = readWayBack()
  const row = JSON.stringify(Object.fromEntries(PARTS.map((part) => [part, part])))
  const { db } = database.ctx
  await db.updateTable('setting').set({ value: row }).where('key', '=', 'shop').execute()
  await sql.raw(statement).execute(db)
  const left = Object.keys((await readRow(db, 'shop')) as object)
  expect(left.toSorted()).toEqual(KNOWN_THEN.toSorted())
  expect(commands).toEqual(
    PARTS.filter((part) => !KNOWN_THEN.includes(part)).map((part) => [
      'settings',
      'unset',
      `shop.${part}`,
    ]),
  )
})
