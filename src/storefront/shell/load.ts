import { listGames, listProducts } from '#features/goods/browse/queries.ts'
import { ALL_GOODS, type GoodsQuery } from '#features/goods/browse/rules.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import type { ShopView } from '#features/goods/browse/views.ts'
import { GOODS_TYPE, textIn, type GoodsType } from '#features/goods/catalogue/rules.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import { footerView, payTypeViews } from '#features/base/shop/views.ts'
import { methodsOf, type PayProviders } from '#features/goods/pay-method/rules.ts'
import type { Language } from '#kernel/language.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import { gameTile, goodsTile, type GoodsTile } from '../goods/tile.ts'
import type { FooterData, NavigationGroup, ShellData } from '../page.ts'

export interface ShellInput {
  readonly shop: ShopSnapshot
  readonly language: Language
  readonly currency: Currency
  readonly t: Translate
  readonly publicUrl: string
  readonly payProviders: PayProviders
}

/** Signs of the shop's own icon set; a shop that holds licences may bring marks. */
const SOCIAL_ICONS: Readonly<Record<string, FooterData['social'][number]['icon']>> = {
  telegram: 'chat',
  whatsapp: 'chat',
  line: 'chat',
  mail: 'mail',
  x: 'globe',
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
  return {
    shop: shop.settings.name,
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
    footer: {
      payTypes: payTypeViews(shop.settings, methodsOf(shop.payMethods, payProviders), t),
      groups: footer.footer_link.map((group) => ({
        title: group.title,
        items: group.list.map((item) => ({ title: item.title, path: item.link })),
      })),
      social: footer.social.map((social) => ({
        label: social.name,
        href: social.link,
        icon: SOCIAL_ICONS[social.code] ?? 'share',
      })),
      company: footer.corporate_name,
      address: footer.address,
      copyright: footer.copyright,
    },
  }
}

const POPULAR_COUNT = 5

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
