import { readBooks } from '#features/office/books/queries.ts'
import { listCurrencies } from '#features/goods/currency/queries.ts'
import { listReadings } from '#features/supply/balance/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import { moneyTexts } from '../kit/money.ts'
import type { ConsoleContext } from '../page.ts'

export interface BooksView {
  readonly view: 'books'
  readonly sums: readonly {
    readonly currency: string
    readonly prepaid: string
    readonly reserved: string
    readonly cost: string
    readonly losses: string
  }[]
  readonly readings: readonly {
    readonly at: string
    readonly told: string
    readonly booked: string
  }[]
  readonly currencies: readonly { readonly code: string; readonly places: number }[]
  /** The one of its balance. */
  readonly currency: string
  readonly mayNote: boolean
}

const READINGS_SHOWN = 24

export async function loadBooks(context: ConsoleContext, code: string): Promise<BooksView> {
  const { ctx, language, timeZone } = context
  const [books, readings, currencies, money] = [
    await readBooks(ctx.db, null, ctx.now()),
    (await listReadings(ctx.db, code)).slice(0, READINGS_SHOWN),
    await listCurrencies(ctx.db),
    await moneyTexts(context),
  ]
  const own = books.balances.filter(({ account }) => account.endsWith(`:${code}`))
  const held = [...new Set(own.map(({ currency }) => currency))]
  return {
    view: 'books',
    sums: held.map((currency) => {
      // What is there for the shop, or was spent by it, is a debit.
      const sum = (of: string) =>
        -own
          .filter((one) => one.currency === currency && one.account === `${of}:${code}`)
          .reduce((total, { balanceMinor }) => total + balanceMinor, 0n)
      return {
        currency,
        prepaid: money(sum('supplier'), currency),
        reserved: money(sum('supplier_reserved'), currency),
        cost: money(sum('goods_cost'), currency),
        losses: money(sum('supply_losses'), currency),
      }
    }),
    readings: readings.map(({ at, available, booked, currency }) => ({
      at: formatShortMoment(language.code, at, timeZone),
      told: money(available, currency),
      booked: money(booked, currency),
    })),
    currencies: currencies.map(({ code: each, minorUnits }) => ({
      code: each,
      places: minorUnits,
    })),
    currency: readings[0]?.currency ?? held[0] ?? 'USD',
    mayNote: mayDo(ctx.operator, 'payment.note'),
  }
}
