import { dataDirectory, NO_OPERATOR, sql } from '../buying/operator.ts'
import { buyOverWire, cards, newBuyer } from '../buying/purchase.ts'
import { ASKED_AS_NOBODY, bringToLife, expect, skipOffScreen, test } from '../page-checks.ts'
import { consoleOf, examined } from './console.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

test('a customer is found, given credit, frozen and released', async ({
  page,
  browser,
  baseURL,
  misdeeds,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '')
  const desk = await consoleOf(browser, baseURL, '/customers')
  await examined(desk)
  await desk.getByRole('searchbox', { name: /Find by email/ }).fill(shopper.email.slice(0, -3))
  await desk.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(desk.getByRole('heading', { name: 'Found: 1' })).toBeVisible()
  // What was looked for is in no address.
  expect(desk.url()).not.toContain(shopper.userName)
  await desk.getByRole('link', { name: shopper.userName }).click()
  await expect(desk.getByRole('heading', { level: 1 })).toContainText(shopper.userName)
  await examined(desk)

  await desk.getByLabel('Amount').fill('12.50')
  await desk.getByLabel('Currency').selectOption('USD')
  await desk.getByLabel('Reason').fill('Waited a day.')
  await desk.getByRole('button', { name: 'Give $12.50' }).click()
  await expect(desk.getByText('The credit is there.')).toBeVisible()
  await expect(desk.locator('.figs')).toContainText('$12.50')
  await examined(desk)

  await desk.getByLabel('Note for colleagues').fill('Writes in German.')
  await desk.getByRole('button', { name: 'Add note' }).click()
  await expect(desk.locator('.story')).toContainText('Writes in German.')

  await desk.getByRole('button', { name: 'Freeze…' }).click()
  await desk.getByLabel('Reason').last().fill('Two disputes.')
  await desk.getByRole('button', { name: 'Freeze account' }).click()
  await expect(desk.getByRole('heading', { level: 1 })).toContainText('Frozen')
  // Their page asks once more who they are, and is told nobody.
  misdeeds.expected.push(ASKED_AS_NOBODY)
  await shopper.open('/user/account')
  await expect(page).toHaveURL(/\/login/)
  await examined(desk)

  await desk.getByRole('button', { name: 'Release…' }).click()
  await desk.getByLabel('Reason').last().fill('Sorted out.')
  await desk.getByRole('button', { name: 'Release account' }).click()
  await expect(desk.getByRole('heading', { level: 1 })).toContainText('Active')
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
  const desk = await consoleOf(browser, baseURL, '/templates')
  // What is typed before the page is alive is not in its form yet.
  await expect(async () => {
    await desk.getByLabel('Name').last().fill(name)
    await desk.getByLabel('Text').last().fill('We are sorry. Another key is yours.')
    await desk.getByRole('button', { name: 'Save' }).last().click()
    await expect(desk.locator('summary', { hasText: name }).first()).toBeVisible({
      timeout: 5_000,
    })
  }).toPass()
  await examined(desk)

  const [row] = await sql(
    `select c.public_id from service_case c join shop_order o on o.id = c.order_id where o.number = $1`,
    [placed.number],
  )
  await desk.goto('/console/cases?view=faulty')
  await examined(desk)
  await desk.goto(`/console/cases/${String(row?.['public_id'])}`)
  await expect(desk.getByText('It says that somebody has used it.')).toBeVisible()
  await expect(desk.getByText('The customer has looked at the code.')).toBeVisible()
  await desk.getByRole('button', { name: 'Take it', exact: true }).click()
  await expect(desk.getByRole('button', { name: 'Give it back' })).toBeVisible()
  await desk.getByLabel('Template').selectOption({ label: name })
  await expect(desk.getByLabel('Answer to the customer')).toHaveValue(/Another key is yours/)
  await examined(desk)
  await desk.getByRole('button', { name: 'Send another key', exact: true }).click()
  await expect(desk.getByRole('heading', { level: 1 })).toContainText('Agreed')
  await examined(desk)

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
  const desk = await consoleOf(browser, baseURL, '/reviews')
  const review = desk.locator('section', { hasText: text })
  await examined(desk)
  await review.getByLabel('Answer from the shop').fill('We are sorry, and faster now.')
  await review.getByRole('button', { name: 'Save' }).click()
  await expect(review).toHaveCount(0)
  await desk.goto('/console/reviews?view=all')
  await expect(review.getByLabel('Answer from the shop')).toHaveValue(/faster now/)
  await review.getByText('Answer from the shop').first().click()
  await review.getByRole('button', { name: 'Hide' }).click()
  await expect(review.getByRole('button', { name: 'Publish' })).toBeVisible()
})
