import { showPrices } from '#features/buying/cart/commands.ts'
import { hasRisen, type CartLine } from '#features/buying/cart/rules.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import type { PricedLine } from '#features/buying/order/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { Ctx } from '#platform/ctx.ts'

/** Nobody pays more than they were shown; from now on they were. */
export async function refuseRisen(
  ctx: Ctx,
  { currency }: { readonly currency: Pick<Currency, 'code'> },
  lines: readonly CartLine[],
  priced: readonly PricedLine[],
): Promise<void> {
  const risen = lines.filter((line, index) =>
    hasRisen(line, priced[index]?.priceMinor ?? 0n, currency.code),
  )
  if (risen.length === 0) return
  await showPrices(
    ctx.db,
    currency.code,
    lines.map(({ id }, index) => ({ id, priceMinor: priced[index]?.priceMinor ?? 0n })),
  )
  throw new AppError(
    'price_changed',
    {},
    { data: { lines: risen.map(({ publicId }) => publicId) } },
  )
}
