import { readSetting } from '#features/base/setting/queries.ts'
import type { Db } from '#platform/db.ts'
import type { PayMethod } from './rules.ts'
import { paymentMethodsSetting } from './schema.ts'

export function readPayMethods(db: Db): Promise<readonly PayMethod[]> {
  return readSetting(db, paymentMethodsSetting)
}
