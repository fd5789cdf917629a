import type { Browser, Page } from '@playwright/test'
import { dataDirectory, NO_OPERATOR, sql } from '../buying/operator.ts'
import { buyOverWire, cards, newBuyer } from '../buying/purchase.ts'
import {
  bringToLife,
  expect,
  expectAccessible,
  expectNoOverflow,
  skipOffScreen,
  test,
} from '../page-checks.ts'
import { openConsole } from './console.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

/** The console as the demo's owner sees it, in a browser of their own. */
async function desk(browser: Browser, baseURL: string, path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL, locale: 'en-US' })
  const page = await context.newPage()
  await openConsole(page, path)
  return page
}

async function examined(page: Page): Promise<void> {
  await expectAccessible(page)
  await expectNoOverflow(page)
}

test('a customer is found, given credit, frozen and released', async ({
  page,
  browser,
  baseURL,
  misdeeds,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '')
  const console_ = await desk(browser, baseURL ?? '', '/customers')
  await examined(console_)
  await console_.getByRole('searchbox', { name: /Find by email/ }).fill(shopper.email.slice(0, -3))
  await console_.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(console_.getByRole('heading', { name: 'Found: 1' })).toBeVisible()
  // What was looked for is in no address.
  expect(console_.url()).not.toContain(shopper.userName)
  await console_.getByRole('link', { name: shopper.userName }).click()
  await expect(console_.getByRole('heading', { level: 1 })).toContainText(shopper.userName)
  await examined(console_)

  await console_.getByLabel('Amount').fill('12.50')
  await console_.getByLabel('Currency').selectOption('USD')
  await console_.getByLabel('Reason').fill('Waited a day.')
  await console_.getByRole('button', { name: 'Give $12.50' }).click()
  await expect(console_.getByText('The credit is there.')).toBeVisible()
  await expect(console_.locator('.figs')).toContainText('$12.50')
  await examined(console_)

  await console_.getByLabel('Note for colleagues').fill('Writes in German.')
  await console_.getByRole('button', { name: 'Add note' }).click()
  await expect(console_.locator('.story')).toContainText('Writes in German.')

  await console_.getByRole('button', { name: 'Freeze…' }).click()
  await console_.getByLabel('Reason').last().fill('Two disputes.')
  await console_.getByRole('button', { name: 'Freeze account' }).click()
  await expect(console_.getByRole('heading', { level: 1 })).toContainText('Frozen')
  await shopper.open('/user/account')
  await expect(page).toHaveURL(/\/login/)
  // Their page asks once more who they are, and is told nobody.
  misdeeds.consoleErrors.length = 0
  await examined(console_)

  await console_.getByRole('button', { name: 'Release…' }).click()
  await console_.getByLabel('Reason').last().fill('Sorted out.')
  await console_.getByRole('button', { name: 'Release account' }).click()
  await expect(console_.getByRole('heading', { level: 1 })).toContainText('Active')
})

test('a faulty key that a customer reports is answered by another one, in words of a template', async ({
  page,
  browser,
  baseURL,
  isMobile,
}, { project }) => {
  skipOffScreen(isMobile, 'desktop')
  const shopper = await newBuyer(page, baseURL ?? '')
  const { t } = shopper
  const placed = await buyOverWire(shopper, cards())
  await shopper.open('/user/cardpwd')
  await page.getByRole('button', { name: t('cardpwd.reveal') }).click()
  const before = (await page.locator('dd bdi.mono').first().textContent()) ?? ''
  await page.getByRole('link', { name: t('cardpwd.report') }).click()
  await expect(page.locator('textarea')).toBeVisible()
  await bringToLife(page)
  await page.locator('textarea').fill('It says that somebody has used it.')
  await shopper.press(t('cardpwd.reportSend'))
  await expect(page.getByText(t('cardpwd.reportDone'))).toBeVisible()

  const name = `Replaced ${project.name}`
  const console_ = await desk(browser, baseURL ?? '', '/templates')
  // What is typed before the page is alive is not in its form yet.
  await expect(async () => {
    await console_.getByLabel('Name').last().fill(name)
    await console_.getByLabel('Text').last().fill('We are sorry. Another key is yours.')
    await console_.getByRole('button', { name: 'Save' }).last().click()
    await expect(console_.locator('summary', { hasText: name }).first()).toBeVisible({
      timeout: 5_000,
    })
  }).toPass()
  await examined(console_)

  const [row] = await sql(
    `select c.public_id from service_case c join shop_order o on o.id = c.order_id where o.number = $1`,
    [placed.number],
  )
  await console_.goto('/console/cases?view=faulty')
  await examined(console_)
  await console_.goto(`/console/cases/${String(row?.['public_id'])}`)
  await expect(console_.getByText('It says that somebody has used it.')).toBeVisible()
  await expect(console_.getByText('The customer has looked at the code.')).toBeVisible()
  await console_.getByRole('button', { name: 'Take it', exact: true }).click()
  await expect(console_.getByRole('button', { name: 'Give it back' })).toBeVisible()
  await console_.getByLabel('Template').selectOption({ label: name })
  await expect(console_.getByLabel('Answer to the customer')).toHaveValue(/Another key is yours/)
  await examined(console_)
  await console_.getByRole('button', { name: 'Send another key', exact: true }).click()
  await expect(console_.getByRole('heading', { level: 1 })).toContainText('Agreed')
  await examined(console_)

  await shopper.open('/user/cardpwd')
  await page.getByRole('button', { name: t('cardpwd.reveal') }).click()
  await expect(page.locator('dd bdi.mono').first()).not.toHaveText(before)
})

test('what buyers wrote is hidden and answered', async ({ browser, baseURL }, { project }) => {
  const id = project.name === 'phone' ? 980_002 : 980_001
  const text = `Slow, said on ${project.name}.`
  await sql(
    `insert into review (id, brand, language, rating, text, nickname, published_at, source) select $1, code, 'en', 2, $2, 'A***a', now(), 'shopper' from brand limit 1`,
    [id, text],
  )
  const console_ = await desk(browser, baseURL ?? '', '/reviews')
  const review = console_.locator('section', { hasText: text })
  await examined(console_)
  await review.getByLabel('Answer from the shop').fill('We are sorry, and faster now.')
  await review.getByRole('button', { name: 'Save' }).click()
  await expect(review).toHaveCount(0)
  await console_.goto('/console/reviews?view=all')
  await expect(review.getByLabel('Answer from the shop')).toHaveValue(/faster now/)
  await review.getByText('Answer from the shop').first().click()
  await review.getByRole('button', { name: 'Hide' }).click()
  await expect(review.getByRole('button', { name: 'Publish' })).toBeVisible()
})
