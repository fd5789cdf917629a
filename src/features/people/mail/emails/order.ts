import type { LanguageCode } from '#kernel/language.ts'
import { formatAtMost, LONG_MINUTES } from '#platform/i18n/format.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import type { MailOrder } from '../rules.ts'
import type { Block, GoodsLine } from './layout.ts'

/** What the sentences of a mail about an order are filled with. */
export function orderValues(order: MailOrder | undefined): Record<string, string> {
  return { order: order?.number ?? '', amount: order?.amount ?? '', variant: order?.variant ?? '' }
}

/** How long it takes, the way to the order's page, goods and total, number: what a mail does not say stands there. */
export function orderBlocks(
  order: MailOrder,
  page: string,
  cidOf: (picture: string) => string | null,
  t: Translate,
  language: LanguageCode,
): Block[] {
  const { minutes } = order
  return [
    ...(minutes ? [{ is: 'small', text: timeText(minutes, t, language) } as const] : []),
    { is: 'button', label: t('mail.order.button'), href: page },
    { is: 'goods', lines: linesOf(order, cidOf), sums: sumsOf(order, t) },
    { is: 'small', text: t('mail.order.number', { order: order.number }) },
  ]
}

function timeText(
  { count: minutes, isMeasured }: NonNullable<MailOrder['minutes']>,
  t: Translate,
  language: LanguageCode,
): string {
  if (minutes < LONG_MINUTES)
    return t(isMeasured ? 'mail.order.measured' : 'mail.order.estimate', { minutes })
  const time = formatAtMost(language, minutes)
  return t(isMeasured ? 'mail.order.measuredLong' : 'mail.order.estimateLong', { time })
}

function linesOf(order: MailOrder, cidOf: (picture: string) => string | null): GoodsLine[] {
  if (!order.lines) return order.goods.map((name) => ({ name, detail: '', amount: '', cid: null }))
  return order.lines.map(({ picture, ...line }) => ({
    ...line,
    cid: picture === null ? null : cidOf(picture),
  }))
}

function sumsOf({ fee = '', total }: MailOrder, t: Translate) {
  return [
    {
      label: t('order.fee'),
      value: fee,
      text: t('mail.order.fee', { amount: fee }),
      isStrong: false,
    },
    {
      label: t('order.total'),
      value: total,
      text: t('mail.order.total', { amount: total }),
      isStrong: true,
    },
  ].filter(({ value }) => value !== '')
}
