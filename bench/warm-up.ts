import { LANGUAGE_CODES } from '#kernel/language.ts'
import { ask } from './load/record.ts'
import type { WebProcess } from './processes.ts'
import { currencyCookie, type ShopFacts } from './shop.ts'

const HUBS = ['/cards', '/top-up', '/game', '/search?keywords=steam']
const PAGES_A_LANGUAGE = 30
const AT_ONCE = 8

/** Some hundred pages by visitors of every language and many currencies. Returns how many were visited; throws on any failure. */
export async function visitPages(
  web: WebProcess,
  { productPaths, currencies }: ShopFacts,
): Promise<number> {
  const visits = LANGUAGE_CODES.flatMap((language, at) => {
    const own = productPaths.filter((_, place) => place % LANGUAGE_CODES.length === at)
    return [...HUBS, ...own].slice(0, PAGES_A_LANGUAGE).map((path, place) => ({
      target: `${language === 'en' ? '' : `/${language}`}${path}`,
      currency: currencies[(at * 7 + place) % currencies.length] ?? 'USD',
    }))
  })
  for (let at = 0; at < visits.length; at += AT_ONCE) {
    await Promise.all(
      visits
        .slice(at, at + AT_ONCE)
        .map(({ target, currency }) =>
          ask(web.port, target, { 'accept-encoding': 'br', cookie: currencyCookie(currency) }),
        ),
    )
  }
  return visits.length
}
