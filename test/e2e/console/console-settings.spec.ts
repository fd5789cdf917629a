import { dataDirectory, NO_OPERATOR, sql } from '../buying/operator.ts'
import { expect, test } from '../page-checks.ts'
import { colleagueWho, consoleOf, examined, openConsole } from './console.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

/** Ends as the shop's own does, since other journeys read it meanwhile. */
const NAME = 'Corner · Lukado'
const ONCE = 'changes what a journey in another window would change at the same time'

test('the name of the shop is changed, seen in the shop, and taken back', async ({
  page,
  isMobile,
}) => {
  test.skip(isMobile, ONCE)
  await openConsole(page, '/settings')
  await examined(page)
  await page.getByLabel('Search settings').fill('Name of the shop')
  const name = page.locator('[id="shop.name"]')
  await name.getByRole('textbox').fill(NAME)
  const form = page.locator('form', { has: name })
  await expect(form.locator('.fx')).toContainText(NAME)
  await expect(form.locator('.fx')).toContainText('Pages, emails and receipts show it')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('Saved. The shop uses it')).toBeVisible()
  const says = (isThere: boolean) =>
    expect
      .poll(async () => (await (await page.request.get('/')).text()).includes(NAME))
      .toBe(isThere)
  await says(true)
  await name.getByText('Earlier values').click()
  await name.getByRole('button', { name: 'Take back' }).first().click()
  await form.getByRole('button', { name: 'Save' }).click()
  await says(false)
})

test('a bad value is kept at its field', async ({ page }) => {
  await openConsole(page, '/settings')
  await page.getByLabel('Search settings').fill('Support address')
  const field = page.locator('[id="shop.support_email"]')
  await field.getByRole('textbox').fill('nobody')
  await expect(field.getByRole('alert')).toHaveText(/email address like/)
  await page.locator('form', { has: field }).getByRole('button', { name: 'Save' }).click()
  await expect(field.getByRole('alert')).toHaveText(/email address like/)
  await expect(field.getByRole('textbox')).toHaveValue('nobody')
  await examined(page)
})

test('a second person’s edit is kept, and told to the first', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  test.skip(isMobile, ONCE)
  await openConsole(page, '/settings')
  await page.getByLabel('Search settings').fill('Copyright')
  const mine = page.locator('[id="shop.copyright"]')
  await mine.getByRole('textbox').fill('© Mine')
  const other = await consoleOf(
    browser,
    baseURL,
    '/settings',
    await colleagueWho('shopkeeping', ['shop.manage']),
  )
  const theirs = other.locator('[id="shop.copyright"]')
  await theirs.getByRole('textbox').fill('© Theirs')
  await other.locator('form', { has: theirs }).getByRole('button', { name: 'Save' }).click()
  await expect(other.getByText('Saved. The shop uses it')).toBeVisible()
  await page.locator('form', { has: mine }).getByRole('button', { name: 'Save' }).click()
  await expect(mine.getByText('It is now:')).toContainText('© Theirs')
  await expect(mine.getByRole('textbox')).toHaveValue('© Mine')
  await mine.getByRole('button', { name: 'Use theirs' }).click()
  await expect(mine.getByRole('textbox')).toHaveValue('© Theirs')
  await other.context().close()
})

test('a text of the shop is changed in Thai, seen in the shop, and taken back', async ({
  page,
  isMobile,
}) => {
  test.skip(isMobile, ONCE)
  await openConsole(page, '/settings/texts?language=th&q=shell.cart')
  await examined(page)
  const form = page.locator('[id="shell.cart"]')
  await form.getByRole('textbox').fill('{gap}')
  await expect(form.getByRole('alert')).toBeVisible()
  await form.getByRole('textbox').fill('ถุงของเรา')
  await expect(form.locator('.fx')).toContainText('ถุงของเรา')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('Saved. The shop uses it')).toBeVisible()
  const has = (isThere: boolean) =>
    expect
      .poll(async () => (await (await page.request.get('/th')).text()).includes('ถุงของเรา'))
      .toBe(isThere)
  await has(true)
  await form.getByRole('button', { name: 'Use the original' }).click()
  await has(false)
})

test('a file of settings is looked at before it is taken in', async ({ page }) => {
  await openConsole(page, '/settings/file')
  await examined(page)
  const file = (text: string) => ({
    name: 'settings.json',
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  })
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles(file('{"format": "lukado-settings/1",\n"settings": {"colour": 1}}'))
  await expect(page.locator('.fx')).toContainText('Line 2:')
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles(file('{"format": "lukado-settings/1", "settings": {"low_stock_days": 9}}'))
  await expect(page.locator('.fx')).toContainText('low_stock_days')
  await expect(page.getByRole('button', { name: 'Import these settings' })).toBeVisible()
})

test('the shop tells what is open before it is ready', async ({ page }) => {
  await openConsole(page, '/setup')
  await examined(page)
  await expect(page.getByRole('progressbar')).toBeVisible()
  await expect(page.locator('#https')).toContainText('The address has no https')
  await page.getByLabel('Send to').fill('owner@corner.example')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('Sending to owner@corner.example.')).toBeVisible()
})

test('settings stand right to left in Arabic', async ({ page }) => {
  const reader = await colleagueWho('shopkeeping', ['shop.manage'])
  await sql(`update operator set language = 'ar' where name = $1`, [reader.name])
  await openConsole(page, '/settings', reader)
  for (const path of ['/settings', '/settings/texts?language=en&q=cart', '/setup']) {
    await page.goto(`/console${path}`)
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await examined(page)
  }
})
