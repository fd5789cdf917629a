import { readShopCurrency } from '#features/base/shop/queries.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { openFile } from '#features/office/shopper/commands.ts'
import type { ShopperFile } from '#features/office/shopper/queries.ts'
import { COUNTED_MAX } from '#features/office/shopper/rules.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { formatCount, formatDate, formatList, formatShortMoment } from '#platform/i18n/format.ts'
import { CUSTOMER_LOOKS, levelNames } from '../customers/load.ts'
import { moneyTexts } from '../kit/money.ts'
import type { StateLook } from '../kit/state.tsx'
import type { StoryLine } from '../kit/story.tsx'
import { orderRows, type OrderRow } from '../orders/rows.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import { storyOf } from './story.ts'
import { tabRows, type CustomerTabs } from './tab-rows.ts'

export const TABS = ['orders', 'money', 'cases', 'mails', 'devices', 'notes'] as const
export type Tab = (typeof TABS)[number]

export interface CustomerData extends CustomerTabs {
  readonly id: string
  /** Number of the order from whose page this one was opened. */
  readonly from: string | null
  /** Of the next credit that is given: sent again, it is the same one. */
  readonly key: string
  readonly name: string
  readonly status: 'active' | 'frozen' | 'cancelling'
  readonly look: StateLook
  readonly state: string
  readonly summary: string
  readonly figures: readonly {
    readonly name: 'paid' | 'credit' | 'refunded' | 'disputes' | 'seen'
    readonly value: string
  }[]
  readonly facts: readonly {
    readonly name:
      | 'email'
      | 'phone'
      | 'uid'
      | 'username'
      | 'language'
      | 'level'
      | 'signIn'
      | 'players'
    readonly value: string
  }[]
  readonly tab: Tab
  readonly orders: readonly OrderRow[]
  readonly story: readonly StoryLine[]
  readonly level: {
    readonly now: number
    readonly choices: readonly { readonly level: number; readonly name: string }[]
  }
  readonly currencies: readonly { readonly code: string; readonly places: number }[]
  readonly hasCredit: boolean
  readonly may: {
    readonly change: boolean
    readonly credit: boolean
    readonly level: boolean
    readonly export: boolean
  }
}

/** Levels that can be chosen; a shop that prices others says so in its settings. */
const LEVELS = [0, 1, 2, 3, 4, 5]

export async function load(context: ConsoleContext): Promise<Loaded<CustomerData>> {
  const { ctx, params, query, t } = context
  const file = await openFile(ctx, params['id'] ?? '')
  const { facts } = file
  const [money, orders, levels, currencies, shop] = await Promise.all([
    moneyTexts(context),
    orderRows(context, file.orders),
    levelNames(context),
    listCurrencies(ctx.db),
    readShopCurrency(ctx.db),
  ])
  const may = (permission: Parameters<typeof mayDo>[1]) => mayDo(ctx.operator, permission)
  return {
    title: facts.nickname,
    data: {
      id: facts.id,
      from: orderIn(query),
      key: ctx.newId(),
      name: facts.nickname,
      status: facts.status === 'erased' ? 'cancelling' : facts.status,
      look: CUSTOMER_LOOKS[facts.status],
      state: t(`console.customers.status.${facts.status}`),
      summary: summaryOf(context, file),
      figures: figuresOf(context, file, money),
      facts: factsOf(context, file, levels(facts.level)),
      tab: TABS.find((tab) => tab === query.get('tab')) ?? 'orders',
      orders,
      ...tabRows(context, file, money),
      story: storyOf(context, file, money),
      level: {
        now: facts.level,
        choices: [...new Set([...LEVELS, facts.level])].map((level) => ({
          level,
          name: levels(level),
        })),
      },
      currencies: currencies
        .map(({ code, minorUnits }) => ({ code, places: minorUnits }))
        .toSorted(
          (one, other) => rank(file, shop.code, one.code) - rank(file, shop.code, other.code),
        ),
      hasCredit: file.credit.some(({ minor }) => minor > 0n),
      may: {
        change: may('shopper.change'),
        credit: may('shopper.credit'),
        level: may('price.change'),
        export: may('export.personal'),
      },
    },
  }
}

const ORDER_NUMBER = /^\d{13}$/

function orderIn(query: URLSearchParams): string | null {
  const number = query.get('order')
  return number !== null && ORDER_NUMBER.test(number) ? number : null
}

/** What they have paid in comes first, then the shop's own. */
function rank({ figures }: ShopperFile, shop: string, code: string): number {
  const index = figures.paid.findIndex(({ currency }) => currency === code)
  if (index >= 0) return index
  return code === shop ? 50 : 100
}

type MoneyText = Awaited<ReturnType<typeof moneyTexts>>

function summaryOf({ t, language, timeZone }: ConsoleContext, file: ShopperFile): string {
  const { facts, figures, cases } = file
  const open = cases.filter(({ status }) => status === 'open').length
  const count =
    figures.orders >= COUNTED_MAX
      ? `${formatCount(language.code, COUNTED_MAX)}+`
      : formatCount(language.code, figures.orders)
  return [
    t('console.customer.since', {
      date: formatDate(language.code, facts.registeredAt, timeZone),
    }),
    t('console.customer.orderCount', { shown: count }),
    ...(open > 0 ? [t('console.customer.openCases', { count: open })] : []),
    ...(facts.frozenAt
      ? [
          t('console.customer.frozenSince', {
            date: formatShortMoment(language.code, facts.frozenAt, timeZone),
          }),
        ]
      : []),
    ...(facts.eraseAt
      ? [
          t('console.customer.erasedFrom', {
            date: formatDate(language.code, facts.eraseAt, timeZone),
          }),
        ]
      : []),
  ].join(' ')
}

function figuresOf(
  { language, timeZone }: ConsoleContext,
  { figures, credit, sessions }: ShopperFile,
  money: MoneyText,
): CustomerData['figures'] {
  const sums = (texts: readonly string[]) =>
    texts.length === 0 ? '–' : formatList(language.code, texts)
  const seen = sessions[0]?.seenAt
  return [
    { name: 'paid', value: sums(figures.paid.map((own) => money(own.paidMinor, own.currency))) },
    {
      name: 'credit',
      value: sums(credit.map(({ minor, currency }) => money(minor, currency))),
    },
    {
      name: 'refunded',
      value: sums(
        figures.paid
          .filter(({ refundedMinor }) => refundedMinor > 0n)
          .map((own) => money(own.refundedMinor, own.currency)),
      ),
    },
    { name: 'disputes', value: formatCount(language.code, figures.disputes) },
    { name: 'seen', value: seen ? formatShortMoment(language.code, seen, timeZone) : '–' },
  ]
}

function factsOf(
  { t, language }: ConsoleContext,
  { facts, players }: ShopperFile,
  level: string,
): CustomerData['facts'] {
  const languageName =
    new Intl.DisplayNames(language.intl, { type: 'language' }).of(facts.language) ?? facts.language
  const ways = [
    ...(facts.hasPassword ? [t('console.customer.password')] : []),
    ...(facts.passkeys > 0 ? [t('console.customer.passkeys', { count: facts.passkeys })] : []),
    ...(facts.hasSecondFactor ? [t('console.customer.secondFactor')] : []),
    ...facts.services,
  ]
  return [
    { name: 'email', value: facts.email },
    { name: 'phone', value: facts.mobile ?? '–' },
    { name: 'uid', value: facts.uid },
    { name: 'username', value: facts.userName },
    { name: 'language', value: languageName },
    { name: 'level', value: level },
    { name: 'signIn', value: ways.length === 0 ? '–' : formatList(language.code, ways) },
    {
      name: 'players',
      value:
        players.length === 0
          ? '–'
          : players
              .map(({ label, fields }) => [label, ...Object.values(fields)].join(' '))
              .join('; '),
    },
  ]
}
