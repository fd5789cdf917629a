import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { translatorOf } from '#platform/i18n/messages.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { ROOMS } from './later/rooms.ts'
import { ROUTES } from './routes.ts'
import { matchRoute } from './server/match.ts'

/** Every address of the shop, with an example for each parameter. */
const ADDRESSES = [
  '/',
  '/66',
  '/about-us',
  '/cards',
  '/change-email',
  '/check',
  '/contact-us',
  '/feedback',
  '/game',
  '/language_currency',
  '/login',
  '/middle',
  '/mobile-recharge',
  '/news',
  '/partnership',
  '/pay-type',
  '/redirect',
  '/register',
  '/reset-password',
  '/sales',
  '/search',
  '/shop-cart',
  '/support',
  '/top-up',
  '/userDetail',
  '/user',
  '/user/account',
  '/user/cardpwd',
  '/user/collect',
  '/user/notice',
  '/user/order',
  '/user/link',
  '/user/link/google',
  '/article/legal-provisions',
  '/article/privacy-policy',
  '/article/sales-terms',
  '/article/terms-of-use',
  '/change-email/change',
  '/change-email/success',
  '/change-email/verification',
  '/login/bind',
  '/mobile/recoveryAccount',
  '/mobile/register',
  '/mobile/resetpwd',
  '/news/search',
  '/order/cashier',
  '/order/currency',
  '/order/detail',
  '/order/pay',
  '/sales/66',
  '/support/details',
  '/support/search',
  '/card/platform',
  '/card/platform/pc',
  '/game/platform',
  '/game/platform/pc',
  '/cards-category/x',
  '/cards/x',
  '/game-category/x',
  '/game/x',
  '/loading',
  '/loading/google',
  '/mobile-recharge/airtime',
  '/news-category/x',
  '/news/x',
  '/product',
  '/product/x',
  '/reviews',
  '/reviews/x',
  '/top-up-category',
  '/top-up-category/x',
  '/top-up/x',
]

test.each(ADDRESSES)('%s has a page', (address) => {
  const match = matchRoute(address)
  expect(match).not.toBeNull()
  const folder = join(PROJECT_ROOT, 'src', 'storefront', match?.route.page ?? '')
  expect(existsSync(join(folder, 'load.ts')) && existsSync(join(folder, 'page.tsx'))).toBe(true)
})

test('fixed addresses win over codes', () => {
  expect(matchRoute('/news/search')?.route.path).toBe('/news/search')
  expect(matchRoute('/news/anything')?.params).toEqual({ code: 'anything' })
})

test.each([
  '/unknown',
  '/user/unknown',
  '/order',
  '/article',
  '/news/a/b',
  '/cards/a/b',
  '/loading/a/b',
  '/USER',
])('%s has none', (address) => {
  expect(matchRoute(address)).toBeNull()
})

test('docs/routes.md lists every route, and no other', () => {
  const [pages = ''] = readFileSync(join(PROJECT_ROOT, 'docs', 'routes.md'), 'utf8').split('\n## ')
  const listed = pages.matchAll(/^\| `(\/[^`]*)` \|/gm)
  expect([...listed].map(([, path]) => path).sort()).toEqual(
    ROUTES.map((route) => route.path.replaceAll(/:(\w+)(\??)/g, '{$1$2}')).sort(),
  )
})

describe('first versions', () => {
  const t = translatorOf('en')

  test('say each their own', () => {
    const texts = Object.entries(ROOMS)
      .filter(([, room]) => room.canonical === undefined)
      .map(([, room]) => t(room.text))
    expect(new Set(texts).size).toBe(texts.length)
  })

  test('lead on to pages of the shop', () => {
    for (const { path } of Object.values(ROOMS).flatMap((room) => room.links))
      expect(matchRoute(path)).not.toBeNull()
  })
})
