import type { ShopperFile } from '#features/office/shopper/queries.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import { groupedNumber } from '../kit/grouped-number.ts'
import type { moneyTexts } from '../kit/money.ts'
import type { StoryLine } from '../kit/story.tsx'
import type { ConsoleContext } from '../page.ts'

const SHOWN = 40

/** What is told of the trail of an account, by its action there; the rest is told where it belongs, or is nobody's story. */
const CHANGES = [
  'create',
  'update',
  'cancel',
  'undo_cancel',
  'level',
  'freeze',
  'release',
  'sessions_ended',
  'mail_sent_again',
  'shopper_exported',
] as const
type Change = (typeof CHANGES)[number]
const isChange = (action: string): action is Change => CHANGES.some((one) => one === action)

/** What happened, in sentences, newest first: what others did, and what the team did. */
export function storyOf(
  { t, language, timeZone }: ConsoleContext,
  file: ShopperFile,
  money: Awaited<ReturnType<typeof moneyTexts>>,
): StoryLine[] {
  const lines: (Omit<StoryLine, 'at'> & { readonly when: Date })[] = [
    ...file.orders.map((order) => ({
      when: order.createdAt,
      text: t('console.customer.did.order', {
        number: groupedNumber(order.number),
        amount: money(order.totalMinor, order.currency),
      }),
      mark: order.status === 'completed' ? ('ok' as const) : ('' as const),
      by: null,
    })),
    ...file.cases.map(({ createdAt, kind, status, order }) => ({
      when: createdAt,
      text: t(`console.customer.did.${kind as 'dispute'}`, { number: groupedNumber(order) }),
      mark:
        kind === 'dispute'
          ? ('bad' as const)
          : status === 'open'
            ? ('warn' as const)
            : ('' as const),
      by: null,
    })),
    ...file.money
      .filter(({ kind }) => kind === 'refund' || kind === 'credit')
      .map(({ at, kind, amountMinor, currency }) => ({
        when: at,
        text: t(kind === 'refund' ? 'console.customer.did.refund' : 'console.customer.did.credit', {
          amount: money(amountMinor, currency),
        }),
        mark: '' as const,
        by: null,
      })),
    ...file.notes.map(({ createdAt, author, text }) => ({
      when: createdAt,
      text,
      mark: 'me2' as const,
      by: author,
    })),
    ...file.changes.flatMap(({ at, actor, action }) => {
      if (!isChange(action)) return []
      const name = /^operator:(.+)$/.exec(actor)?.[1] ?? null
      return {
        when: at,
        text: t(`console.customer.did.${action}`),
        mark: name === null ? ('' as const) : ('me2' as const),
        by: name,
      }
    }),
  ]
  return lines
    .toSorted((one, other) => other.when.getTime() - one.when.getTime())
    .slice(0, SHOWN)
    .map(({ when, ...line }) => ({
      ...line,
      at: formatShortMoment(language.code, when, timeZone),
    }))
}
