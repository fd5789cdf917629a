import type { Db } from '#platform/db.ts'
import { DEFAULT_METHODS, type PayMethod } from './rules.ts'
import { paymentMethods } from './schema.ts'

/** Throws when the stored row is broken: the last good methods stay in force, and the log says what is wrong. */
export async function readPayMethods(db: Db): Promise<readonly PayMethod[]> {
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('key', '=', 'payment_methods')
    .executeTakeFirst()
  return row ? paymentMethods.parse(row.value) : DEFAULT_METHODS
}
