import { listOwnPrices } from '#features/office/pricing/queries.ts'
import { moneyTexts } from '../kit/money.ts'
import type { ConsoleContext } from '../page.ts'
import type { SetPrice } from './levels.ts'

export interface OwnView {
  readonly view: 'own'
  readonly currency: string | null
  readonly prices: readonly SetPrice[]
  readonly next: string | null
}

export async function loadOwn(context: ConsoleContext): Promise<OwnView> {
  const { ctx, query } = context
  const currency = /^[A-Z]{3}$/.exec(query.get('currency') ?? '')?.[0] ?? null
  const [page, money] = await Promise.all([
    listOwnPrices(ctx.db, currency, query.get('after') ?? ''),
    moneyTexts(context),
  ])
  return {
    view: 'own',
    currency,
    prices: page.prices.map((one) => ({ ...one, price: money(one.minor, one.currency) })),
    next: page.next,
  }
}
