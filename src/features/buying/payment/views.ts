import { getStoredOrder, moneyView, type OrderReader } from '#features/buying/order/views.ts'
import { missingMinor, paymentState } from '#features/buying/order/view/texts.ts'
import type { StoredOrder } from '#features/buying/order/view/stored.ts'
import {
  BANK_TRANSFER,
  listMethods,
  type PayProviders,
  type PricedMethod,
} from '#features/goods/pay-method/rules.ts'
import { methodName, methodText } from '#features/goods/pay-method/views.ts'
import { present } from '#kernel/assert.ts'
import type { Db } from '#platform/db.ts'
import type { Payable } from './queries.ts'
import { findOpenAttempt, getPayable, type Attempt } from './queries.ts'
import type { MethodsView, MethodView, PayStatusView } from './view/shapes.ts'

/** Ways to pay a shopper's order. Throws 'not_found' for what is not theirs. */
export async function getMethodsView(
  db: Db,
  reader: OrderReader,
  providers: PayProviders,
  accountId: string,
  publicId: string,
): Promise<MethodsView> {
  const order = await getStoredOrder(db, accountId, publicId)
  const [payable, open] = await Promise.all([
    getPayable(db, accountId, publicId),
    findOpenAttempt(db, order.id),
  ])
  return {
    order: order.publicId,
    order_no: order.number,
    goods: moneyView(reader, order.currency, order.goodsMinor),
    seconds_left: secondsLeft(reader, order),
    chosen: open?.method ?? null,
    list: methodViews(reader, providers, payable),
  }
}

export function methodViews(
  reader: OrderReader,
  providers: PayProviders,
  payable: Payable,
): MethodView[] {
  const { shop } = reader
  const currency = present(
    shop.currencyByCode.get(payable.currency),
    `currency ${payable.currency}`,
  )
  return listMethods(shop.payMethods, providers, { ...payable, currency }, shop.currencyByCode).map(
    (priced) => methodView(reader, payable.currency, priced),
  )
}

function methodView(reader: OrderReader, currency: string, priced: PricedMethod): MethodView {
  const { t } = reader
  const { method, refusal, limitMinor } = priced
  const limit = limitMinor === null ? '' : moneyView(reader, currency, limitMinor).text
  return {
    code: method.code,
    name: methodText(method.name, t),
    text: methodText(method.text, t),
    group: method.group,
    icon: method.icon,
    fee: moneyView(reader, currency, priced.feeMinor),
    total: moneyView(reader, currency, priced.totalMinor),
    is_available: refusal === null,
    reason:
      refusal === 'too_small' || refusal === 'too_large' || refusal === 'no_credit'
        ? t(`cashier.refusal.${refusal}`, { amount: limit })
        : null,
  }
}

/** How a payment stands, and what its payer can do. */
export async function getPayStatus(
  db: Db,
  reader: OrderReader,
  providers: PayProviders,
  accountId: string,
  publicId: string,
): Promise<PayStatusView> {
  const { order, open } = await getOrderBeingPaid(db, accountId, publicId)
  return payStatus(reader, providers, order, open)
}

/**
 * A shopper's order and the payment that is open for it, of one moment: an order read before it was settled, beside the payment looked
 * for afterwards, would look as if nobody had begun to pay. Throws 'not_found' for what is not theirs.
 */
export async function getOrderBeingPaid(
  db: Db,
  accountId: string,
  publicId: string,
): Promise<{ readonly order: StoredOrder; readonly open: Attempt | null }> {
  const order = await getStoredOrder(db, accountId, publicId)
  const open = await findOpenAttempt(db, order.id)
  if (open || order.status !== 'waiting_for_payment') return { order, open }
  return { order: await getStoredOrder(db, accountId, publicId), open: null }
}

/** Nobody is sent on to a provider that the shop has no more: it would not hear of what is paid there. */
export function payStatus(
  reader: OrderReader,
  providers: PayProviders,
  order: StoredOrder,
  open: Attempt | null,
): PayStatusView {
  const { t, shop } = reader
  const state = paymentState(order)
  const seconds = secondsLeft(reader, order)
  const method = order.attempt?.method ?? null
  const missing = missingMinor(order)
  // The rest of a transfer is waited for here; another payment cannot be topped up.
  const isRestToCome = missing !== null && order.attempt?.provider === BANK_TRANSFER
  return {
    order: order.publicId,
    order_no: order.number,
    status: order.status,
    payment: state,
    payment_text: t(`order.payment.${state}`),
    method,
    method_text: method === null ? null : methodName(shop.payMethods, method, t),
    total: moneyView(reader, order.currency, order.totalMinor),
    paid: order.capturedMinor > 0n ? moneyView(reader, order.currency, order.capturedMinor) : null,
    missing: missing === null ? null : moneyView(reader, order.currency, missing),
    seconds_left: seconds,
    is_payable:
      seconds > 0 &&
      (open === null || open.status === 'created' || open.status === 'requires_action'),
    is_settled:
      order.status !== 'pending_payment' && order.status !== 'waiting_for_payment' && !isRestToCome,
    redirect_url:
      open?.status === 'requires_action' && providers.has(open.provider) ? open.redirectUrl : null,
  }
}

function secondsLeft({ now }: OrderReader, { status, expiresAt }: StoredOrder): number {
  const isUnpaid = status === 'pending_payment' || status === 'waiting_for_payment'
  return isUnpaid ? Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1_000)) : 0
}
