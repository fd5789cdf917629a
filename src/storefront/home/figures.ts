import { leadItem, retailDiscount } from '#features/goods/browse/engine/lead.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { isOffered } from '#features/goods/currency/rules.ts'
import { GOODS_TYPE, isInStock, type Product } from '#features/goods/catalogue/rules.ts'

/** What the home page says of the shop, counted, never claimed. */
export interface Facts {
  /** Currencies a shopper may choose. */
  readonly currencies: number
  /** Median of the catalogue's estimates for top-ups; null without any. */
  readonly topUpMinutes: number | null
  readonly operators: number
  /** Where cards with a PIN for one game are, if the shop has such a category. */
  readonly gameCardsPath: string | null
}

const facts = new WeakMap<ShopSnapshot, Facts>()

export function factsOf(shop: ShopSnapshot): Facts {
  let known = facts.get(shop)
  if (!known) facts.set(shop, (known = countFacts(shop)))
  return known
}

const GAME_CARD_CATEGORIES = ['game-vouchers', 'game-wallets']

function countFacts({ catalogue, currencies }: ShopSnapshot): Facts {
  const minutes = catalogue.brands
    .filter((brand) => brand.kind === 'top_up')
    .flatMap(
      ({ products: [first], typicalMinutes }) => first?.typicalMinutes ?? typicalMinutes ?? [],
    )
  const gameCards = GAME_CARD_CATEGORIES.map((code) => catalogue.categoryByCode.get(code)).find(
    (category) => category !== undefined,
  )
  return {
    currencies: currencies.filter(isOffered).length,
    topUpMinutes: minutes.sort((a, b) => a - b)[Math.floor(minutes.length / 2)] ?? null,
    operators: catalogue.brands.filter((brand) => brand.type === GOODS_TYPE.recharge).length,
    gameCardsPath: gameCards?.path ?? null,
  }
}

/** Cards whose cover has the punched slot of the rail: those drawn as gift cards, and photographs of such. */
export function hangingCards(
  { pictures }: Pick<ShopSnapshot, 'pictures'>,
  products: readonly Product[],
): readonly Product[] {
  return products.filter((product) => {
    const recipe = pictures.get(product.picture ?? product.brand.picture ?? '')?.recipe
    return recipe?.kind === 'cover'
      ? recipe.recipe.kind === 'gift'
      : product.brand.kind === 'gift_card'
  })
}

const deals = new WeakMap<ShopSnapshot, readonly Product[]>()

/** Goods at hand for less than their compared price, the largest reduction first; one of each brand. */
export function bestDeals(shop: ShopSnapshot): readonly Product[] {
  let known = deals.get(shop)
  if (!known) deals.set(shop, (known = findDeals(shop)))
  return known
}

const DEALS_KEPT = 24

function findDeals({ catalogue, pricing }: ShopSnapshot): readonly Product[] {
  const found = catalogue.products
    .map((product) => ({ product, item: leadItem(product, pricing) }))
    .map(({ product, item }) => ({
      product,
      percent: isInStock(item) ? retailDiscount(item, pricing) : 0,
    }))
    .filter(({ percent }) => percent > 0)
    .sort(
      (a, b) => b.percent - a.percent || b.product.brand.popularity - a.product.brand.popularity,
    )
  const brands = new Set<string>()
  return found
    .filter(({ product }) => !brands.has(product.brand.code) && brands.add(product.brand.code))
    .slice(0, DEALS_KEPT)
    .map(({ product }) => product)
}
