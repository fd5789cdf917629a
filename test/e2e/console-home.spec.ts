import { dataDirectory, NO_OPERATOR } from './buying/operator.ts'
import { buyOverWire, cards, newBuyer } from './buying/purchase.ts'
import { consoleOf, examined, openConsole } from './console/console.ts'
import { expect, test } from './page-checks.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

/** Figures are added up each minute. */
const ADDED_UP_MS = 90_000

test('a sale stands in the figures of home within the minute, in the chart, its table and the breakdown', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(4 * ADDED_UP_MS)
  const desk = await consoleOf(browser, baseURL, '/?period=today&show=orders&by=method')
  const paidOrders = async () => {
    await desk.goto('/console?period=today&show=orders&by=method')
    const value = desk.locator('.figs [aria-current] .v')
    return (await value.count()) === 0 ? 0 : Number((await value.textContent())?.replace(',', ''))
  }
  const before = await paidOrders()
  const shopper = await newBuyer(page, baseURL ?? '')
  await buyOverWire(shopper, cards())
  await expect.poll(paidOrders, { timeout: ADDED_UP_MS }).toBeGreaterThan(before)

  const chart = desk.locator('.plot')
  await expect(chart).toHaveAttribute('role', 'slider')
  await chart.focus()
  await desk.keyboard.press('Home')
  await expect(chart).toHaveAttribute('aria-valuenow', '0')
  await desk.keyboard.press('ArrowRight')
  await expect(chart).toHaveAttribute('aria-valuetext', /^01:00, This period: /)
  await desk.locator('.plot ~ .astable summary').click()
  await expect(desk.getByRole('row', { name: /^00:00/ })).toBeVisible()
  await expect(desk.getByRole('region', { name: 'Method' }).getByRole('link').first()).toBeVisible()

  await desk.getByRole('link', { name: '7 days' }).click()
  await expect(desk).toHaveURL(/period=7&show=orders&by=method#figures$/)
  await expect(desk.getByText('per day')).toBeVisible()
  await desk.getByRole('link', { name: 'Brand' }).click()
  await expect(desk.getByRole('region', { name: 'Brand' })).toBeVisible()
  await desk.context().close()
})

test('home with its figures is accessible and fits every screen, whatever is shown', async ({
  page,
  misdeeds,
}) => {
  await openConsole(page, '/')
  for (const choice of [
    'period=today&show=sales&by=currency',
    'period=7&show=margin&by=country',
    'period=30&show=time&by=supplier',
    'period=year&show=paid&by=brand',
    'period=never&show=nothing&by=nobody',
  ]) {
    await page.goto(`/console?${choice}`)
    await expect(page.locator('h1')).toHaveCount(1)
    for (const summary of await page.locator('.astable > summary').all()) await summary.click()
    await expect(page.getByRole('main')).not.toContainText('cashier.')
    await examined(page)
  }
  expect(misdeeds.consoleErrors).toEqual([])
})
