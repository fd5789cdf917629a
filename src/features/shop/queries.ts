import type { Db } from '#platform/db.ts'
import { DEFAULT_SETTINGS, type ShopSettings } from './rules.ts'
import { shopSettings } from './schema.ts'

/** Throws when the stored settings are broken: the last good ones stay in force, and the log says what is wrong. */
export async function readShopSettings(db: Db): Promise<ShopSettings> {
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('key', '=', 'shop')
    .executeTakeFirst()
  return row ? shopSettings.parse(row.value) : DEFAULT_SETTINGS
}
