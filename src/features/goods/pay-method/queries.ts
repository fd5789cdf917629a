import { readSetting } from '#features/base/setting/queries.ts'
import type { Db } from '#platform/db.ts'
import { listStoppedCodes } from '#features/goods/sale-stop/queries.ts'
import type { PayMethod } from './rules.ts'
import { paymentMethodsSetting } from './schema.ts'

/** The shop's ways to pay; those that are stopped for the moment say so. */
export async function readPayMethods(db: Db): Promise<readonly PayMethod[]> {
  const [methods, stopped] = await Promise.all([
    readSetting(db, paymentMethodsSetting),
    listStoppedCodes(db, 'method'),
  ])
  return methods.map((method) =>
    stopped.includes(method.code) ? { ...method, isStopped: true } : method,
  )
}
