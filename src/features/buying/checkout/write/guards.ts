import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { assertSellable, type Currency } from '#features/goods/currency/rules.ts'
import { AppError } from '#kernel/error.ts'

/** A price set in another currency needs that one's rate as well. */
export function assertBase(base: Currency | undefined, currency: Currency, now: Date): void {
  if (base && base.code !== currency.code) assertSellable({ ...base, isCheckout: true }, now)
}

/** A shop that lacks what buyers agree to, or who stands behind it, sells nothing; doctor names what it is. */
export function assertOpen({ missing }: Pick<ShopSnapshot, 'missing'>): void {
  if (missing.length > 0) throw new AppError('shop_not_open')
}
