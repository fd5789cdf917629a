import { dataDirectory, NO_OPERATOR, sql, workNow } from './buying/operator.ts'
import { buyOverWire, CARD, cards, newBuyer } from './buying/purchase.ts'
import { consoleOf, examined, openConsole } from './console/console.ts'
import { expect, test } from './page-checks.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

/** What a whole shop says of itself is set by one journey at a time. */
const ONCE = 'what it sets is the shop’s, for all journeys'

const SELLER = {
  name: 'Example Trading Ltd',
  address: ['1 High Street', 'Dublin D01 AB12'],
  tax_id: 'IE1234567A',
}

test('a class and a rate are set with their effect before, and a wrong one keeps what was typed', async ({
  page,
  misdeeds,
  isMobile,
}) => {
  await openConsole(page, '/money?view=tax')
  await expect(page.getByRole('heading', { name: 'Tax classes' })).toBeVisible()
  await examined(page)
  test.skip(isMobile, ONCE)
  const form = page.locator('form').filter({ hasText: 'Set a tax class' })
  await form.getByLabel('Product code').fill('no-such-product')
  await form.getByRole('button', { name: 'Save class' }).click()
  await expect(form.getByRole('alert').first()).toBeVisible()
  await expect(form.getByLabel('Product code')).toHaveValue('no-such-product')
  await form.getByLabel('Product code').fill(CARD.product)
  await form.getByLabel('Class').selectOption('multi_purpose')
  await expect(form.locator('.fx')).toContainText('Products: 1.')
  await form.getByRole('button', { name: 'Save class' }).click()
  const row = page.getByRole('row').filter({ hasText: CARD.product })
  await expect(row).toContainText('Multi-purpose voucher')

  const rates = page.locator('form').filter({ hasText: 'Add a tax rate' })
  await rates.getByLabel('Country').selectOption('DE')
  await rates.getByLabel('Rate in %').fill('much')
  await rates.getByRole('button', { name: 'Save rate' }).click()
  await expect(rates.getByRole('alert')).toBeVisible()
  await rates.getByLabel('Rate in %').fill('19.5')
  await expect(rates.locator('.fx')).toContainText('19.5% tax')
  await rates.getByRole('button', { name: 'Save rate' }).click()
  await expect(
    page.getByRole('row').filter({ hasText: 'Germany' }).filter({ hasText: '19.5%' }).first(),
  ).toContainText('In force')
  await form.getByLabel('Product code').fill(CARD.product)
  await form.getByLabel('Class').selectOption('unset')
  await form.getByRole('button', { name: 'Save class' }).click()
  await expect(row).toHaveCount(0)
  // What was refused is no fault of the page.
  for (const error of misdeeds.consoleErrors.splice(0)) expect(error).toContain('422')
})

test('a paid order has an invoice, for its buyer and for the team', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  test.skip(isMobile, ONCE)
  await sql(`insert into setting (key, value) values ('invoice', $1)`, [JSON.stringify(SELLER)])
  try {
    const shopper = await newBuyer(page, baseURL ?? '')
    const placed = await buyOverWire(shopper, cards())
    await workNow('book_taxes')
    await expect
      .poll(
        async () =>
          (
            await sql(
              `select 1 from sales_invoice i join shop_order o on o.id = i.order_id where o.number = $1`,
              [placed.number],
            )
          ).length,
      )
      .toBe(1)
    await shopper.open(`/order/detail?order=${placed.order}`)
    const link = page.getByRole('link', { name: /^Invoice INV-\d{4}-\d{6} \(PDF\)$/ })
    const file = await page.request.get((await link.getAttribute('href')) ?? '')
    expect((await file.body()).subarray(0, 5).toString()).toBe('%PDF-')

    const desk = await consoleOf(browser, baseURL, `/orders/${placed.number}`)
    const taken = desk.waitForEvent('download')
    await desk.getByRole('link', { name: /^Invoice INV-/ }).click()
    expect((await taken).suggestedFilename()).toMatch(/^INV-\d{4}-\d{6}\.pdf$/)
    await desk.goto('/console/money?view=tax')
    await expect(desk.locator('main')).toContainText('Example Trading Ltd')
    await desk.context().close()
  } finally {
    await sql(`delete from setting where key = 'invoice'`)
  }
})

test('a workbook of orders is asked for, made and taken', async ({ page }) => {
  await openConsole(page, '/exports')
  await page.getByLabel('What').selectOption('units')
  await page.getByLabel('Format').selectOption('xlsx')
  await page.getByRole('button', { name: 'Make the file' }).click()
  const made = page.locator('li').filter({ hasText: 'Units' }).filter({ hasText: 'XLSX' }).first()
  await expect(made).toContainText('Done', { timeout: 60_000 })
  const taken = page.waitForEvent('download')
  await made.getByRole('link', { name: 'Download' }).click()
  expect((await taken).suggestedFilename()).toMatch(/^units-.+\.xlsx$/)
  await examined(page)
})
