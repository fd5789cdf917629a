import type { OrderLineView } from '#features/buying/order/view/shapes.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'

/** What comes when, of the kinds that are in the order; nothing of kinds that are not. */
export function promisesOf(lines: readonly Pick<OrderLineView, 'delivery'>[]): MessageKey[] {
  const has = (kind: OrderLineView['delivery']) => lines.some(({ delivery }) => delivery === kind)
  return [
    ...(has('card_key') ? (['cashier.instant'] as const) : []),
    ...(has('direct_charge') ? (['cashier.byHand'] as const) : []),
  ]
}
