import { payTypeViews } from '#features/base/shop/views.ts'
import { contentIn } from '#features/goods/browse/queries.ts'
import { textIn, type Game } from '#features/goods/catalogue/rules.ts'
import { methodsOf } from '#features/goods/pay-method/rules.ts'
import { GAME_ART_PREFIX } from '#features/goods/picture/queries.ts'
import { categoryCrumb, type Crumb } from '../goods/crumb.ts'
import { linkPicture, pictureAddress } from '../goods/picture.ts'
import { breadcrumbNode, fullAddress, graphOf } from '../goods/structured-data.ts'
import { gameTile, viewOf } from '../goods/tile.ts'
import { PageNotFound, PageRedirect, type PageContext, type PageMeta } from '../page.ts'
import { newsTile, type NewsTile } from '../text/news-tile.ts'
import { offerOf, type GameOffer } from './offer.ts'

export interface GameData {
  readonly code: string
  readonly crumbs: readonly Crumb[]
  readonly name: string
  readonly lang?: string
  readonly image: string
  /** Its world, over the width of the page; null for a game without a drawn cover. */
  readonly art: string | null
  readonly payTypes: readonly { readonly code: string; readonly name: string }[]
  readonly linkPicture: string | null
  readonly publisher: string | null
  readonly platforms: readonly { readonly text: string; readonly path: string }[]
  readonly released: string | null
  readonly description: string
  readonly offer: GameOffer | null
  readonly news: readonly NewsTile[]
}

const NEWS_COUNT = 4

/** The page of a game: everything the shop sells for it (decisions, "Kinds of goods"). */
export function load(page: PageContext): GameData {
  const { shop, language, t } = page
  const game = findGame(page)
  const { name, image, lang } = gameTile(viewOf(page), game)
  const text = typeof name === 'string' ? name : name.join('')
  return {
    code: game.code,
    crumbs: crumbsOf(page, game, text, lang),
    name: text,
    ...(lang === undefined ? {} : { lang }),
    image,
    art: artOf(page, game),
    payTypes: payTypeViews(shop.settings, methodsOf(shop.payMethods, page.payProviders), t),
    linkPicture: linkPicture(shop, game.picture),
    publisher: game.publisher === '' ? null : t('game.publisher', { publisher: game.publisher }),
    platforms: shop.catalogue.platforms
      .filter(({ code }) => game.platforms.includes(code))
      .map((platform) => ({
        text: textIn(platform.name, language.code),
        path: `/game/platform/${platform.code}`,
      })),
    released:
      game.releasedYear === null ? null : t('game.released', { year: String(game.releasedYear) }),
    description: t('game.description', { game: text, count: game.products.length }),
    offer: offerOf(page, game),
    news: newsOf(page, game),
  }
}

export function meta(data: GameData, page: PageContext): PageMeta {
  return {
    title: data.name,
    description: data.description,
    canonical: `/game/${data.code}`,
    picture: data.linkPicture,
    preload: [{ href: data.image }],
    structuredData: graphOf(breadcrumbNode(page, data.crumbs), {
      '@type': 'VideoGame',
      name: data.name,
      url: fullAddress(page, `/game/${data.code}`),
      gamePlatform: data.platforms.map((platform) => platform.text),
    }),
  }
}

function artOf(page: PageContext, { code }: Game): string | null {
  const art = `${GAME_ART_PREFIX}${code}`
  return page.shop.pictures.has(art) ? pictureAddress(page, 'home_b', art) : null
}

function findGame({ shop, params }: PageContext): Game {
  const code = params['code'] ?? ''
  const game = shop.catalogue.gameByCode.get(code)
  if (game) return game
  const renamed = shop.catalogue.redirects.get(`game ${code}`)
  if (renamed !== undefined && shop.catalogue.gameByCode.has(renamed))
    throw new PageRedirect(`/game/${renamed}`, 301)
  throw new PageNotFound()
}

function crumbsOf(
  { shop, language, t }: PageContext,
  game: Game,
  name: string,
  lang: string | undefined,
): Crumb[] {
  const category =
    game.categoryId === null ? undefined : shop.catalogue.categoryById.get(game.categoryId)
  return [
    { text: t('title.games'), path: '/game' },
    ...(category ? [categoryCrumb(category, language)] : []),
    { text: name, ...(lang === undefined ? {} : { lang }) },
  ]
}

/** News that name the game or one of its brands. */
function newsOf(page: PageContext, game: Game): readonly NewsTile[] {
  const codes = new Set([game.code, ...game.products.map((product) => product.brand.code)])
  return contentIn(page.shop, page.language.code)
    .news.filter((article) => article.related.some((code) => codes.has(code)))
    .slice(0, NEWS_COUNT)
    .map((article) => newsTile(page, article))
}
