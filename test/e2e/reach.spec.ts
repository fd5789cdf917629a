import { LANGUAGES } from '../../src/kernel/language.ts'
import { bringToLife, expect, expectNamesAsShown, test } from './page-checks.ts'

const PATHS = [
  '/',
  '/cards',
  '/top-up/mobile-legends-global',
  '/search?keywords=steam',
  '/game/mobile-legends',
  '/news',
  '/support',
  '/reviews',
  '/no-such-page',
]

for (const { code, prefix } of LANGUAGES)
  test(`controls are called what they show (${code})`, async ({ page, misdeeds }, { project }) => {
    test.skip(project.name !== 'desktop', 'the same names on every screen')
    for (const path of PATHS) {
      await page.goto(path === '/' ? prefix || '/' : `${prefix}${path}`)
      await expectNamesAsShown(page)
    }
    // Chromium itself writes a line about a document that answers 404.
    misdeeds.consoleErrors.splice(0)
  })

test('a page has one search for what the shop sells', async ({ page }) => {
  const landmarks = page.locator('[role=search]:visible')
  for (const path of ['/', '/cards', '/search?keywords=steam']) {
    await page.goto(path)
    await expect(landmarks, path).toHaveCount(1)
  }
  await page.goto('/news')
  const names = await landmarks.evaluateAll((all) =>
    all.map((landmark) => landmark.getAttribute('aria-label')),
  )
  expect(names.every(Boolean)).toBe(true)
  expect(new Set(names).size).toBe(names.length)
})

test('who takes the last thing out of the cart by keys goes on from the heading', async ({
  page,
  context,
  baseURL,
}) => {
  await context.addCookies([{ name: 'consent', value: 'refuse', url: baseURL ?? '' }])
  await page.addInitScript(() => {
    localStorage.setItem(
      'cart',
      JSON.stringify([{ product: 'steam-us', item: 'card:steam:us:5', quantity: 2, fields: {} }]),
    )
  })
  await page.goto('/shop-cart')
  await bringToLife(page)
  const quantity = page.locator('main input[type=number]')
  await expect(quantity).toHaveAccessibleName(/Steam/)
  for (const step of ['Decrease quantity', 'Increase quantity'])
    await expect(page.getByRole('button', { name: step })).toHaveAccessibleName(/Steam/)
  await page.getByRole('button', { name: /^Remove/ }).focus()
  await page.keyboard.press('Enter')
  await expect(quantity).toHaveCount(0)
  await expect(page.locator('h1')).toBeFocused()
})
