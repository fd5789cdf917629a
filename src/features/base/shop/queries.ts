import { readSetting } from '#features/base/setting/queries.ts'
import type { Db } from '#platform/db.ts'
import type { ShopSettings } from './rules.ts'
import { shopSetting } from './schema.ts'

export function readShopSettings(db: Db): Promise<ShopSettings> {
  return readSetting(db, shopSetting)
}
