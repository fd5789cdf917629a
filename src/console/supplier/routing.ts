import { listCurrencies } from '#features/goods/currency/queries.ts'
import { findRoutedItem, listOffers, routeOf } from '#features/supply/routing/queries.ts'
import { chooseOffer, type RouteCriterion } from '#features/supply/routing/rules.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { pageOf } from '#kernel/page.ts'
import { formatDuration } from '#platform/i18n/format.ts'
import { moneyTexts } from '../kit/money.ts'
import type { ConsoleContext } from '../page.ts'

export interface OpenItem {
  readonly code: string
  readonly name: string
  readonly price: string
  readonly picture: string
  readonly ownRule: readonly RouteCriterion[] | null
  readonly ownLoss: number | null
  readonly rule: readonly RouteCriterion[]
  readonly source: 'stock' | 'order' | 'both' | null
  readonly offers: readonly {
    readonly supplier: string
    readonly cost: string
    readonly p50: string
    readonly failures: number
    readonly affords: string
    readonly not: 'resting' | 'too_dear' | 'no_balance' | 'failed' | null
  }[]
  readonly next: 'offer' | 'later' | 'too_dear' | 'none'
  readonly supplier: string | null
}

export interface RoutingView {
  readonly view: 'routing'
  readonly search: string
  readonly rows: readonly {
    readonly item: string
    readonly name: string
    readonly isOn: boolean
    readonly priority: number
    readonly theirs: string
    readonly cost: string
    readonly price: string
    readonly suppliers: number
    readonly hasRule: boolean
  }[]
  readonly nextPage: string | null
  /** Null where none is open. */
  readonly open: OpenItem | null
  readonly currencies: readonly { readonly code: string; readonly places: number }[]
  readonly mayPrice: boolean
}

const LISTED = 50
const CODE = /^[a-z0-9:_.-]{1,160}$/

export async function loadRouting(context: ConsoleContext, code: string): Promise<RoutingView> {
  const { ctx, query } = context
  const search = CODE.exec(query.get('q')?.trim() ?? '')?.[0] ?? ''
  const [money, found] = [
    await moneyTexts(context),
    await listOffers(ctx.db, {
      supplier: code,
      search,
      after: query.get('after') ?? '',
      limit: LISTED + 1,
    }),
  ]
  const { shown, last } = pageOf(found, LISTED)
  const item = query.get('item')
  return {
    view: 'routing',
    search,
    rows: shown.map((row) => ({
      item: row.item,
      name: `${row.productName}: ${row.name}`,
      isOn: row.isOn,
      priority: row.priority,
      theirs: row.theirs,
      cost: money(row.cost, row.costCurrency),
      price: money(row.price, row.priceCurrency),
      suppliers: row.suppliers,
      hasRule: row.hasRule,
    })),
    nextPage: last
      ? `/suppliers/${code}?${new URLSearchParams({ view: 'routing', q: search, after: last.item }).toString()}`
      : null,
    open: item === null ? null : await openItem(context, item),
    currencies: (await listCurrencies(ctx.db)).map(({ code: each, minorUnits }) => ({
      code: each,
      places: minorUnits,
    })),
    mayPrice: mayDo(ctx.operator, 'price.change'),
  }
}

async function openItem(context: ConsoleContext, code: string): Promise<OpenItem | null> {
  const { ctx, language, pictureOf } = context
  const item = await findRoutedItem(ctx.db, code)
  if (!item) return null
  const money = await moneyTexts(context)
  const now = ctx.now()
  const { offers, rule } = await routeOf(ctx.db, item, now)
  const route = chooseOffer(offers, now)
  return {
    code: item.code,
    name: `${item.productName}: ${item.name}`,
    price: money(item.price.minor, item.price.currency),
    picture: pictureOf(item.product),
    ownRule: item.rule,
    ownLoss: item.lossBasisPoints,
    rule,
    source: item.source,
    offers: offers.map((offer) => {
      const alone = chooseOffer([offer], now)
      const rests = offer.restsUntil !== null && offer.restsUntil > now
      return {
        supplier: offer.supplier,
        cost: money(offer.costMinor, offer.costCurrency),
        p50:
          offer.measures.p50Ms === null
            ? '–'
            : formatDuration(language.code, Math.max(1, Math.round(offer.measures.p50Ms / 1_000))),
        failures: offer.measures.failures,
        affords: offer.measures.affords === null ? '–' : String(offer.measures.affords),
        not:
          alone.kind === 'offer'
            ? null
            : alone.kind === 'too_dear'
              ? 'too_dear'
              : alone.kind === 'none'
                ? 'failed'
                : rests
                  ? 'resting'
                  : 'no_balance',
      }
    }),
    next: route.kind,
    supplier:
      route.kind === 'offer'
        ? route.offer.supplier
        : route.kind === 'later'
          ? route.supplier
          : null,
  }
}
