import { listClosings, readBooks } from '#features/office/books/queries.ts'
import { isDay } from '#kernel/day.ts'
import { formatDate, formatShortMoment } from '#platform/i18n/format.ts'
import { accountName } from '../kit/ledger-name.ts'
import { moneyTexts } from '../kit/money.ts'
import type { ConsoleContext } from '../page.ts'

export interface LedgerView {
  readonly view: 'ledger'
  /** Null for the books as they are now. */
  readonly day: string | null
  readonly closed: string | null
  readonly isCatchingUp: boolean
  readonly accounts: readonly {
    readonly id: string
    /** Its code, as exports and programs name it. */
    readonly account: string
    readonly name: string
    readonly debit: string
    readonly credit: string
    readonly balance: string
    readonly isNegative: boolean
  }[]
  readonly days: readonly { readonly day: string; readonly shown: string }[]
}

const DAYS = 14

export async function loadLedger(context: ConsoleContext): Promise<LedgerView> {
  const { ctx, t, query, language, timeZone } = context
  const wanted = query.get('day')
  const [{ closing, isCatchingUp, balances }, days, money] = await Promise.all([
    readBooks(ctx.db, isDay(wanted) ? wanted : null, ctx.now()),
    listClosings(ctx.db, null, DAYS),
    moneyTexts(context),
  ])
  return {
    view: 'ledger',
    day: closing?.day ?? null,
    closed: closing && formatShortMoment(language.code, closing.closedAt, timeZone),
    isCatchingUp,
    accounts: balances.map((each) => ({
      id: `${each.account} ${each.currency}`,
      account: each.account,
      name: accountName(t, each.account),
      debit: money(each.debitMinor, each.currency),
      credit: money(each.creditMinor, each.currency),
      balance: money(each.balanceMinor, each.currency),
      isNegative: each.balanceMinor < 0n,
    })),
    days: days.map(({ day }) => ({
      day,
      shown: formatDate(language.code, new Date(`${day}T12:00:00Z`), 'UTC'),
    })),
  }
}
