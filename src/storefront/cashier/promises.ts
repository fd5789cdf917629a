import type { OrderLineView } from '#features/buying/order/view/shapes.ts'
import { deliveryTimeOf, type Product } from '#features/goods/catalogue/rules.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import { paceText, timeText } from '../product/facts.ts'

/** What comes when, of the kinds that are in the order; nothing of kinds that are not. */
export function promisesOf(lines: readonly Pick<OrderLineView, 'delivery'>[]): MessageKey[] {
  const has = (kind: OrderLineView['delivery']) => lines.some(({ delivery }) => delivery === kind)
  return [
    ...(has('card_key') ? (['cashier.instant'] as const) : []),
    ...(has('direct_charge') ? (['cashier.byHand'] as const) : []),
  ]
}

/** How long what is credited takes, and that in seconds; null where neither was it measured nor is it estimated. */
export function creditTime(
  product: Product,
  t: Translate,
  language: LanguageCode,
): { readonly seconds: number; readonly text: string } | null {
  const { pace } = product
  if (pace !== null) {
    const { half, most, now } = pace
    const told = { usual_seconds: half, most_seconds: most, now_seconds: now }
    return { seconds: now ?? half, text: paceText(told, t, language) }
  }
  const time = deliveryTimeOf(product)
  return time && { seconds: time.minutes * 60, text: timeText(time, t, language) }
}
