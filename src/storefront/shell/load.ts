import { listGames, listProducts } from '#features/goods/browse/queries.ts'
import { ALL_GOODS, type GoodsQuery } from '#features/goods/browse/rules.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import type { ShopView } from '#features/goods/browse/views.ts'
import { GOODS_TYPE, textIn, type GoodsType } from '#features/goods/catalogue/rules.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import type { ShopSettings } from '#features/base/shop/rules.ts'
import { footerView, payTypeViews, type FooterView } from '#features/base/shop/views.ts'
import { methodsOf, type PayProviders } from '#features/goods/pay-method/rules.ts'
import { shownTheme } from '#features/base/theme/views.ts'
import type { Language } from '#kernel/language.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import type { IconName } from '#ui/icon-paths.ts'
import { gameTile, goodsTile, type GoodsTile } from '../goods/tile.ts'
import type { FooterData, NavigationGroup, ShellData } from '../page.ts'
import type { Layout } from '../routes.ts'

export interface ShellInput {
  readonly shop: ShopSnapshot
  readonly language: Language
  readonly currency: Currency
  readonly t: Translate
  readonly publicUrl: string
  readonly payProviders: PayProviders
}

/** What each place is for, drawn by the shop itself: no two share a sign, and none is like a maker's own. */
const SOCIAL_ICONS: Readonly<Record<string, IconName>> = {
  telegram: 'megaphone',
  whatsapp: 'talk',
  line: 'sticker',
  mail: 'mail',
  x: 'post',
  facebook: 'people',
  instagram: 'photo',
  youtube: 'tv',
  tiktok: 'clip',
  discord: 'headset',
  rss: 'rss',
}

/** Header and footer of one language and currency. */
export function loadShell({
  shop,
  language,
  currency,
  t,
  publicUrl,
  payProviders,
}: ShellInput): ShellData {
  const footer = footerView(shop.settings, t, publicUrl)
  const links = linksOf(shop.settings, footer.social)
  return {
    shop: shop.settings.name,
    theme: frameTheme(shop.theme),
    language: language.code,
    currency: { code: currency.code, symbol: currency.symbol },
    navigation: shop.catalogue.categories.map((category) => ({
      title: textIn(category.name, language.code),
      path: category.path,
      items: category.children.map((child) => ({
        title: textIn(child.name, language.code),
        path: child.path,
      })),
      popular: popularOf({ shop, language: language.code, currency, t }, category.path),
    })),
    homeFooter: shop.settings.homeFooter,
    footer: {
      payTypes: payTypeViews(shop.settings, methodsOf(shop.payMethods, payProviders), t),
      groups: footer.footer_link.map((group) => ({
        title: group.title,
        items: group.list.map((item) => ({ title: item.title, path: item.link })),
      })),
      ...links,
      company: footer.corporate_name,
      address: footer.address,
      copyright: footer.copyright,
    },
  }
}

function frameTheme(theme: ShopSnapshot['theme']): ShellData['theme'] {
  const { address, bar } = shownTheme(theme)
  return { address, bar }
}

/** The home page has the footer where the shop says so (specification §2). */
export function hasFooter(layout: Layout, { homeFooter }: Pick<ShellData, 'homeFooter'>): boolean {
  return layout === 'home' ? homeFooter : layout !== 'custom-temp'
}

export const POPULAR_COUNT = 5

/** The best of what a category of the menu holds; nothing for those without goods of their own. */
function popularOf(view: ShopView, hub: string): NavigationGroup['popular'] {
  const { shop, language, currency } = view
  const query = { ...ALL_GOODS, limit: POPULAR_COUNT }
  const tiles =
    hub === '/game'
      ? listGames(shop, query, language, currency).list.map((game) => gameTile(view, game))
      : listGoodsOf(hub, view, query)
  return tiles.map(({ path, image, name, lang }) => ({
    path,
    image,
    name: typeof name === 'string' ? name : name.join(''),
    ...(lang === undefined ? {} : { lang }),
  }))
}

function listGoodsOf(hub: string, view: ShopView, query: GoodsQuery): readonly GoodsTile[] {
  const type = TYPES.get(hub)
  if (type === undefined) return []
  const { shop, language, currency } = view
  return listProducts(shop, { ...query, type }, language, currency).list.map((product) =>
    goodsTile(view, product),
  )
}

const TYPES: ReadonlyMap<string, GoodsType> = new Map([
  ['/cards', GOODS_TYPE.card],
  ['/top-up', GOODS_TYPE.topUp],
])

/** Kinds of goods whose best stand in the menu. */
export const POPULAR_TYPES: ReadonlySet<GoodsType> = new Set(TYPES.values())

/** A link that takes the shop's address is for telling others of it; any other leads to the shop's own page somewhere. */
export function linksOf(
  { social }: Pick<ShopSettings, 'social'>,
  filled: FooterView['social'],
): Pick<FooterData, 'profiles' | 'share'> {
  const marks = filled.map(({ code, name, link }, index) => ({
    isShare: social[index]?.link.includes('{url}') ?? false,
    mark: { label: name, href: link, icon: SOCIAL_ICONS[code] ?? ('link' as const) },
  }))
  return {
    profiles: marks.flatMap(({ isShare, mark }) => (isShare ? [] : [mark])),
    share: marks.flatMap(({ isShare, mark }) => (isShare ? [mark] : [])),
  }
}
