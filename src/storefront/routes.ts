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
  /**
   * The page depends on who asks and is never kept. `person`: without a session it leads to /login and back. `visitor`: somebody
   * signed in is led to `/`. `anyone`: open to both. Only such pages take forms.
   */
  readonly access?: 'person' | 'visitor' | 'anyone'
}

const LIST_QUERY = ['region', 'platform', 'category', 'price_min', 'price_max', 'in_stock', 'sort', 'page', 'limit'] as const

const USER_AREAS = ['form', 'user', 'list', 'cardpwd'] as const
const DETAIL_AREAS = ['form', 'user', 'account'] as const

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
  { path: '/cards/:code', page: 'product', layout: 'default', title: 'title.cards', areas: ['product', 'reviews'], query: ['item'] },
  { path: '/top-up/:code', page: 'product', layout: 'default', title: 'title.topUp', areas: ['product', 'reviews'], query: ['item'] },
  { path: '/product/:code', page: 'product', layout: 'default', title: 'title.product', areas: ['product', 'reviews'], query: ['item'] },
  { path: '/game/:code', page: 'game', layout: 'default', title: 'title.games', areas: ['game'], query: [] },
  { path: '/search', page: 'search', layout: 'default', title: 'title.search', areas: ['search', 'list'], query: ['keywords', 'type', 'sort', 'page'] },
  { path: '/language_currency', page: 'language-currency', layout: 'custom-temp', title: 'title.languageCurrency', areas: ['preferences'], query: ['redirect'] },
  { path: '/reviews/:code?', page: 'reviews', layout: 'default', title: 'title.reviews', areas: ['reviews'], query: ['grade', 'page'] },
  { path: '/shop-cart', page: 'shop-cart', layout: 'default', title: 'title.shopCart', areas: ['shop-cart'], query: [], access: 'anyone' },
  { path: '/mobile-recharge/:rechargeList?', page: 'recharge', layout: 'default', title: 'api.footerRecharge', areas: ['recharge'], query: ['country', 'operator'] },
  { path: '/news', page: 'news-list', layout: 'news', title: 'news.title', areas: ['news', 'content'], query: ['page'] },
  { path: '/news-category/:code', page: 'news-list', layout: 'news', title: 'news.title', areas: ['news', 'content'], query: ['page'] },
  { path: '/news/search', page: 'news-list', layout: 'news', title: 'news.searchTitle', areas: ['news', 'content'], query: ['keywords', 'page'] },
  { path: '/news/:code', page: 'news-article', layout: 'news', title: 'news.title', areas: ['news', 'content'], query: [] },
  { path: '/article/terms-of-use', page: 'article', layout: 'default', title: 'api.footerTerms', areas: ['content'], query: [] },
  { path: '/article/sales-terms', page: 'article', layout: 'default', title: 'api.footerSalesTerms', areas: ['content'], query: [] },
  { path: '/article/privacy-policy', page: 'article', layout: 'default', title: 'api.footerPrivacy', areas: ['content'], query: [] },
  { path: '/article/legal-provisions', page: 'article', layout: 'default', title: 'api.footerLegalProvisions', areas: ['content'], query: [] },
  { path: '/about-us', page: 'article', layout: 'default', title: 'api.footerAbout', areas: ['content'], query: [] },
  { path: '/partnership', page: 'article', layout: 'default', title: 'api.footerPartnership', areas: ['content'], query: [] },
  { path: '/contact-us', page: 'article', layout: 'default', title: 'api.footerContact', areas: ['content'], query: [] },
  { path: '/support', page: 'support', layout: 'default', title: 'api.footerSupport', areas: ['support', 'content'], query: [] },
  { path: '/support/search', page: 'support', layout: 'default', title: 'support.searchTitle', areas: ['support', 'content'], query: ['keywords'] },
  { path: '/support/details', page: 'support-answer', layout: 'default', title: 'api.footerSupport', areas: ['support', 'content'], query: ['code'] },
  { path: '/pay-type', page: 'pay-type', layout: 'default', title: 'api.footerPayTypes', areas: ['cashier'], query: [] },
  { path: '/login', page: 'sign-in', layout: 'custom-temp', title: 'sign-in.title', areas: ['form', 'sign-in'], query: ['redirect', 'cancelled'], access: 'visitor' },
  { path: '/login/bind', page: 'bind', layout: 'custom-temp', title: 'sign-in.bindTitle', areas: ['form', 'sign-in'], query: ['ticket'], access: 'anyone' },
  { path: '/register', page: 'register', layout: 'custom-temp', title: 'sign-in.registerTitle', areas: ['form', 'sign-in'], query: ['redirect'], access: 'visitor' },
  { path: '/reset-password', page: 'reset-password', layout: 'custom-temp', title: 'sign-in.resetTitle', areas: ['form', 'sign-in'], query: [], access: 'anyone' },
  { path: '/user', page: 'user', layout: 'default', title: 'user.account', areas: USER_AREAS, query: ['type', 'status', 'kind', 'page', 'add'], access: 'person' },
  { path: '/user/account', page: 'user', layout: 'default', title: 'user.account', areas: USER_AREAS, query: ['page'], access: 'person' },
  { path: '/user/order', page: 'user', layout: 'default', title: 'user.order', areas: USER_AREAS, query: ['status', 'kind', 'page'], access: 'person' },
  { path: '/user/cardpwd', page: 'user', layout: 'default', title: 'user.cardpwd', areas: USER_AREAS, query: ['page', 'key', 'do'], access: 'person' },
  { path: '/user/collect', page: 'user', layout: 'default', title: 'user.collect', areas: USER_AREAS, query: ['page', 'add'], access: 'person' },
  { path: '/user/notice', page: 'user', layout: 'default', title: 'user.notice', areas: USER_AREAS, query: ['page'], access: 'person' },
  { path: '/user/link/:platform?', page: 'user', layout: 'default', title: 'user.link', areas: USER_AREAS, query: ['do', 'done', 'removed'], access: 'person' },
  { path: '/userDetail', page: 'user-detail', layout: 'default', title: 'account.title', areas: DETAIL_AREAS, query: ['section', 'do', 'id', 'country', 'done'], access: 'person' },
  { path: '/middle', page: 'middle', layout: 'custom-temp', title: 'sign-in.signedOutTitle', areas: ['sign-in'], query: ['url'], access: 'anyone' },
  { path: '/redirect', page: 'passage', layout: 'custom-temp', title: 'later.redirect', areas: [], query: ['url'] },
  { path: '/sales', page: 'later', layout: 'default', title: 'api.footerSales', areas: [], query: [] },
  { path: '/sales/66', page: 'later', layout: 'default', title: 'later.festival', areas: [], query: [] },
  { path: '/66', page: 'later', layout: 'default', title: 'later.festival', areas: [], query: [] },
  { path: '/check', page: 'check', layout: 'default', title: 'api.footerCheck', areas: ['form', 'order'], query: [], access: 'anyone' },
  { path: '/feedback', page: 'later', layout: 'default', title: 'api.footerFeedback', areas: [], query: [] },
  { path: '/change-email', page: 'change-email', layout: 'custom-temp', title: 'account.emailTitle', areas: ['form', 'account'], query: [], access: 'person' },
  { path: '/change-email/verification', page: 'change-email', layout: 'custom-temp', title: 'account.emailProveTitle', areas: ['form', 'account'], query: [], access: 'person' },
  { path: '/change-email/change', page: 'change-email', layout: 'custom-temp', title: 'account.emailNewTitle', areas: ['form', 'account'], query: [], access: 'person' },
  { path: '/change-email/success', page: 'change-email', layout: 'custom-temp', title: 'account.emailDoneTitle', areas: ['form', 'account'], query: [], access: 'person' },
  { path: '/mobile/register', page: 'confirm-registration', layout: 'custom-temp', title: 'sign-in.confirmTitle', areas: ['form', 'sign-in'], query: ['key'], access: 'anyone' },
  { path: '/mobile/resetpwd', page: 'reset-link', layout: 'custom-temp', title: 'sign-in.resetTitle', areas: ['form', 'sign-in'], query: ['key'], access: 'anyone' },
  { path: '/mobile/recoveryAccount', page: 'recover-account', layout: 'custom-temp', title: 'sign-in.recoverTitle', areas: ['form', 'sign-in'], query: ['key'], access: 'anyone' },
  { path: '/loading/:platform?', page: 'loading', layout: 'custom-temp', title: 'sign-in.loadingTitle', areas: ['form', 'sign-in'], query: ['code', 'state', 'iss', 'error', 'user'], access: 'anyone' },
  { path: '/order/cashier', page: 'cashier', layout: 'default', title: 'cashier.title', areas: ['cashier', 'form'], query: ['order'], access: 'person' },
  { path: '/order/currency', page: 'later', layout: 'default', title: 'later.orderCurrency', areas: [], query: ['order'], access: 'anyone' },
  { path: '/order/pay', page: 'pay', layout: 'default', title: 'cashier.payTitle', areas: ['cashier', 'form'], query: ['order'], access: 'person' },
  { path: '/order/detail', page: 'order-detail', layout: 'default', title: 'order.orders', areas: ['form', 'order', 'reviews', 'cardpwd'], query: ['order', 'do', 'key'], access: 'person' },
] as const satisfies readonly Route[]
