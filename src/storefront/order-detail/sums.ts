import { moneyView } from '#features/buying/order/view/reader.ts'
import { taxOfOrder } from '#features/buying/order/views.ts'
import type { OrderView } from '#features/buying/order/view/shapes.ts'
import type { StoredOrder } from '#features/buying/order/view/stored.ts'
import { formatRate } from '#platform/i18n/format.ts'
import { readerOf } from '../order-reader.ts'
import type { PersonalPageContext } from '../page.ts'

/** What an order costs and what became of its money, ready to show. */
export interface OrderSums {
  readonly method: string | null
  readonly payment: { readonly text: string; readonly isPaid: boolean } | null
  readonly goods: string
  /** Null before it is known: it comes with the method. */
  readonly fee: string | null
  /** By rate. */
  readonly taxes: readonly { readonly label: string; readonly text: string }[]
  /** What was given back, and what its buyer has paid in the end. */
  readonly refunded: { readonly text: string; readonly net: string } | null
  /** What has arrived and what is missing, where a part has. */
  readonly part: { readonly paid: string; readonly missing: string } | null
  readonly total: string
}

export function sumsOf(
  page: PersonalPageContext,
  order: OrderView,
  stored: StoredOrder,
): OrderSums {
  const { t, language } = page
  return {
    method: order.payment?.method_text ?? null,
    payment: order.payment && {
      text: order.payment.status_text,
      isPaid: order.payment.tone === 'ok',
    },
    goods: order.goods.text,
    fee: order.paid === null && stored.feeMinor === 0n ? null : order.fee.text,
    taxes: taxOfOrder(stored).map(({ basisPoints, minor }) => ({
      label: t('order.tax', { rate: formatRate(language.code, basisPoints) }),
      text: moneyView(readerOf(page), stored.currency, minor).text,
    })),
    refunded: order.refunded &&
      order.net && {
        text: moneyView(readerOf(page), stored.currency, -stored.refundedMinor).text,
        net: order.net.text,
      },
    part: order.missing && { paid: order.paid?.text ?? '', missing: order.missing.text },
    total: order.total.text,
  }
}
