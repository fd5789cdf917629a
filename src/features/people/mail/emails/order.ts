import type { Translate } from '#platform/i18n/messages.ts'
import type { MailOrder } from '../rules.ts'
import type { Block } from './layout.ts'

/** What the sentences of a mail about an order are filled with. */
export function orderValues(order: MailOrder | undefined): Record<string, string> {
  return { order: order?.number ?? '', amount: order?.amount ?? '', variant: order?.variant ?? '' }
}

/** Number, goods and total, how long it takes, and the way to the order's page: what a mail does not say stands there. */
export function orderBlocks(order: MailOrder, page: string, t: Translate): Block[] {
  return [
    {
      is: 'facts',
      lines: [
        t('mail.order.number', { order: order.number }),
        ...order.goods,
        ...(order.total === '' ? [] : [t('mail.order.total', { amount: order.total })]),
      ],
    },
    ...(order.minutes
      ? [
          {
            is: 'small',
            text: t(order.minutes.isMeasured ? 'mail.order.measured' : 'mail.order.estimate', {
              minutes: order.minutes.count,
            }),
          } as const,
        ]
      : []),
    { is: 'button', label: t('mail.order.button'), href: page },
  ]
}
