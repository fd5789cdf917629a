import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { bringToLife, expect, test } from './page-checks.ts'

const CART_KEY = 'cart'

/** Buttons of the panel on a desktop, of the bar at the foot of a phone. */
function addToCart(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true }).locator('visible=true').first()
}

function kept(
  page: Page,
): Promise<{ item: string; quantity: number; fields: Record<string, string> }[]> {
  return page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? '[]') as never, CART_KEY)
}

const LANGUAGES = [
  { language: 'en', prefix: '', dir: 'ltr' },
  { language: 'ar', prefix: '/ar', dir: 'rtl' },
] as const

// The banner would lie over what is pressed.
test.beforeEach(({ context, baseURL }) =>
  context.addCookies([{ name: 'consent', value: 'refuse', url: baseURL ?? '' }]),
)

function words(language: string): Record<string, string> {
  return JSON.parse(
    readFileSync(new URL(`../../locales/${language}/product.json`, import.meta.url), 'utf8'),
  ) as Record<string, string>
}

for (const { language, prefix, dir } of LANGUAGES) {
  test(`an amount is chosen, the account checked, and it is in the cart (${language})`, async ({
    page,
  }) => {
    await page.goto(`${prefix}/top-up/mobile-legends-global`)
    await bringToLife(page)
    const texts = words(language)
    const add = texts['product.addToCart'] ?? ''
    const toasts = page.getByRole('alert')
    const chosen = page.locator('input[name=item]:checked')
    await expect(chosen).toHaveCount(1)
    await chosen.focus()
    await page.keyboard.press('ArrowDown')
    await expect(chosen).toBeFocused()
    const price = await page.locator('label', { has: chosen }).locator('bdi').last().textContent()
    await expect(page.locator('aside dl > div').last()).toContainText(price ?? '?')

    await addToCart(page, add).click()
    await expect(toasts.filter({ hasText: texts['product.completeFields'] ?? '' })).toBeVisible()
    const userId = page.locator('[data-field=user_id]')
    await expect(userId).toBeFocused()
    await expect(userId).toHaveAttribute('aria-invalid', 'true')
    await expect(userId).toHaveAttribute('dir', 'ltr')
    await expect(page.locator('html')).toHaveAttribute('dir', dir)

    await userId.fill('12ab')
    await userId.blur()
    await expect(page.locator('#field-user_id-note')).toHaveAttribute('role', 'alert')
    // Digits of another keyboard, with the spaces of the game.
    await userId.fill('１２８ ８４４ ５０９')
    await expect(userId).not.toHaveAttribute('aria-invalid')
    await page.locator('[data-field=zone_id]').fill('2204')
    await addToCart(page, add).click()
    await expect(toasts).toHaveCount(0)
    // Once its supplier knows the player.
    await expect
      .poll(() => kept(page))
      .toMatchObject([{ quantity: 1, fields: { user_id: '128844509', zone_id: '2204' } }])
    await expect(page.locator(`header a[href="${prefix}/shop-cart"]`).first()).toContainText('1')
  })
}

test('a change of the region keeps the account that was typed, and back finds the amount', async ({
  page,
}) => {
  await page.goto('/top-up/mobile-legends-global')
  await bringToLife(page)
  await page.locator('[data-field=user_id]').fill('128844509')
  await page.locator('input[name=item]').nth(2).check({ force: true })
  const region = page.getByRole('button', { name: /^Region of your account/ })
  await region.click()
  await page.getByRole('link', { name: 'Indonesia', exact: true }).click()
  await expect(page).toHaveURL(/mobile-legends-id$/)
  await expect(region).toContainText('Indonesia')
  await expect(page.locator('[data-field=user_id]')).toHaveValue('128844509')
  await expect(page.locator('input[name=item]').nth(2)).not.toBeChecked()
  await page.goBack()
  await expect(page).toHaveURL(/mobile-legends-global$/)
  await expect(page.locator('input[name=item]').nth(2)).toBeChecked()
})

test('a press from before the application is alive counts, and the quantity stays within its bounds', async ({
  page,
}) => {
  await page.goto('/cards/steam-us')
  await page.locator('input[name=item]').nth(1).check({ force: true })
  await addToCart(page, 'Add to cart').click()
  await expect.poll(() => kept(page)).toMatchObject([{ quantity: 1 }])
  const quantity = page.getByRole('spinbutton')
  const most = (await quantity.getAttribute('max')) ?? ''
  for (const [typed, read] of [
    ['0', '1'],
    ['1000', most],
    ['', '1'],
  ] as const) {
    await quantity.fill(typed)
    await quantity.blur()
    await expect(quantity).toHaveValue(read)
  }
})

test('the cart keeps its lines, counts with the keyboard, and follows another tab', async ({
  page,
  context,
}) => {
  await page.goto('/cards/steam-us')
  await bringToLife(page)
  await page.locator('input[name=item]').nth(1).check({ force: true })
  await page.locator('button[value=buyNow]').locator('visible=true').click()
  await expect(page).toHaveURL(/\/shop-cart$/)
  const quantity = page.getByRole('spinbutton')
  await quantity.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('3')
  await expect(quantity).toBeFocused()
  await expect(quantity).toHaveValue('3')
  await expect(page.locator('aside dl > div').last()).toContainText('$30.00')
  const most = (await quantity.getAttribute('max')) ?? ''
  await quantity.fill('1000')
  await quantity.blur()
  await expect(quantity).toHaveValue(most)

  const other = await context.newPage()
  await other.goto('/shop-cart')
  await expect(other.getByRole('spinbutton')).toHaveValue(most)
  await other.getByRole('button', { name: /^Remove/ }).click()
  await expect(page.locator('main').getByRole('link', { name: 'Game top-ups' })).toBeVisible()
  expect(await kept(page)).toEqual([])
})

test('there is one pay button in sight', async ({ page }) => {
  for (const path of [
    '/cards/steam-us',
    '/mobile-recharge/airtime?country=IN&operator=in-airtel',
  ]) {
    await page.goto(path)
    const yellow = await page.evaluate(() => {
      const probe = document.createElement('i')
      probe.style.color = 'var(--tag)'
      document.body.append(probe)
      const money = getComputedStyle(probe).color
      return [...document.querySelectorAll('main a, main button')].filter(
        (element) =>
          element.checkVisibility() && getComputedStyle(element).backgroundColor === money,
      ).length
    })
    expect(yellow, path).toBe(1)
  }
})

test('of amounts sold at face value the chosen one says its price, in yellow, and the others that they are', async ({
  page,
}) => {
  await page.goto('/cards/steam-us')
  const tiles = page.locator('label:has(input[name=item]:enabled)')
  const chosen = tiles.filter({ has: page.locator(':checked') })
  const other = tiles.filter({ hasNot: page.locator(':checked') }).first()
  await expect(chosen.getByText('face value')).toBeHidden()
  await expect(chosen.locator('bdi').last()).toHaveText(/^\$[\d,.]+$/)
  await expect(chosen.locator('bdi').last()).toBeVisible()
  await expect(other.getByText('face value')).toBeVisible()
  await expect(other.locator('bdi').last()).toBeHidden()
})

test('the look is applied at once and kept', async ({ page }) => {
  await page.goto('/language_currency')
  await bringToLife(page)
  await page.getByRole('radio', { name: 'Dark' }).check({ force: true })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.goto('/news')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.goto('/language_currency')
  await bringToLife(page)
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  await page.getByRole('radio', { name: 'Use device setting' }).check({ force: true })
  await expect(page.locator('html')).not.toHaveAttribute('data-theme')
  expect((await page.context().cookies()).some(({ name }) => name === 'theme')).toBe(false)
})

test('a visitor who buys what is in the cart already buys it once', async ({ page, isMobile }) => {
  test.skip(isMobile, 'the same for every screen')
  const buy = page.locator('button[form=buy][value=buyNow]:visible')
  for (const _ of ['first', 'again']) {
    await page.goto('/cards/steam-us')
    await bringToLife(page)
    await buy.click()
    await expect(page).toHaveURL(/\/shop-cart$/)
    await expect(page.locator('main h1')).toHaveText('Cart 1')
  }
  await expect(page.locator('header [data-cart]')).toHaveAccessibleName('Cart: 1')
})

test('what is to be seen comes before what is to be answered: React begins after the first frame', async ({
  page,
}) => {
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (document.documentElement?.dataset['alive'] === undefined) return
      observer.disconnect()
      Object.assign(window, { aliveAt: performance.now() })
    }).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-alive'] })
  })
  for (const path of ['/top-up/mobile-legends-global', '/mobile-recharge']) {
    await page.goto(path)
    await page.waitForFunction(() => 'aliveAt' in window)
    const { painted, alive } = await page.evaluate(() => ({
      painted: performance.getEntriesByName('first-paint')[0]?.startTime ?? Infinity,
      alive: (window as unknown as { aliveAt: number }).aliveAt,
    }))
    expect(painted, path).toBeLessThan(alive)
    // The scripts leave the line to the styles and the cover.
    for (const link of await page.locator('link[rel=modulepreload]').all())
      await expect(link).toHaveAttribute('fetchpriority', 'low')
  }
})
