import { dataDirectory, NO_OPERATOR, sql } from '../buying/operator.ts'
import { expect, expectAccessible, test } from '../page-checks.ts'
import { openConsole } from './console.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

test('looks for a person from the palette: the address says not whom, and going back finds them again', async ({
  page,
  isMobile,
}) => {
  test.skip(isMobile, 'has no keys')
  const sought = 'nobody-at-all@mail.example'
  await openConsole(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type(sought)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/console\/orders\?found=[\w-]+$/)
  expect(page.url()).not.toContain('nobody')
  await expect(page.locator('main').getByText(sought)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Audit' }).first().click()
  await expect(page).toHaveURL(/\/console\/audit$/)
  await page.goBack()
  await expect(page.locator('main').getByText(sought)).toBeVisible()
  const told = await sql(
    `select count(*)::text as count from audit_log where action = 'orders_sought' and after::text like '%nobody%'`,
  )
  expect(JSON.stringify(told)).toContain('0')
})
