import { listPasskeys, readSecondFactor } from '#features/people/factor/queries.ts'
import { arePasskeysPossible } from '#features/base/authenticator/rules.ts'
import { listIdentities } from '#features/people/identity/queries.ts'
import { listSessions } from '#features/people/session/queries.ts'
import { listOrderViews, moneyView } from '#features/buying/order/views.ts'
import { methodName } from '#features/goods/pay-method/views.ts'
import {
  listCredit,
  listTransactions,
  type Transaction,
} from '#features/buying/transaction/queries.ts'
import type { Money } from '#kernel/money.ts'
import { formatDate, formatList, formatShortMoment } from '#platform/i18n/format.ts'
import type { IconName } from '#ui/icon-paths.ts'
import { readerOf } from '../order-reader.ts'
import type { PersonalPageContext } from '../page.ts'
import { serviceName } from './link.ts'
import { ownerOf } from './area.ts'
import { shownOrder, type ShownOrder } from './order.ts'
import { pageAsked, pagingData, type PagingData } from './paging.ts'

/** The account at a glance. */
export interface AccountData {
  readonly nickname: string
  readonly userName: string
  readonly email: string
  /** Null without a verified one. */
  readonly mobile: string | null
  /** A number can be added here, as text messages can be sent. */
  readonly canAddMobile: boolean
  readonly registered: string
  readonly hasPassword: boolean
  readonly hasSecondFactor: boolean
  /** Null where the shop's address can have none, and there are none. */
  readonly passkeys: string | null
  readonly devices: string
  /** Names of the linked services; null without any. */
  readonly links: string | null
  /** What may be spent here, by currency; null without any. */
  readonly credit: string | null
  /** What of it a disputed payment holds back, and what is owed since a bank took money back; null without any. */
  readonly creditFrozen: string | null
  readonly creditOwed: string | null
  readonly orders: readonly ShownOrder[]
  readonly transactions: readonly ShownTransaction[]
  readonly paging: PagingData
}

export interface ShownTransaction {
  readonly id: string
  readonly icon: IconName
  readonly name: string
  readonly notes: readonly string[]
  readonly amount: string
  /** Of its order. */
  readonly path: string | null
}

const TRANSACTIONS_ON_A_PAGE = 10
const LATEST_ORDERS = 3
const ICONS: Readonly<Record<Transaction['kind'], IconName>> = {
  payment: 'card',
  refund: 'refresh',
  credit: 'wallet',
  reclaim: 'wallet',
  repay: 'wallet',
}

export async function accountData(page: PersonalPageContext): Promise<AccountData> {
  const { ctx, t, language } = page
  const person = ownerOf(page)
  const [factor, passkeys, sessions, identities, credit, latest, money] = await Promise.all([
    readSecondFactor(ctx.db, person.accountId),
    listPasskeys(ctx.db, person.accountId),
    listSessions(ctx.db, ctx, person),
    listIdentities(ctx.db, person.accountId),
    listCredit(ctx.db, person.accountId),
    latestOrders(page),
    transactionsOf(page),
  ])
  return {
    nickname: person.nickname,
    userName: person.userName,
    email: person.email,
    mobile: person.mobileVerified ? person.mobile : null,
    canAddMobile: page.offer.isSmsPossible,
    registered: formatDate(language.code, person.registeredAt, page.timeZone),
    hasPassword: person.hasPassword,
    hasSecondFactor: factor.isOn,
    passkeys:
      passkeys.length > 0 || arePasskeysPossible(page.publicUrl)
        ? t('user.passkeys', { count: passkeys.length })
        : null,
    devices: t('user.devices', { count: sessions.length }),
    links:
      identities.length === 0
        ? null
        : formatList(
            language.code,
            identities.map(({ platform }) => serviceName(page, platform)),
          ),
    credit: amountsText(
      page,
      credit.map(({ currency, minor }) => ({ currency, minor })),
    ),
    creditFrozen: amountsText(
      page,
      credit.map(({ currency, frozenMinor: minor }) => ({ currency, minor })),
    ),
    creditOwed: amountsText(
      page,
      credit.map(({ currency, owedMinor: minor }) => ({ currency, minor })),
    ),
    orders: latest,
    ...money,
  }
}

/** Amounts of several currencies as one text; null where all are zero. */
export function amountsText(
  { shop, language }: PersonalPageContext,
  amounts: readonly Money[],
): string | null {
  const texts = amounts
    .filter(({ minor }) => minor > 0n)
    .map(
      ({ currency, minor }) => moneyView({ shop, language: language.code }, currency, minor).text,
    )
  return texts.length === 0 ? null : formatList(language.code, texts)
}

async function latestOrders(page: PersonalPageContext): Promise<readonly ShownOrder[]> {
  const { list } = await listOrderViews(page.ctx.db, readerOf(page), ownerOf(page).accountId, {
    status: 'all',
    kind: 'all',
    page: 1,
    limit: LATEST_ORDERS,
  })
  return list.map((order) => shownOrder(page, order))
}

/** What was paid, given back and credited, newest first. */
async function transactionsOf(
  page: PersonalPageContext,
): Promise<Pick<AccountData, 'transactions' | 'paging'>> {
  const { accountId } = ownerOf(page)
  const list = (number: number) =>
    listTransactions(page.ctx.db, accountId, { page: number, limit: TRANSACTIONS_ON_A_PAGE })
  const asked = pageAsked(page)
  let found = await list(asked)
  const last = Math.max(1, Math.ceil(found.total / TRANSACTIONS_ON_A_PAGE))
  if (asked > last) found = await list(last)
  return {
    transactions: found.list.map((transaction) => shownTransaction(page, transaction)),
    paging: pagingData(page, '/user/account', Math.min(asked, last), last),
  }
}

function shownTransaction(
  page: PersonalPageContext,
  { id, kind, at, amountMinor, currency, order, method }: Transaction,
): ShownTransaction {
  const { t, shop, language, timeZone } = page
  const isPaid = kind === 'payment' || amountMinor < 0n
  const distance = amountMinor < 0n ? -amountMinor : amountMinor
  // The sign stands where the language has it, also in front of what came in.
  const paid = moneyView({ shop, language: language.code }, currency, -distance).text
  return {
    id,
    icon: ICONS[kind],
    name:
      order && kind !== 'repay'
        ? t(`user.transaction.${kind}Of`, { number: order.number })
        : t(`user.transaction.${kind}`),
    notes: [
      formatShortMoment(language.code, at, timeZone),
      method === null ? '' : methodName(shop.payMethods, method, t),
    ].filter((note) => note !== ''),
    amount: isPaid ? paid : paid.replace('−', '+'),
    path: order && `/order/detail?order=${order.publicId}`,
  }
}
