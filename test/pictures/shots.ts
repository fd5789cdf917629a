import type { Page } from '@playwright/test'
import { TOP_UP } from '../e2e/buying/purchase.ts'

export interface Shot {
  readonly name: string
  readonly path: string
  readonly who: 'visitor' | 'buyer'
  /** What is done on the page before it is looked at; a refusal of the page is told and does not end the run. */
  readonly act?: (page: Page) => Promise<unknown>
  /** What of it is on the screen, and not the whole page: a panel that lies over it. */
  readonly isScreen?: true
}

const visitor = (name: string, path: string, act?: Shot['act']): Shot => ({
  name,
  path,
  who: 'visitor',
  ...(act ? { act } : {}),
})
const buyer = (name: string, path: string, act?: Shot['act']): Shot => ({
  name,
  path,
  who: 'buyer',
  ...(act ? { act } : {}),
})
const overlay = (shot: Shot): Shot => ({ ...shot, isScreen: true })

const PAUSE_MS = 900

async function submitForm(page: Page): Promise<void> {
  await page.locator('main form button[type=submit]:visible').last().click()
  await page.waitForTimeout(PAUSE_MS * 2)
}

/** Every page of the design review, and the states that change how it looks. */
export function shotsOf(orders: Readonly<Record<string, string>>, key: string): readonly Shot[] {
  return [
    ...choosing(),
    ...reading(),
    ...comingIn(),
    ...cartAndCashier(orders),
    ...Object.entries(orders).map(([name, order]) =>
      buyer(`order-${name}`, `/order/detail?order=${order}`),
    ),
    buyer('order-problem', `/order/detail?order=${orders['delivered']}&do=problem`),
    buyer('order-key', `/order/detail?order=${orders['delivered']}&key=${key}`),
    ...account(key),
  ]
}

function choosing(): readonly Shot[] {
  return [
    visitor('home', '/'),
    overlay(visitor('home-menu', '/', openMenu)),
    overlay(
      visitor('search-panel', '/cards', async (page) => {
        await page.locator('#header-search').pressSequentially('steam')
        return page.waitForTimeout(PAUSE_MS)
      }),
    ),
    visitor('search', '/search?keywords=steam'),
    visitor('search-none', '/search?keywords=qqqqzz'),
    visitor('cards', '/cards'),
    visitor('cards-filtered', '/cards?region=us&in_stock=1&sort=price_asc'),
    visitor('cards-none', '/cards?price_min=99999'),
    visitor('top-up-list', '/top-up'),
    visitor('product-list', '/product'),
    visitor('game-list', '/game'),
    visitor('game', '/game/mobile-legends'),
    visitor('top-up', TOP_UP.path),
    visitor('top-up-named', TOP_UP.path, namePlayer),
    visitor('top-up-missing', TOP_UP.path, (page) =>
      page.locator('main button[type=submit]:visible').last().click(),
    ),
    visitor('card', '/cards/steam-us'),
    visitor('key', '/product/key-elden-ring-global'),
    visitor('recharge', '/mobile-recharge'),
    visitor('recharge-detected', '/mobile-recharge', async (page) => {
      await page.locator('#recharge-number').fill('+234 803 123 4567')
      await page.waitForURL(/operator=/)
      await page.waitForTimeout(PAUSE_MS)
    }),
    visitor('recharge-operator', '/mobile-recharge/airtime?country=IN&operator=in-airtel'),
    visitor('recharge-data', '/mobile-recharge/data-packets?country=IN&operator=in-airtel'),
    visitor('reviews', '/reviews'),
    visitor('reviews-product', '/reviews/steam'),
  ]
}

async function openMenu(page: Page): Promise<void> {
  await page.locator('header summary:visible, header button[popovertarget]:visible').first().click()
  await page.waitForTimeout(PAUSE_MS)
}

async function namePlayer(page: Page): Promise<void> {
  await page.locator('#field-user_id').fill(TOP_UP.fields.user_id)
  await page.locator('#field-zone_id').fill(TOP_UP.fields.zone_id)
  await page.locator('#field-zone_id').press('Tab')
  await page.waitForTimeout(PAUSE_MS * 2)
}

function reading(): readonly Shot[] {
  return [
    visitor('news', '/news'),
    visitor('article', '/news/how-direct-charge-works'),
    visitor('support', '/support'),
    visitor('support-search', '/support/search?keywords=refund'),
    visitor('answer', '/support/details?code=how-to-order'),
    visitor('terms', '/article/terms-of-use'),
    visitor('partnership', '/partnership'),
    visitor('about', '/about-us'),
    visitor('contact', '/contact-us'),
    visitor('pay-types', '/pay-type'),
    visitor('feedback', '/feedback'),
    visitor('sales', '/sales'),
    visitor('language', '/language_currency'),
    visitor('not-found', '/no-such-page'),
    visitor('check', '/check'),
    visitor('check-wrong', '/check', submitForm),
  ]
}

function comingIn(): readonly Shot[] {
  return [
    visitor('login', '/login'),
    visitor('login-wrong', '/login', (page) =>
      page.locator('main form button[type=submit]:visible').first().click(),
    ),
    visitor('register', '/register'),
    visitor('recover', '/mobile/recoveryAccount'),
    visitor('reset', '/reset-password'),
    visitor('reset-expired', '/mobile/resetpwd?key=j3kqTt0Yb1nq4p8T2cVx9sKd3LwAj3kqTt0Yb1nq4p8'),
  ]
}

function cartAndCashier(orders: Readonly<Record<string, string>>): readonly Shot[] {
  return [
    visitor('cart-empty', '/shop-cart'),
    buyer('cart', '/shop-cart'),
    buyer('cashier', `/order/cashier?order=${orders['unpaid']}`),
    buyer('cashier-missing', `/order/cashier?order=${orders['unpaid']}`, submitForm),
    buyer('pay', `/order/pay?order=${orders['unpaid']}`),
    buyer('pay-waiting', `/order/pay?order=${orders['waiting']}`),
    buyer('pay-failed', `/order/pay?order=${orders['failed']}`),
  ]
}

function account(key: string): readonly Shot[] {
  return [
    overlay(buyer('drawer', '/cards', openMenu)),
    buyer('user', '/user'),
    buyer('orders', '/user/order'),
    buyer('orders-none', '/user/order?status=after-sales&kind=direct'),
    buyer('codes', '/user/cardpwd'),
    buyer('codes-export', '/user/cardpwd?do=export'),
    buyer('code-report', `/user/cardpwd?key=${key}&do=report`),
    buyer('transactions', '/user/account'),
    buyer('favourites', '/user/collect?add=steam-us'),
    buyer('notices', '/user/notice'),
    buyer('links', '/user/link'),
    buyer('profile', '/userDetail'),
    buyer('security', '/userDetail?section=security'),
    buyer('devices', '/userDetail?section=devices'),
    buyer('addresses', '/userDetail?section=addresses&do=new'),
    buyer('players', '/userDetail?section=players'),
    buyer('data', '/userDetail?section=data'),
    buyer('change-email', '/change-email'),
  ]
}
