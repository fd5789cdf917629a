import { dataDirectory, NO_OPERATOR } from '../buying/operator.ts'
import { expect, expectAccessible, expectNoOverflow, test } from '../page-checks.ts'
import { openConsole } from './console.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

/** Pages that need nothing but the demo shop. */
const PAGES = [
  '',
  '/orders?view=all',
  '/by-hand',
  '/cases',
  '/reviews?view=all',
  '/templates',
  '/customers',
  '/keys',
  '/money',
  '/money?view=methods',
  '/money?view=tax',
  '/money?view=ledger',
  '/suppliers',
  '/suppliers?view=rule',
  '/suppliers/hook',
  '/suppliers/hook?view=catalogue',
  '/suppliers/hook?view=routing',
  '/suppliers/hook?view=books',
  '/exports',
  '/approvals',
  '/people',
  '/audit',
  '/selling',
  '/webhooks',
  '/tokens',
  '/me',
  '/settings',
  '/settings/look',
  '/settings/texts',
  '/settings/file',
  '/setup',
  '/system',
] as const

test('every page fits 320 pixels, and letters of twice the size', async ({ page, isMobile }) => {
  test.skip(isMobile, 'sets its own width')
  await openConsole(page)
  for (const path of PAGES) {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto(`/console${path}`)
    await expect(page.locator('h1')).toHaveCount(1)
    await expectNoOverflow(page)
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    await expectNoOverflow(page)
  }
})

test('what is done with a row is at hand on a phone too', async ({ page, isMobile }) => {
  test.skip(!isMobile, 'is about the narrow screen')
  await openConsole(page, '/people')
  await page.getByRole('button', { name: 'Change demo' }).click()
  await expect(page.getByRole('combobox', { name: 'Role' })).toBeVisible()
  await expectAccessible(page)
})

test('keys lead to manual delivery and payments, and the rail says where one is', async ({
  page,
  isMobile,
}) => {
  test.skip(isMobile, 'has no keys')
  await openConsole(page)
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(page).toHaveURL(/\/console\/by-hand$/)
  await expect(page.locator('h1')).toHaveText('Manual delivery')
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await expect(page).toHaveURL(/\/console\/money$/)
  await page.goto('/console/reviews')
  await expect(page.locator('.con-nav [aria-current]')).toHaveText(/^Cases/)
})

test('the sign-in stands in the middle of the screen', async ({ page }) => {
  await page.goto('/console/sign-in')
  const box = await page.locator('.gate-box').boundingBox()
  const width = page.viewportSize()?.width ?? 0
  expect(box?.width).toBeGreaterThan(300)
  expect(Math.abs((box?.x ?? 0) * 2 + (box?.width ?? 0) - width)).toBeLessThan(2)
  await expectAccessible(page)
})
