import { LRUCache } from 'lru-cache'
import { isInStock, type Item, type Product } from '#features/goods/catalogue/rules.ts'
import { convertMinor, shownDigits } from '#features/goods/currency/rules.ts'
import { priceOf } from '#features/goods/price/engine/chain.ts'
import { isOfLevel, type Priced } from '#features/goods/price/rules.ts'
import { toMajor } from '#kernel/money.ts'
import { formatMoney } from '#platform/i18n/format.ts'
import { leadItem } from '../engine/lead.ts'
import { discountPercent } from '../rules.ts'
import type { ShopSnapshot } from '../snapshot.ts'
import type { ShopView } from '../views.ts'
import type { Price } from './shapes.ts'

/** Prices written so far in one language and currency: catalogue currency → minor units → what is shown. */
type PriceTable = Map<string, Map<bigint, Price | null>>

export interface ItemPrices {
  readonly price: Price | null
  readonly market_price: Price | null
  readonly discount: number
}

interface PriceMemory {
  readonly items: LRUCache<string, Map<Item, ItemPrices>>
  readonly tables: LRUCache<string, PriceTable>
  readonly leads: (Item | undefined)[]
}

/** Pairs of language and currency kept at once, and prices kept of each: together at most some 40 MB. */
const TABLES_MAX = 48
const PRICES_MAX = 4_000

const memories = new WeakMap<ShopSnapshot, PriceMemory>()

/** A price of the catalogue as the visitor sees it; null while no rate is known. */
export function priceView(view: ShopView, minor: bigint, currencyCode: string): Price | null {
  const table = priceTable(view)
  let prices = table.get(currencyCode)
  if (!prices) table.set(currencyCode, (prices = new Map()))
  let price = prices.get(minor)
  if (price === undefined) {
    price = writePrice(view, minor, currencyCode)
    if (prices.size >= PRICES_MAX) prices.clear()
    prices.set(minor, price)
  }
  return price
}

/** What an item costs, what that is compared with, and how much less it is in percent. */
export function itemPrices(view: ShopView, item: Item): ItemPrices {
  const { items } = memoryOf(view.shop)
  const key = view.language + view.currency.code
  let known = items.get(key)
  if (!known) items.set(key, (known = new Map()))
  let prices = known.get(item)
  if (!prices) {
    if (known.size >= PRICES_MAX) known.clear()
    known.set(item, (prices = makePrices(view, item)))
  }
  return prices
}

function makePrices(view: ShopView, item: Item): ItemPrices {
  return pricesOf(view, item, priceOf(view.shop.pricing, item, view.currency))
}

/** The same of a price that was worked out already, of a customer level say. */
export function pricesOf(
  view: ShopView,
  item: Item,
  { minor, steps }: Pick<Priced, 'minor' | 'steps'>,
): ItemPrices {
  const price = minor === null ? null : priceView(view, minor, view.currency.code)
  const { marketMinor } = item
  if (marketMinor === null || minor === null) return { price, market_price: null, discount: 0 }
  const market = priceView(view, marketMinor, item.priceCurrency)
  const [first] = steps
  const isSet =
    first?.kind === 'base' || (first?.kind === 'own' && first.currency === item.priceCurrency)
  if (first && isSet && !isOfLevel(steps))
    return {
      price,
      market_price: market,
      discount: discountPercent(first.value.numerator, marketMinor),
    }
  // Made of its cost, of a level, or a price of its own in this currency: only what is shown can be compared.
  const discount = market === null ? 0 : discountPercent(minor, BigInt(market.minor))
  return { price, market_price: discount > 0 ? market : null, discount }
}

/** Whether it can be bought as far as the shop knows: it is at hand, and not held back for leaving too little over its cost. */
export function isSold(
  { shop, currency }: Pick<ShopView, 'shop' | 'currency'>,
  item: Item,
): boolean {
  const { floor } = shop.pricing.terms
  return (
    isInStock(item) &&
    (floor === null || priceOf(shop.pricing, item, currency).withheld !== 'below_floor')
  )
}

/** The item whose price stands for the product, found once a snapshot. */
export function leadItemOf(shop: ShopSnapshot, product: Product): Item {
  const { leads } = memoryOf(shop)
  return (leads[product.index] ??= leadItem(product, shop.pricing))
}

function priceTable(view: ShopView): PriceTable {
  const { tables } = memoryOf(view.shop)
  const key = view.language + view.currency.code
  let table = tables.get(key)
  if (!table) tables.set(key, (table = new Map()))
  return table
}

function memoryOf(shop: ShopSnapshot): PriceMemory {
  let memory = memories.get(shop)
  if (!memory)
    memories.set(
      shop,
      (memory = {
        items: new LRUCache({ max: TABLES_MAX }),
        tables: new LRUCache({ max: TABLES_MAX }),
        leads: [],
      }),
    )
  return memory
}

function writePrice(
  { shop, language, currency }: ShopView,
  minor: bigint,
  currencyCode: string,
): Price | null {
  const from = shop.currencyByCode.get(currencyCode)
  const shown = from ? convertMinor(minor, from, currency) : null
  if (shown === null) return null
  return {
    amount: toMajor(shown, currency.minorUnits),
    minor: shown.toString(),
    currency: currency.code,
    text: formatMoney(language, currency.code, shown, currency.minorUnits, shownDigits(currency)),
  }
}
