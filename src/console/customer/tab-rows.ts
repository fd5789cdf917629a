import type { ShopperFile } from '#features/office/shopper/queries.ts'
import { maySendAgain } from '#features/office/shopper/rules.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import { CASE_LOOKS } from '../cases/load.ts'
import { groupedNumber } from '../kit/grouped-number.ts'
import type { moneyTexts } from '../kit/money.ts'
import type { StateLook } from '../kit/state.tsx'
import type { ConsoleContext } from '../page.ts'

/** What the tabs of a customer's page hold beside orders. */
export interface CustomerTabs {
  readonly money: readonly {
    readonly what: string
    readonly at: string
    readonly amount: string
    readonly order: string | null
  }[]
  readonly cases: readonly {
    readonly id: string
    readonly what: string
    readonly order: string
    readonly at: string
    readonly look: StateLook
    readonly state: string
  }[]
  readonly mails: readonly {
    readonly id: string
    readonly subject: string
    readonly at: string
    readonly look: StateLook
    readonly state: string
    readonly mayRepeat: boolean
  }[]
  readonly devices: readonly {
    readonly id: string
    readonly name: string
    readonly network: string
    readonly since: string
    readonly seen: string
  }[]
  readonly notes: readonly {
    readonly id: string
    readonly author: string
    readonly text: string
    readonly at: string
  }[]
}

export function tabRows(
  { t, language, timeZone, shop }: ConsoleContext,
  file: ShopperFile,
  money: Awaited<ReturnType<typeof moneyTexts>>,
): CustomerTabs {
  const moment = (at: Date) => formatShortMoment(language.code, at, timeZone)
  return {
    money: file.money.map(({ kind, at, amountMinor, currency, order }) => ({
      what: t(`user.transaction.${kind}`),
      at: moment(at),
      amount: money(amountMinor, currency),
      order: order?.number ?? null,
    })),
    cases: file.cases.map(({ id, kind, reason, status, order, createdAt }) => ({
      id,
      what:
        kind === 'dispute'
          ? t('console.cases.kind.dispute')
          : t(`order.reason.${reason as 'other'}`),
      order,
      at: moment(createdAt),
      look: CASE_LOOKS[status as 'open'],
      state: t(`console.cases.status.${status as 'open'}`),
    })),
    mails: file.mails.map(({ id, kind, order, createdAt, sentAt }) => ({
      id,
      subject: t(`mail.${kind}.subject`, {
        shop: shop.name,
        order: order === null ? '' : groupedNumber(order),
        state: 'other',
      }),
      at: moment(sentAt ?? createdAt),
      look: sentAt ? ('done' as const) : ('way' as const),
      state: t(sentAt ? 'console.customer.sent' : 'console.customer.waits'),
      mayRepeat: maySendAgain(kind),
    })),
    devices: file.sessions.map(({ id, browser, system, network, createdAt, seenAt }) => ({
      id,
      name: [browser, system].filter((part) => part !== '').join(', '),
      network,
      since: moment(createdAt),
      seen: moment(seenAt),
    })),
    notes: file.notes.map(({ id, author, text, createdAt }) => ({
      id,
      author,
      text,
      at: moment(createdAt),
    })),
  }
}
