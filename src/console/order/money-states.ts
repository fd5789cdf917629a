import type { MessageKey } from '#platform/i18n/keys.ts'
import type { StateLook } from '../kit/state.tsx'
import type { ConsoleContext } from '../page.ts'

interface Shown {
  readonly look: StateLook
  readonly key: MessageKey
}

/** How a payment attempt stands, in the words its customer reads. */
export const PAYMENT_STATES: Readonly<Record<string, Shown>> = {
  created: { look: '', key: 'order.payment.unpaid' },
  requires_action: { look: 'pay', key: 'order.payment.waiting' },
  seen: { look: 'way', key: 'order.payment.confirming' },
  authorised: { look: 'way', key: 'order.payment.confirming' },
  captured: { look: 'done', key: 'order.payment.paid' },
  failed: { look: 'fail', key: 'order.payment.failed' },
  voided: { look: 'gone', key: 'order.status.cancelled' },
  expired: { look: 'gone', key: 'order.status.expired' },
}

/** How a refund stands; one that nobody knows of is filled, as somebody must look. */
export const REFUND_STATES: Readonly<Record<string, Shown>> = {
  requested: { look: 'badge warn', key: 'console.keys.status.waiting' },
  approved: { look: 'way', key: 'order.event.refund_started' },
  submitted: { look: 'way', key: 'order.unit.refund_due' },
  unknown: { look: 'badge bad', key: 'order.unit.in_doubt' },
  succeeded: { look: 'done', key: 'order.unit.refunded' },
  failed: { look: 'badge bad', key: 'console.keys.status.failed' },
  rejected: { look: 'gone', key: 'order.event.refund_called_off' },
}

export function shownState(
  { t }: Pick<ConsoleContext, 't'>,
  states: Readonly<Record<string, Shown>>,
  status: string,
): { readonly look: StateLook; readonly state: string } {
  const shown = states[status]
  return shown ? { look: shown.look, state: t(shown.key) } : { look: '', state: status }
}
