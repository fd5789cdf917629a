import { listCurrencies } from '#features/goods/currency/queries.ts'
import { listReadings } from '#features/supply/balance/queries.ts'
import { listSupplierBooks } from '#features/supply/purchase/queries.ts'
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
    (await listSupplierBooks(ctx.db)).filter(({ supplier }) => supplier === code),
    (await listReadings(ctx.db, code)).slice(0, READINGS_SHOWN),
    await listCurrencies(ctx.db),
    await moneyTexts(context),
  ]
  return {
    view: 'books',
    sums: books.map((each) => ({
      currency: each.currency,
      prepaid: money(each.prepaid ?? '0', each.currency),
      reserved: money(each.reserved, each.currency),
      cost: money(each.cost, each.currency),
      losses: money(each.losses, each.currency),
    })),
    readings: readings.map(({ at, available, booked, currency }) => ({
      at: formatShortMoment(language.code, at, timeZone),
      told: money(available, currency),
      booked: money(booked, currency),
    })),
    currencies: currencies.map(({ code: each, minorUnits }) => ({
      code: each,
      places: minorUnits,
    })),
    currency: readings[0]?.currency ?? books[0]?.currency ?? 'USD',
    mayNote: mayDo(ctx.operator, 'payment.note'),
  }
}
