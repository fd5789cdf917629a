import { paymentMethodsSetting } from '#features/goods/pay-method/schema.ts'
import { readRow } from '#features/office/setting/queries.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { listedMethods, orderVersion, type ListedMethod } from './engine/methods.ts'

export interface MethodList {
  readonly methods: readonly ListedMethod[]
  /** Of their order. */
  readonly version: string
}

/** Every way to pay as the shop has it, those that are switched off as well. */
export async function listMethods(db: Db | Tx): Promise<MethodList> {
  const methods = listedMethods(await readRow(db, paymentMethodsSetting.key))
  return { methods, version: orderVersion(methods) }
}
