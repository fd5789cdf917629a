import { readSetting } from '#features/base/setting/queries.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { PayMethod } from './rules.ts'
import { paymentMethodsSetting } from './schema.ts'

/** The shop's ways to pay; those that are stopped for the moment say so. */
export async function readPayMethods(db: Db | Tx): Promise<readonly PayMethod[]> {
  const [methods, stopped] = await Promise.all([
    readSetting(db, paymentMethodsSetting),
    db
      .selectFrom('sale_stop')
      .select('code')
      .where('kind', '=', 'method')
      .where('ended_at', 'is', null)
      .execute(),
  ])
  return methods.map((method) =>
    stopped.some(({ code }) => code === method.code) ? { ...method, isStopped: true } : method,
  )
}
