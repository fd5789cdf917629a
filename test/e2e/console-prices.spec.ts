import type { Page } from '@playwright/test'
import { dataDirectory, NO_OPERATOR, sql } from './buying/operator.ts'
import { colleague, consoleOf, examined } from './console/console.ts'
import { expect, skipOffScreen, test } from './page-checks.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

const BRAND = 'mobile-legends'
const SHOP_PAGE = '/top-up/mobile-legends-global'
const ITEM = 'game:mobile-legends:global:78-plus-8'

/** What the shop says an item costs, and its steps. */
async function whyPage(desk: Page, item: string, currency = 'USD'): Promise<string> {
  await desk.goto(`/console/prices/why?item=${encodeURIComponent(item)}&currency=${currency}`)
  await expect(desk.getByText('Shown in the shop')).toBeVisible()
  return (await desk.locator('.moved').textContent()) ?? ''
}

const DONE = 'Done. The shop shows it within seconds.'
const DONE_OR_CHANGED = /Done\. The shop|This changed while/

const panel = (desk: Page, heading: string | RegExp) =>
  desk.locator('section', { has: desk.getByRole('heading', { name: heading, level: 2 }) }).last()

test('a margin rule is tried on the whole catalogue, made, seen in the shop, and taken back', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  skipOffScreen(isMobile, 'desktop')
  await sql(`update item set cost_minor = 100, cost_currency = 'USD' where code = $1`, [ITEM])
  await sql(
    `update supplier_offer set cost_minor = 100, cost_currency = 'USD' where item = (select id from item where code = $1)`,
    [ITEM],
  )
  const desk = await consoleOf(browser, baseURL, '/prices')
  await examined(desk)
  await desk.getByRole('button', { name: 'New rule' }).click()
  const form = panel(desk, 'New rule')
  await form.getByLabel('Brand').fill(BRAND)
  await form.getByLabel('Margin in %').fill('2000')
  await expect(form.getByText('A share from 0 to 1000')).toBeVisible()
  await form.getByLabel('Margin in %').fill('137')
  await form.getByRole('button', { name: 'Show the effect' }).click()
  await expect(form.getByText('Items with another price')).toBeVisible()
  await examined(desk)
  expect(
    await sql(`select 1 from margin_rule where brand = $1 and valid_until is null`, [BRAND]),
  ).toEqual([])
  // Whatever else moves prices meanwhile, as other journeys do, is told, and looked at anew.
  await expect(async () => {
    await form.getByRole('button', { name: 'Show the effect' }).click()
    await form.getByRole('button', { name: 'Apply' }).click()
    await expect(form.getByText(DONE_OR_CHANGED)).toBeVisible()
    await expect(form.getByText(DONE)).toBeVisible({ timeout: 1_000 })
  }).toPass()

  const other = await consoleOf(browser, baseURL, '/prices/why')
  expect(await whyPage(other, ITEM)).toBe('$2.37')
  await expect(other.getByRole('link', { name: 'Margin' })).toBeVisible()
  await examined(other)
  await expect(async () => {
    await page.goto(SHOP_PAGE)
    await expect(page.getByText('$2.37').first()).toBeVisible({ timeout: 1_000 })
  }).toPass()

  await form.getByRole('button', { name: 'Take it back' }).click()
  await expect(form.getByText('Taken back: prices are as they were.')).toBeVisible()
  expect(await whyPage(other, ITEM)).not.toBe('$2.37')
})

test('a change beyond what one person may waits for a second one, and is in force once approved', async ({
  browser,
  baseURL,
  isMobile,
}, { project }) => {
  skipOffScreen(isMobile, 'desktop')
  const person = await colleague('catalogue')
  const desk = await consoleOf(browser, baseURL, '/prices?view=own', person)
  const before = await whyPage(desk, ITEM, 'EUR')
  await desk.goto('/console/prices?view=own')
  const fields = desk.locator('section', { has: desk.getByLabel('Price', { exact: true }) }).first()
  await fields.getByLabel('Item', { exact: true }).fill(ITEM)
  await fields.getByLabel('Currency').selectOption('EUR')
  await fields.getByLabel('Price', { exact: true }).fill(project.name === 'phone' ? '0.12' : '0.11')
  await fields.getByRole('button', { name: 'Show the effect' }).click()
  await expect(fields.getByText('A second person must approve it.')).toBeVisible()
  await fields.getByRole('button', { name: 'Request approval' }).click()
  await expect(fields.getByText(/waits for another person/)).toBeVisible()
  expect(await whyPage(desk, ITEM, 'EUR')).toBe(before)

  const owner = await consoleOf(browser, baseURL, '/approvals')
  const request = owner.locator('section', { hasText: `own ${ITEM} EUR` })
  await expect(request.getByText('Items with another price')).toBeVisible()
  await examined(owner)
  await request.getByRole('button', { name: /^Approve/ }).click()
  await expect(request).toHaveCount(0)
  expect(await whyPage(desk, ITEM, 'EUR')).toContain(project.name === 'phone' ? '0.12' : '0.11')
  await sql(`update item set own_prices = own_prices - 'EUR' where code = $1`, [ITEM])
})

test('rates, rounding, levels and own prices stand by themselves, and fit a phone', async ({
  browser,
  baseURL,
}) => {
  const desk = await consoleOf(browser, baseURL, '/prices?view=rates&currency=EUR')
  await expect(desk.getByRole('heading', { name: /Earlier rates/ })).toBeVisible()
  await examined(desk)
  for (const view of ['rounding', 'levels', 'own']) {
    await desk.goto(`/console/prices?view=${view}`)
    await expect(desk.getByRole('button', { name: 'Show the effect' }).first()).toBeVisible()
    await examined(desk)
  }
  await desk.goto('/console/prices/why?item=mobile-legends&currency=USD')
  await expect(desk.getByText('The shop has no such item')).toBeVisible()
  await examined(desk)
})
