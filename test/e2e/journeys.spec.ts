import type { Page } from '@playwright/test'
import { bringToLife, expect, test, unseenFocus } from './page-checks.ts'

test('a shopper searches with a typing error, opens the product, and puts it into the cart', async ({
  page,
}) => {
  await page.goto('/')
  await bringToLife(page)
  const input = page.locator('#header-search, #home-search').locator('visible=true').first()
  await input.fill('mobil legend')
  await input.press('Enter')
  await expect(page).toHaveURL(/\/search\?keywords=mobil(?:\+|%20)legend/)
  await page
    .getByRole('link', { name: /Mobile Legends/ })
    .first()
    .click()
  await expect(page.locator('h1')).toContainText('Mobile Legends')
})

test('a category is filtered and sorted in the address, and back returns', async ({ page }) => {
  await page.goto('/cards-category/streaming')
  await bringToLife(page)
  await page.goto('/cards-category/streaming?sort=price_desc')
  await expect(page.locator('main li a[href^="/cards/"]').first()).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/streaming$/)
})

test('links lead to the page they name, and back finds the one before as it was left', async ({
  page,
}) => {
  await page.goto('/cards')
  await bringToLife(page)
  const link = page.locator('main li a[href^="/cards/"]').last()
  // As it was when it was left: on the way there, tiles further up may still have been drawn and have moved it.
  await page.evaluate(() =>
    addEventListener('pagehide', () => sessionStorage.setItem('left', String(scrollY))),
  )
  await link.click()
  await expect(page).not.toHaveURL(/\/cards$/)
  const heading = (await page.locator('h1').textContent()) ?? ''
  await expect(page).toHaveTitle(
    new RegExp(heading.slice(0, 12).replace(/[^\p{L}\p{N} ]/gu, '.'), 'u'),
  )
  await page.goBack()
  await expect(page).toHaveURL(/\/cards$/)
  const left = Number(await page.evaluate(() => sessionStorage.getItem('left')))
  expect(left).toBeGreaterThan(1_000)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(left - 100)
})

test('a filter counts at once beside the list, its address holds nothing empty, and back unticks it', async ({
  page,
  isMobile,
}) => {
  test.skip(isMobile, 'a phone has a sheet with a button')
  await page.goto('/cards')
  await bringToLife(page)
  const box = page.locator('form[data-filters] input[type=checkbox]').first()
  const value = (await box.getAttribute('value')) ?? ''
  await box.check({ force: true })
  await expect(page).toHaveURL(new RegExp(`\\?[a-z_]+=${value}$`))
  await expect(page.locator('form[data-filters] input[type=checkbox]').first()).toBeChecked()
  await page.locator('select[name=sort]').selectOption('price_asc')
  await expect(page).toHaveURL(/sort=price_asc/)
  await page.goBack()
  await page.goBack()
  await expect(page).toHaveURL(/\/cards$/)
  await expect(page.locator('form[data-filters] input[type=checkbox]').first()).not.toBeChecked()
})

test('the consent banner is asked once', async ({ page }) => {
  await page.goto('/')
  const refuse = page.getByRole('button', { name: 'Refuse all' })
  await refuse.click()
  await expect(refuse).toBeHidden()
  await page.reload()
  await expect(refuse).toBeHidden()
  expect((await page.context().cookies()).find((cookie) => cookie.name === 'consent')?.value).toBe(
    'refuse',
  )
})

test('visits are measured once somebody has agreed to it, and not before', async ({
  page,
  browser,
  baseURL,
}) => {
  const calls = (seen: Page) => {
    const counted: string[] = []
    seen.on('request', (request) => {
      if (request.url().includes('/api/analysis/trackVisit')) counted.push(request.url())
    })
    return counted
  }
  const counted = calls(page)
  const visit = async (seen: Page) => {
    for (const path of ['/', '/cards']) {
      await seen.goto(path)
      await bringToLife(seen)
      await seen.waitForLoadState('networkidle')
    }
  }
  await page.goto('/')
  await bringToLife(page)
  await page.getByRole('button', { name: 'Refuse all' }).click()
  await visit(page)
  expect(counted).toEqual([])

  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  const other = await context.newPage()
  const agreed = calls(other)
  await other.goto('/')
  await bringToLife(other)
  expect(agreed).toEqual([])
  await other.getByRole('button', { name: 'Accept all' }).click()
  await expect.poll(() => agreed.length).toBe(1)
  await visit(other)
  expect(agreed).toHaveLength(1)
  await context.close()
})

test('the language that a browser asks for is kept', async ({ page }) => {
  const answer = await page.request.get('/', {
    headers: { 'accept-language': 'de-DE,de;q=0.9' },
    maxRedirects: 0,
  })
  expect([answer.status(), answer.headers()['location']]).toEqual([302, '/de'])
  const cookies = await page.context().cookies()
  expect(cookies.find((cookie) => cookie.name === 'i18n_redirected')?.value).toBe('de')
})

test('language and currency are chosen and kept', async ({ page }) => {
  await page.goto('/language_currency?redirect=%2Fcards')
  await page.locator('[name=language]').first().waitFor()
  await page.evaluate(() => {
    const set = (name: string, value: string) => {
      const field = document.querySelector<HTMLSelectElement | HTMLInputElement>(
        `select[name=${name}], input[name=${name}][value="${value}"]`,
      )
      if (field instanceof HTMLSelectElement) field.value = value
      else if (field) field.checked = true
    }
    set('language', 'de')
    set('currency', 'EUR')
    set('country', 'DE')
    document.querySelector<HTMLFormElement>('main form')?.requestSubmit()
  })
  await expect(page).toHaveURL(/\/de\/cards$/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(page.locator('main')).toContainText('€')
  const cookies = await page.context().cookies()
  expect(cookies.find((cookie) => cookie.name === 'i18n_redirected')?.value).toBe('de')
  expect(
    JSON.parse(
      decodeURIComponent(cookies.find((cookie) => cookie.name === 'user_selection')?.value ?? '{}'),
    ),
  ).toMatchObject({ country_code: 'DE', currency_code: 'EUR', language_code: 'de' })
  await page.goto('/')
  await expect(page).toHaveURL(/\/de$/)
})

test('the pages read without JavaScript', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' })
  const page = await context.newPage()
  for (const path of [
    '/',
    '/cards',
    '/top-up/mobile-legends-global',
    '/search?keywords=steam',
    '/ja/cards/steam-us',
  ]) {
    await page.goto(path)
    await expect(page.locator('h1')).toBeVisible()
  }
  await page.goto('/cards')
  await page.locator('main a[href^="/cards/"]').first().click()
  await expect(page.locator('h1')).toBeVisible()
  await context.close()
})

test('being offline is shown', async ({ page, context, misdeeds }) => {
  await page.goto('/cards')
  await bringToLife(page)
  await context.setOffline(true)
  await expect(page.getByText('You’re offline')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('You’re offline')).toBeHidden()
  misdeeds.consoleErrors.splice(0)
})

test('a missing chunk reloads the page once, not for ever', async ({ page, misdeeds }) => {
  await page.route(/\/assets\/shop-cart-.*\.js/, (route) => route.abort())
  let loads = 0
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) loads += 1
  })
  await page.goto('/shop-cart')
  await page.waitForTimeout(3_000)
  expect(loads).toBeGreaterThan(1)
  expect(loads).toBeLessThanOrEqual(2)
  await expect(page.locator('h1')).toBeVisible()
  misdeeds.consoleErrors.splice(0)
})

test('a cart whose scripts are lost is shown as without script, and goes on from there', async ({
  page,
  misdeeds,
}) => {
  await page.goto('/cards/steam-us')
  await page.waitForFunction(() => document.documentElement.dataset['alive'] !== undefined)
  await page.locator('button[value=add]:visible').first().click()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('cart'))).toContain('steam')
  await page.route(/\/assets\/early-.*\.js/, (route) => route.fulfill({ status: 404, body: '' }))
  await page.goto('/shop-cart')
  const line = page.locator('main li').filter({ hasText: 'Steam' })
  await expect(line).toBeVisible()
  await line.locator('input[name=quantity]').fill('3')
  await line.getByRole('button', { name: 'Update' }).click()
  await expect(line.locator('input[name=quantity]')).toHaveValue('3')
  await expect(page.getByRole('link', { name: 'Continue to checkout' })).toBeVisible()
  // Once they are there again, the cart is what it was made meanwhile.
  await page.unroute(/\/assets\/early-.*\.js/)
  await page.goto('/shop-cart')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('cart'))).toMatch(/"quantity":3/)
  misdeeds.consoleErrors.splice(0)
})

test('the keyboard alone reaches the content and the search', async ({ page, isMobile }) => {
  test.skip(isMobile, 'a keyboard belongs to a desktop')
  await page.goto('/cards')
  await page.keyboard.press('Tab')
  await expect(page.locator(':focus')).toHaveText('Skip to content')
  await page.keyboard.press('Enter')
  await expect(page.locator('#main')).toBeFocused()
  await bringToLife(page)
  await page.locator('#header-search').focus()
  await page.keyboard.type('genshn')
  await expect(page.locator('#header-search-panel a').first()).toContainText(/Genshin/i)
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('#header-search-panel a').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.locator('#header-search')).toBeFocused()
})

test('forced colours keep every control visible', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/top-up/mobile-legends-global')
  await expect(page.locator('h1')).toBeVisible()
  const hidden = await page.evaluate(
    () =>
      [...document.querySelectorAll('main button, main input, main a')].filter((element) => {
        const style = getComputedStyle(element)
        return style.visibility === 'hidden' && element.getBoundingClientRect().width > 0
      }).length,
  )
  expect(hidden).toBe(0)
})

/** The pages of different make: with a bar at the foot of a phone and without, with forms, with many links. */
for (const path of [
  '/',
  '/cards',
  '/cards/steam-us',
  '/top-up/mobile-legends-global',
  '/login',
  '/ar/cards',
])
  test(`with the cookie banner open, whoever goes by keys sees where they are: ${path}`, async ({
    page,
  }) => {
    await page.goto(path)
    await bringToLife(page)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(page.locator('form[data-consent-form] button').first()).toBeFocused()
    const unseen: string[] = []
    const search = page.locator('input[role=combobox]:focus')
    for (let stop = 0; stop < 70; stop += 1) {
      await page.keyboard.press('Tab')
      // What drops from a search is gone through as well, however long it takes to come.
      if ((await search.count()) > 0) await page.locator('[role=dialog] ol a').first().waitFor()
      // The page may still be on its way to it.
      for (let look = 0; look < 40 && (await page.evaluate(unseenFocus)) !== null; look += 1)
        await page.waitForTimeout(50)
      const name = await page.evaluate(unseenFocus)
      if (name !== null) unseen.push(name)
    }
    expect(unseen).toEqual([])
  })

test('a page left and come back to is in order: menus closed, the number at the cart true', async ({
  page,
  isMobile,
}) => {
  test.skip(isMobile, 'the header of a phone has a drawer')
  await page.goto('/cards')
  await bringToLife(page)
  await page.locator('header summary').first().click()
  await page.locator('header details[open] a').last().click()
  await page.waitForURL((url) => url.pathname !== '/cards')
  await page.evaluate(() =>
    localStorage.setItem(
      'cart',
      JSON.stringify([{ item: 'steam-us-20', product: 'steam-us', quantity: 2, fields: {} }]),
    ),
  )
  await page.goBack()
  await expect(page.locator('header details[open]')).toHaveCount(0)
  await expect(page.locator('header [data-cart]')).toHaveAccessibleName('Cart: 2')
})

test('public pages may be kept by the browser as they are left, and nothing in them stands against it', async ({
  page,
  request,
}) => {
  for (const path of ['/', '/cards', '/top-up/mobile-legends-global', '/game']) {
    const { 'cache-control': control } = (await request.get(path)).headers()
    expect(control, path).not.toContain('no-store')
  }
  await page.addInitScript(() => {
    const add = EventTarget.prototype.addEventListener
    const heard: string[] = []
    Object.assign(window, { heard })
    EventTarget.prototype.addEventListener = function (
      this: EventTarget,
      ...[kind, ...rest]: Parameters<typeof add>
    ) {
      heard.push(kind)
      return add.call(this, kind, ...rest)
    } as typeof add
  })
  await page.goto('/top-up/mobile-legends-global')
  await bringToLife(page)
  const heard = await page.evaluate(() => (window as unknown as { heard: string[] }).heard)
  expect(heard).toContain('pageshow')
  expect(heard.filter((kind) => /^(?:before)?unload$/.test(kind))).toEqual([])
})
