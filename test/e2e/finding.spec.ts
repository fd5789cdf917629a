import { expect, test } from './page-checks.ts'

test('search in the header finds every kind, a product once with its regions', async ({ page }) => {
  await page.goto('/cards')
  const input = page.locator('#header-search')
  await input.click()
  const panel = page.locator('#header-search-panel')
  await expect(panel).toBeVisible()
  await page.keyboard.type('steam')
  await expect(panel.locator('a[href^="/cards/steam-"]').first()).toBeVisible()
  // The name, and regions beside it: no second line of the same name.
  await expect(panel.getByRole('link', { name: 'Steam Wallet Code', exact: true })).toHaveCount(1)
  await input.fill('telkomsel')
  await expect(panel.locator('a[href^="/mobile-recharge/"]').first()).toBeVisible()
})

test('the page of results groups as the panel does, and its landmarks have names of their own', async ({
  page,
}) => {
  await page.goto('/search?keywords=steam')
  await expect(page.getByRole('link', { name: 'Steam Wallet Code', exact: true })).toHaveCount(1)
  await page.goto('/')
  const names = await page
    .locator('[role=search]')
    .evaluateAll((forms) => forms.map((form) => form.getAttribute('aria-label')))
  expect(names).toHaveLength(2)
  expect(new Set(names).size).toBe(2)
})

test('a game is one panel: a region is an address, and the amount goes on to the product', async ({
  page,
}) => {
  await page.goto('/game/mobile-legends')
  await expect(page.locator('main img[width="240"][src*="mobile-legends"]')).toHaveCount(1)
  const regions = page.getByRole('navigation', { name: 'Choose your account’s region' })
  const other = regions.locator('a:not([aria-current])').first()
  const name = (await other.textContent()) ?? ''
  await other.click()
  await expect(page).toHaveURL(/\/game\/mobile-legends\?product=[a-z0-9-]+#offer$/)
  await expect(regions.locator('a[aria-current]')).toHaveText(name)
  const chosen = await page.locator('#offer input[name=item]:checked').getAttribute('value')
  await page.locator('#offer button[type=submit]').click()
  await expect(page).toHaveURL(/\/top-up\/mobile-legends-/)
  await expect(page.locator(`input[name=item][value="${chosen}"]`)).toBeChecked()
})

test('a number leads straight to the plans of its operator, and goes on being typed', async ({
  page,
}) => {
  await page.goto('/mobile-recharge/airtime?country=ID')
  const field = page.locator('#recharge-number')
  await field.click()
  await page.keyboard.type('081234564410', { delay: 30 })
  await expect(page.getByRole('heading', { name: 'Recharge Telkomsel' })).toBeVisible()
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('081234564410')
  await expect(page.locator('main input[name=item]:checked')).toHaveCount(1)
})

test('no country of the home page stands there with an empty dialling code', async ({ page }) => {
  await page.goto('/')
  const options = await page.locator('#recharge-country option').allTextContents()
  expect(options.length).toBeGreaterThan(10)
  expect(options.filter((text) => text.includes('()'))).toEqual([])
})

test('a menu of the header fits a low window', async ({ page, isMobile }) => {
  test.skip(isMobile, 'the header of a phone has a drawer')
  await page.setViewportSize({ width: 1440, height: 600 })
  await page.goto('/cards')
  for (const menu of await page.locator('header nav summary').all()) {
    await menu.click()
    const sheet = page.locator('header details[open] > div')
    const box = await sheet.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(600)
    await page.keyboard.press('Escape')
  }
})

test('the drawer has who is signed in, what is theirs, and language and currency', async ({
  page,
  isMobile,
}) => {
  test.skip(!isMobile, 'the menu of a desktop is in the header')
  await page.goto('/cards')
  await page.locator('header button').first().click()
  const drawer = page.locator('nav[popover]')
  await expect(drawer.getByRole('link', { name: 'Sign in' })).toBeVisible()
  await expect(drawer.getByRole('link', { name: 'Favourites' })).toBeVisible()
  await expect(drawer.getByRole('link', { name: /Language and currency/ })).toBeInViewport()
  // The filters and the order are in one line.
  await page.keyboard.press('Escape')
  const filter = await page.getByRole('button', { name: /^Filters/ }).boundingBox()
  const sort = await page.locator('select[name=sort]').boundingBox()
  expect(Math.abs((filter?.y ?? 0) - (sort?.y ?? 99))).toBeLessThan(12)
})
