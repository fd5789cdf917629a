import type { PageView } from '../page.ts'

/** The pages that come alive whole; the still ones (`islands.ts`) are not even built. */
export const pages = import.meta.glob<PageView<never>>([
  '../*/page.tsx',
  '!../{about-us,article,contact-us,game,game-list,goods-list,home,later,news-article,news-list,not-found,pay-type,product,recharge,redirect,reviews,support,support-answer}/page.tsx',
])
