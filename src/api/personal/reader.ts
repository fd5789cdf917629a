import type { ShopView } from '#features/goods/browse/views.ts'
import type { Caller } from './call.ts'

/** For whom orders and keys are shown. */
export type Reader = ShopView & {
  readonly now: Date
  /** The shop's. */
  readonly timeZone: string
}

export function readerOf({
  ctx,
  shop,
  language,
  currency,
  t,
  services,
}: Pick<Caller, 'ctx' | 'shop' | 'language' | 'currency' | 't' | 'services'>): Reader {
  return { shop, language: language.code, currency, t, now: ctx.now(), timeZone: services.timeZone }
}
