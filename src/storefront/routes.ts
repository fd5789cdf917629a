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
  /** Search engines are told of it; of a route with an optional part, of the address without it. */
  readonly inSitemap?: true
  /**
   * The page depends on who asks and is never kept. `person`: without a session it leads to /login and back. `visitor`: somebody
   * signed in is led to `/`. `anyone`: open to both. Only such pages take forms.
   */
  readonly access?: 'person' | 'visitor' | 'anyone'
}

const LIST = {
  areas: ['list'],
  query: [
    'region',
    'platform',
    'category',
    'price_min',
    'price_max',
    'in_stock',
    'sort',
    'page',
    'limit',
  ],
} as const
const PRODUCT = { areas: ['product', 'reviews'], query: ['item'] } as const
const NEWS_AREAS = ['news', 'content'] as const
const SIGN_IN_AREAS = ['form', 'sign-in'] as const
const EMAIL_AREAS = ['form', 'account'] as const
const USER_AREAS = ['form', 'user', 'list', 'cardpwd'] as const

/**
 * The table of contents: every address of the shop (specification §2). What tests open of each, and what docs/routes.md says of it,
 * stands in `addresses.json` beside the page.
 */
export const ROUTES = [
  page('/', 'home', 'title.home', { layout: 'home', areas: ['home'], inSitemap: true }),
  page('/cards', 'goods-list', 'title.cards', { ...LIST, inSitemap: true }),
  page('/top-up', 'goods-list', 'title.topUp', { ...LIST, inSitemap: true }),
  page('/game', 'game-list', 'title.games', { ...LIST, inSitemap: true }),
  page('/product', 'goods-list', 'title.product', { ...LIST, inSitemap: true }),
  page('/cards-category/:code?', 'goods-list', 'title.cards', LIST),
  page('/top-up-category/:code?', 'goods-list', 'title.topUp', LIST),
  page('/game-category/:code?', 'game-list', 'title.games', LIST),
  page('/card/platform/:id?', 'goods-list', 'title.cards', LIST),
  page('/game/platform/:id?', 'game-list', 'title.games', LIST),
  page('/cards/:code', 'product', 'title.cards', PRODUCT),
  page('/top-up/:code', 'product', 'title.topUp', PRODUCT),
  page('/product/:code', 'product', 'title.product', PRODUCT),
  page('/game/:code', 'game', 'title.games', { areas: ['game'], query: ['product'] }),
  page('/search', 'search', 'title.search', {
    areas: ['search', 'list'],
    query: ['keywords', 'type', 'sort', 'page'],
  }),
  page('/language_currency', 'language-currency', 'title.languageCurrency', {
    layout: 'custom-temp',
    areas: ['preferences'],
    query: ['redirect'],
  }),
  page('/reviews/:code?', 'reviews', 'title.reviews', {
    areas: ['reviews'],
    query: ['grade', 'page'],
    inSitemap: true,
  }),
  page('/shop-cart', 'shop-cart', 'title.shopCart', { areas: ['shop-cart'], access: 'anyone' }),
  page('/mobile-recharge/:rechargeList?', 'recharge', 'api.footerRecharge', {
    areas: ['recharge'],
    query: ['country', 'operator'],
    inSitemap: true,
  }),
  // Where its forms are posted to without script: a number stands in no address.
  page('/recharge', 'recharge', 'api.footerRecharge', {
    areas: ['recharge'],
    query: ['list', 'country', 'operator'],
    access: 'anyone',
  }),
  page('/news', 'news-list', 'news.title', {
    layout: 'news',
    areas: NEWS_AREAS,
    query: ['page'],
    inSitemap: true,
  }),
  page('/news-category/:code', 'news-list', 'news.title', {
    layout: 'news',
    areas: NEWS_AREAS,
    query: ['page'],
  }),
  page('/news/search', 'news-list', 'news.searchTitle', {
    layout: 'news',
    areas: NEWS_AREAS,
    query: ['keywords', 'page'],
  }),
  page('/news/:code', 'news-article', 'news.title', { layout: 'news', areas: NEWS_AREAS }),
  page('/article/terms-of-use', 'article', 'api.footerTerms', {
    areas: ['content'],
    inSitemap: true,
  }),
  page('/article/sales-terms', 'article', 'api.footerSalesTerms', {
    areas: ['content'],
    inSitemap: true,
  }),
  page('/article/privacy-policy', 'article', 'api.footerPrivacy', {
    areas: ['content'],
    inSitemap: true,
  }),
  page('/article/legal-provisions', 'article', 'api.footerLegalProvisions', {
    areas: ['content'],
    inSitemap: true,
  }),
  page('/about-us', 'about-us', 'api.footerAbout', { areas: ['content'], inSitemap: true }),
  page('/partnership', 'article', 'api.footerPartnership', { areas: ['content'], inSitemap: true }),
  page('/contact-us', 'contact-us', 'api.footerContact', { areas: ['content'], inSitemap: true }),
  page('/support', 'support', 'api.footerSupport', {
    areas: ['support', 'content'],
    inSitemap: true,
  }),
  page('/support/search', 'support', 'support.searchTitle', {
    areas: ['support', 'content'],
    query: ['keywords'],
  }),
  page('/support/details', 'support-answer', 'api.footerSupport', {
    areas: ['support', 'content'],
    query: ['code'],
  }),
  page('/pay-type', 'pay-type', 'api.footerPayTypes', { areas: ['cashier'], inSitemap: true }),
  page('/login', 'sign-in', 'sign-in.title', {
    layout: 'custom-temp',
    areas: SIGN_IN_AREAS,
    query: ['redirect', 'cancelled'],
    access: 'visitor',
  }),
  page('/login/bind', 'bind', 'sign-in.bindTitle', {
    layout: 'custom-temp',
    areas: SIGN_IN_AREAS,
    query: ['ticket'],
    access: 'anyone',
  }),
  page('/register', 'register', 'sign-in.registerTitle', {
    layout: 'custom-temp',
    areas: SIGN_IN_AREAS,
    query: ['redirect'],
    access: 'visitor',
  }),
  page('/reset-password', 'reset-password', 'sign-in.resetTitle', {
    layout: 'custom-temp',
    areas: SIGN_IN_AREAS,
    access: 'anyone',
  }),
  page('/user', 'user', 'user.account', {
    areas: USER_AREAS,
    query: ['type', 'status', 'kind', 'page', 'add'],
    access: 'person',
  }),
  page('/user/account', 'user', 'user.account', {
    areas: USER_AREAS,
    query: ['page'],
    access: 'person',
  }),
  page('/user/order', 'user', 'user.order', {
    areas: USER_AREAS,
    query: ['status', 'kind', 'page'],
    access: 'person',
  }),
  page('/user/cardpwd', 'user', 'user.cardpwd', {
    areas: USER_AREAS,
    query: ['page', 'key', 'do'],
    access: 'person',
  }),
  page('/user/collect', 'user', 'user.collect', {
    areas: USER_AREAS,
    query: ['page', 'add'],
    access: 'person',
  }),
  page('/user/notice', 'user', 'user.notice', {
    areas: USER_AREAS,
    query: ['page'],
    access: 'person',
  }),
  page('/user/link/:platform?', 'user', 'user.link', {
    areas: USER_AREAS,
    query: ['do', 'done', 'removed'],
    access: 'person',
  }),
  page('/userDetail', 'user-detail', 'account.title', {
    areas: ['form', 'user', 'account'],
    query: ['section', 'do', 'id', 'country', 'done'],
    access: 'person',
  }),
  page('/middle', 'signed-out', 'sign-in.signedOutTitle', {
    layout: 'custom-temp',
    areas: ['sign-in'],
    query: ['url'],
    access: 'anyone',
  }),
  page('/redirect', 'redirect', 'later.redirect', { layout: 'custom-temp', query: ['url'] }),
  page('/sales', 'later', 'api.footerSales'),
  page('/sales/66', 'later', 'later.festival'),
  page('/66', 'later', 'later.festival'),
  page('/check', 'check', 'api.footerCheck', {
    areas: ['form', 'order'],
    inSitemap: true,
    access: 'anyone',
  }),
  page('/feedback', 'later', 'api.footerFeedback'),
  page('/change-email', 'change-email', 'account.emailTitle', {
    layout: 'custom-temp',
    areas: EMAIL_AREAS,
    access: 'person',
  }),
  page('/change-email/verification', 'change-email', 'account.emailProveTitle', {
    layout: 'custom-temp',
    areas: EMAIL_AREAS,
    access: 'person',
  }),
  page('/change-email/change', 'change-email', 'account.emailNewTitle', {
    layout: 'custom-temp',
    areas: EMAIL_AREAS,
    access: 'person',
  }),
  page('/change-email/success', 'change-email', 'account.emailDoneTitle', {
    layout: 'custom-temp',
    areas: EMAIL_AREAS,
    access: 'person',
  }),
  page('/mobile/register', 'confirm-registration', 'sign-in.confirmTitle', {
    layout: 'custom-temp',
    areas: SIGN_IN_AREAS,
    query: ['key'],
    access: 'anyone',
  }),
  page('/mobile/resetpwd', 'reset-link', 'sign-in.resetTitle', {
    layout: 'custom-temp',
    areas: SIGN_IN_AREAS,
    query: ['key'],
    access: 'anyone',
  }),
  page('/agent/confirm', 'agent-confirm', 'agent.title', {
    layout: 'custom-temp',
    areas: ['form', 'sign-in', 'agent'],
    query: ['id'],
    access: 'person',
  }),
  page('/mobile/recoveryAccount', 'recover-account', 'sign-in.recoverTitle', {
    layout: 'custom-temp',
    areas: SIGN_IN_AREAS,
    query: ['key'],
    access: 'anyone',
  }),
  page('/loading/:platform?', 'loading', 'sign-in.loadingTitle', {
    layout: 'custom-temp',
    areas: SIGN_IN_AREAS,
    query: ['code', 'state', 'iss', 'error', 'user'],
    access: 'anyone',
  }),
  page('/order/cashier', 'cashier', 'cashier.title', {
    areas: ['cashier', 'form'],
    query: ['order'],
    access: 'person',
  }),
  page('/order/currency', 'later', 'later.orderCurrency', { query: ['order'], access: 'anyone' }),
  page('/order/pay', 'pay', 'cashier.payTitle', {
    areas: ['cashier', 'form'],
    query: ['order'],
    access: 'person',
  }),
  page('/order/detail', 'order-detail', 'order.orders', {
    areas: ['form', 'order', 'reviews', 'cardpwd'],
    query: ['order', 'do', 'key'],
    access: 'person',
  }),
] as const satisfies readonly Route[]

/** A line of the table; what is not said is as most pages have it. */
function page<const Path extends string, const Page extends string>(
  path: Path,
  folder: Page,
  title: MessageKey,
  more: Partial<Omit<Route, 'path' | 'page' | 'title'>> = {},
) {
  return {
    path,
    page: folder,
    title,
    layout: 'default',
    areas: [],
    query: [],
    ...more,
  } as const satisfies Route
}
