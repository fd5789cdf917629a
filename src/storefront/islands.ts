/**
 * Pages whose main part is HTML alone: nothing in it is brought to life, and none of its data is sent beside it. What they let
 * people do works by links, forms and the few listeners of `browser/entry.ts`. All others come alive as one island, but for those
 * that name islands of their own (`PageView.islands`).
 */
export const STILL_PAGES: ReadonlySet<string> = new Set([
  'about-us',
  'article',
  'contact-us',
  'game',
  'game-list',
  'goods-list',
  'home',
  'later',
  'news-article',
  'news-list',
  'not-found',
  'pay-type',
  'redirect',
  'reviews',
  'support',
  'support-answer',
])

/** Comes alive whole, and does without the list of all other pages that do (`browser/page-list.ts`). */
export const FIRST_PAGE = 'recharge'

/** How the main part of a page comes alive. */
export type Liveliness = 'still' | 'islands' | 'whole'

/** Pages with islands of their own in the main part. */
const PAGES_WITH_ISLANDS: ReadonlySet<string> = new Set(['product'])

export function livelinessOf(page: string): Liveliness {
  if (STILL_PAGES.has(page)) return 'still'
  return PAGES_WITH_ISLANDS.has(page) ? 'islands' : 'whole'
}

/** Where in a page something comes alive: `data-island` on an element that stands there anyway. */
export type IslandName = 'main' | 'search' | 'account' | 'toasts' | ProductIsland
export type ProductIsland = 'amounts' | 'account-fields' | 'summary' | 'bar' | 'favourite'

/** Attributes of an island's element. */
export function island(name: IslandName): { readonly 'data-island': IslandName } {
  return { 'data-island': name }
}
