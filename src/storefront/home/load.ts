import { contentIn, listProducts } from '#features/goods/browse/queries.ts'
import { ALL_GOODS } from '#features/goods/browse/rules.ts'
import { productCard, type ShopView } from '#features/goods/browse/views.ts'
import { GOODS_TYPE, productPath, type Product } from '#features/goods/catalogue/rules.ts'
import { formatReduction } from '#platform/i18n/percent.ts'
import { pictureAddress } from '../goods/picture.ts'
import { fullAddress, graphOf } from '../goods/structured-data.ts'
import { goodsTile, viewOf, type GoodsTile } from '../goods/tile.ts'
import type { PageContext, PageMeta } from '../page.ts'
import { newsTile, type NewsTile } from '../text/news-tile.ts'
import { bestDeals, factsOf, hangingCards } from './figures.ts'
import { rechargeCountries, type RechargeCountry } from './recharge-countries.ts'

export interface HomeData {
  readonly description: string
  readonly facts: {
    readonly delivery: string | null
    /** Null while the shop sells in none. */
    readonly currencies: string | null
    /** Null where nobody has said when somebody answers. */
    readonly support: string | null
  }
  readonly hot: readonly { readonly path: string; readonly text: string; readonly lang?: string }[]
  readonly rack: readonly {
    readonly path: string
    readonly image: string
    readonly price: string
  }[]
  readonly gameCards: string | null
  readonly operators: string | null
  readonly topUps: readonly GoodsTile[]
  readonly countries: readonly RechargeCountry[]
  readonly giftCards: readonly GoodsTile[]
  readonly deals: readonly Deal[]
  readonly news: readonly NewsTile[]
}

interface Deal {
  readonly path: string
  readonly image: string
  readonly name: string
  readonly price: string
  readonly discount: string
  readonly was: string
}

const HOT_COUNT = 4
const RACK_COUNT = 8
const SHELF_COUNT = 14
const CARDS_LOOKED_AT = 200
const DEAL_COUNT = 4
const NEWS_COUNT = 3

export function load(page: PageContext): HomeData {
  const { shop, language, currency, t, timeZone } = page
  const view = viewOf(page)
  const pick = (query: Partial<typeof ALL_GOODS>) =>
    listProducts(shop, { ...ALL_GOODS, ...query }, language.code, currency).list
  const facts = factsOf(shop)
  const hours = shop.settings.supportHours
  // Who has marked nothing for the home page has all of it there.
  const marked = (query: Partial<typeof ALL_GOODS>, mark: Partial<typeof ALL_GOODS>) => {
    const found = pick({ ...query, ...mark })
    return found.length > 0 ? found : pick(query)
  }
  const own = marked({ type: GOODS_TYPE.card, limit: CARDS_LOOKED_AT }, { isHome: true })
  const hanging = hangingCards(shop, own)
  const cards = hanging.length > 0 ? hanging : own
  return {
    description:
      facts.currencies === 0
        ? t('home.claim')
        : t('home.description', { currencies: facts.currencies }),
    facts: {
      delivery:
        facts.topUpMinutes === null
          ? null
          : t('home.factDelivery', { minutes: facts.topUpMinutes }),
      currencies:
        facts.currencies === 0 ? null : t('home.factCurrencies', { count: facts.currencies }),
      support: hours === null ? null : t('home.factSupport', { ...hours, zone: timeZone }),
    },
    hot: hotLinks(view, pick({ isHot: true, limit: HOT_COUNT })),
    rack: cards.slice(0, RACK_COUNT).map((product) => ({
      path: goodsTile(view, product).path,
      image: pictureAddress(view, 'goods_thumb_3_4', product.picture ?? product.brand.picture),
      price: productCard(view, product).price?.text ?? '',
    })),
    gameCards: facts.gameCardsPath,
    operators:
      facts.operators === 0 ? null : t('home.kindRechargeNote', { count: facts.operators }),
    topUps: marked({ type: GOODS_TYPE.topUp, limit: SHELF_COUNT }, { isHot: true }).map((product) =>
      goodsTile(view, product),
    ),
    countries: rechargeCountries(shop, language),
    giftCards: cards.slice(0, SHELF_COUNT).map((product) => goodsTile(view, product)),
    deals: bestDeals(shop)
      .slice(0, DEAL_COUNT)
      .map((product) => dealOf(view, product)),
    news: contentIn(shop, language.code)
      .news.slice(0, NEWS_COUNT)
      .map((article) => newsTile(page, article)),
  }
}

export function meta(data: HomeData, page: PageContext): PageMeta {
  return {
    title: page.t('title.home'),
    description: data.description,
    canonical: '/',
    structuredData: graphOf({
      '@type': 'WebSite',
      name: page.shop.settings.name,
      url: fullAddress(page, '/'),
      inLanguage: page.language.tag,
      potentialAction: {
        '@type': 'SearchAction',
        target: {
          '@type': 'EntryPoint',
          urlTemplate: `${fullAddress(page, '/search')}?keywords={keywords}`,
        },
        'query-input': 'required name=keywords',
      },
    }),
  }
}

function hotLinks(view: ShopView, products: readonly Product[]): HomeData['hot'] {
  return products.map((product) => {
    const { name, code } = product.brand
    const own = name[view.language]
    const game = product.brand.game === code ? `/game/${code}` : productPath(product)
    return { path: game, text: own ?? name.en, ...(own === undefined ? { lang: 'en' } : {}) }
  })
}

function dealOf(view: ShopView, product: Product): Deal {
  const card = productCard(view, product)
  return {
    path: productPath(product),
    image: pictureAddress(view, 'goods_thumb_1_1', product.picture ?? product.brand.picture),
    name: card.goods_name,
    price: card.price?.text ?? '',
    discount: formatReduction(view.language, card.discount),
    was: card.market_price?.text ?? '',
  }
}
