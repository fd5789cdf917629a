import type { OrderReader } from '#features/buying/order/views.ts'
import type { PersonalPageContext } from './page.ts'

/** For whom a page shows orders. */
export function readerOf({ shop, t, language, ctx, timeZone }: PersonalPageContext): OrderReader {
  return { shop, t, language: language.code, now: ctx.now(), timeZone }
}
