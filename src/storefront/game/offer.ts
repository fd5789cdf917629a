import { goodsDetail } from '#features/goods/browse/view/detail.ts'
import { productCard } from '#features/goods/browse/views.ts'
import {
  GOODS_TYPE,
  productPath,
  textIn,
  type Brand,
  type Game,
  type Product,
} from '#features/goods/catalogue/rules.ts'
import { formatCount } from '#platform/i18n/format.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import { viewOf } from '../goods/tile.ts'
import type { PageContext } from '../page.ts'
import { choosingOf, type Choosing } from '../product/choosing.ts'
import { assurancesOf, helpOf, type Assurance, type Help } from '../product/facts.ts'

/** Another view of the panel, at an address of its own. */
export interface OfferLink {
  readonly text: string
  readonly lang?: string
  /** How many there are, ready to show. */
  readonly count?: string
  readonly path: string
  readonly isCurrent: boolean
}

/** One product of a game with the ways to the others: what kind, which of several, for which region. */
export interface GameOffer extends Choosing {
  readonly kinds: readonly OfferLink[]
  /** What the kind shown is called. */
  readonly kind: string
  readonly brands: readonly OfferLink[]
  readonly regions: readonly OfferLink[]
  readonly name: string
  readonly lang?: string
  readonly note: string
  /** The page where it is bought; takes the amount as `item`. */
  readonly path: string
  /** What comes next there. */
  readonly submit: string
  /** What holds for it before and after paying. */
  readonly assurances: readonly Assurance[]
  readonly help: Help
}

/** Where the panel begins: changing what it shows leads back to it. */
export const OFFER = 'offer'

const KINDS: readonly {
  readonly type: Product['type']
  readonly title: MessageKey
  readonly note: MessageKey
}[] = [
  { type: GOODS_TYPE.topUp, title: 'game.topUps', note: 'game.topUpsNote' },
  { type: GOODS_TYPE.card, title: 'game.cards', note: 'game.cardsNote' },
  { type: GOODS_TYPE.gameProduct, title: 'game.keys', note: 'game.keysNote' },
]

/** The product that the address names by `product`, else the first of the first kind; null when the game has nothing on sale. */
export function offerOf(page: PageContext, game: Game): GameOffer | null {
  const { t, language, query } = page
  const kinds = KINDS.map((kind) => ({ ...kind, brands: brandsOf(game, kind.type) })).filter(
    ({ brands }) => brands.length > 0,
  )
  const first = kinds[0]?.brands[0]?.products[0]
  const product = game.products.find(({ code }) => code === query.get('product')) ?? first
  const kind = kinds.find(({ type }) => type === product?.type)
  if (!product || !kind) return null
  const link = (to: Product | undefined, text: string, isCurrent: boolean): OfferLink => ({
    text,
    path: `/game/${game.code}${to && to !== first ? `?product=${to.code}` : ''}#${OFFER}`,
    isCurrent,
  })
  const { brand } = product
  const view = viewOf(page)
  const detail = goodsDetail(view, product, page.timeZone)
  return {
    kinds: kinds.map(({ type, title, brands }) => ({
      ...link(brands[0]?.products[0], t(title), type === kind.type),
      count: formatCount(language.code, brands.length),
    })),
    kind: t(kind.title),
    brands: kind.brands.map((other) => ({
      ...link(other.products[0], nameOf(page, other), other === brand),
      ...foreign(page, other),
    })),
    regions: brand.products.map((sibling) =>
      link(sibling, textIn(sibling.region.name, language.code), sibling === product),
    ),
    name: productCard(view, product).goods_name,
    ...foreign(page, brand),
    note: t(kind.note),
    path: productPath(product),
    ...choosingOf(page, product, detail, null),
    assurances: assurancesOf(detail, t, language.code),
    help: helpOf(page, detail),
    submit: brand.fields.length > 0 ? t('product.enterAccount') : t('game.continue'),
  }
}

function brandsOf(game: Game, type: Product['type']): readonly Brand[] {
  return [
    ...new Set(
      game.products.filter((product) => product.type === type).map((product) => product.brand),
    ),
  ]
}

function nameOf(page: PageContext, brand: Brand): string {
  const [leading] = brand.products
  return leading ? productCard(viewOf(page), leading).goods_name : brand.name.en
}

/** Names without a translation are announced in English. */
function foreign({ language }: PageContext, brand: Brand): { readonly lang?: string } {
  return brand.name[language.code] === undefined ? { lang: 'en' } : {}
}
