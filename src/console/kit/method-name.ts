import { readSetting } from '#features/base/setting/queries.ts'
import { DEFAULT_METHODS, paymentMethodsSetting } from '#features/goods/pay-method/schema.ts'
import { methodName } from '#features/goods/pay-method/views.ts'
import type { ConsoleContext } from '../page.ts'

/** What ways to pay are called: as the shop calls them, and those it offers no more as the program does. */
export async function methodNames({
  ctx,
  t,
}: Pick<ConsoleContext, 'ctx' | 't'>): Promise<(code: string) => string> {
  const offered = await readSetting(ctx.db, paymentMethodsSetting)
  const known = [...offered, ...DEFAULT_METHODS]
  return (code) => methodName(known, code, t)
}
