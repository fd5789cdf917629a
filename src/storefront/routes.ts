import type { MessageArea, MessageKey } from '#platform/i18n/keys.ts'

/** The frames a page can stand in (specification §2, "Layouts"). */
export type Layout = 'default' | 'news' | 'custom-temp' | 'home'

export interface Route {
  /** `:name` is a segment, `:name?` an optional last one. Without language prefix. */
  readonly path: string
  /** Folder under src/storefront. */
  readonly page: string
  readonly layout: Layout
  readonly title: MessageKey
  /** Areas of locales/<lang> its components use, beside `shell` and `goods`. */
  readonly areas: readonly MessageArea[]
  /** Query parameters that make another page; all others are ignored. */
  readonly query: readonly string[]
}

const LIST_QUERY = ['region', 'platform', 'category', 'price_min', 'price_max', 'in_stock', 'sort', 'page', 'limit'] as const

/** The table of contents: every address of the shop (specification §2). */
export const ROUTES = [
  { path: '/', page: 'home', layout: 'home', title: 'title.home', areas: ['home'], query: [] },
  { path: '/cards', page: 'goods-list', layout: 'default', title: 'title.cards', areas: ['list'], query: LIST_QUERY },
  { path: '/top-up', page: 'goods-list', layout: 'default', title: 'title.topUp', areas: ['list'], query: LIST_QUERY },
  { path: '/game', page: 'game-list', layout: 'default', title: 'title.games', areas: ['list'], query: LIST_QUERY },
  { path: '/product', page: 'goods-list', layout: 'default', title: 'title.product', areas: ['list'], query: LIST_QUERY },
  { path: '/cards-category/:code?', page: 'goods-list', layout: 'default', title: 'title.cards', areas: ['list'], query: LIST_QUERY },
  { path: '/top-up-category/:code?', page: 'goods-list', layout: 'default', title: 'title.topUp', areas: ['list'], query: LIST_QUERY },
  { path: '/game-category/:code?', page: 'game-list', layout: 'default', title: 'title.games', areas: ['list'], query: LIST_QUERY },
  { path: '/card/platform/:id?', page: 'goods-list', layout: 'default', title: 'title.cards', areas: ['list'], query: LIST_QUERY },
  { path: '/game/platform/:id?', page: 'game-list', layout: 'default', title: 'title.games', areas: ['list'], query: LIST_QUERY },
  { path: '/cards/:code', page: 'product', layout: 'default', title: 'title.cards', areas: ['product'], query: ['item'] },
  { path: '/top-up/:code', page: 'product', layout: 'default', title: 'title.topUp', areas: ['product'], query: ['item'] },
  { path: '/product/:code', page: 'product', layout: 'default', title: 'title.product', areas: ['product'], query: ['item'] },
  { path: '/game/:code', page: 'game', layout: 'default', title: 'title.games', areas: ['game'], query: [] },
  { path: '/search', page: 'search', layout: 'default', title: 'title.search', areas: ['search', 'list'], query: ['keywords', 'type', 'sort', 'page'] },
  { path: '/language_currency', page: 'language-currency', layout: 'custom-temp', title: 'title.languageCurrency', areas: ['preferences'], query: ['redirect'] },
  { path: '/reviews/:code?', page: 'reviews', layout: 'default', title: 'title.reviews', areas: ['product'], query: ['grade', 'page'] },
] as const satisfies readonly Route[]
