import type { Page } from '@playwright/test'
import { dataDirectory, NO_OPERATOR, sql } from '../buying/operator.ts'
import { expect, skipOffScreen, test } from '../page-checks.ts'
import { colleague, consoleOf, examined } from './console.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

/** A product of its own for each project, so that none looks at what another changes. @returns its items' codes */
async function ownProduct(project: string, count = 3): Promise<readonly string[]> {
  const brand = `grid-${project}`
  await sql(
    `insert into brand (code, kind, type, name, delivery, status, source) values ($1::text, 'gift_card', 1, $2::text, 'card_key', 'active', 'catalogue:grid') on conflict do nothing`,
    [brand, `Grid ${project}`],
  )
  await sql(
    `insert into product (code, brand, region, position, status, source) select $1::text, $1::text, code, 0, 'active', 'catalogue:grid' from region order by position limit 1 on conflict do nothing`,
    [brand],
  )
  await sql(
    `insert into item (id, code, product, kind, name, price_minor, price_currency, cost_minor, cost_currency, stock, position, source, updated_at)
      select uuidv7(), 'card:' || $1::text || ':all:' || n, $1::text, 'edition', 'Edition ' || n, 1000 + n, 'USD', 900, 'USD', 5, n, 'catalogue:grid', now() from generate_series(1, $2::integer) as n on conflict do nothing`,
    [brand, count],
  )
  return Array.from({ length: count }, (_, at) => `card:${brand}:all:${at + 1}`)
}

const priceCell = (page: Page, n: number) =>
  page.getByRole('textbox', { name: `Price of Edition ${n}`, exact: true })

const priceIn = async (code: string) =>
  (await sql('select price_minor::text as minor from item where code = $1', [code]))[0]?.['minor']

test('a price changed in the list is in the shop, and is taken back', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  const codes = await ownProduct(isMobile ? 'phone' : 'desk')
  const brand = isMobile ? 'grid-phone' : 'grid-desk'
  const desk = await consoleOf(browser, baseURL, `/products?brand=${brand}`)
  await examined(desk)
  await priceCell(desk, 1).fill('12,34')
  await priceCell(desk, 1).press('Enter')
  await expect(desk.getByText('What will happen')).toBeVisible()
  await expect(desk.locator('.fx').getByText('$12.34')).toBeVisible()
  await examined(desk)
  await desk.getByRole('button', { name: 'Save changes: 1' }).click()
  await expect(desk.getByText('Changes saved: 1')).toBeVisible()
  const saved = Date.now()
  await expect
    .poll(
      async () => (await (await page.request.get(`/cards/${brand}`)).text()).includes('12.34'),
      { intervals: [100] },
    )
    .toBe(true)
  test
    .info()
    .annotations.push({ type: 'in the shop after ms', description: String(Date.now() - saved) })
  expect(await priceIn(codes[0] ?? '')).toBe('1234')
  await desk.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await desk.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => priceIn(codes[0] ?? '')).toBe('1001')
  await expect(priceCell(desk, 1)).toHaveValue('10.01')
})

test('what somebody else has changed meanwhile is told, and stays', async ({
  browser,
  baseURL,
  isMobile,
}) => {
  skipOffScreen(isMobile, 'desktop')
  const codes = await ownProduct('two')
  const other = await colleague('catalogue')
  const mine = await consoleOf(browser, baseURL, '/products?brand=grid-two')
  const theirs = await consoleOf(browser, baseURL, '/products?brand=grid-two', other)
  await priceCell(mine, 1).fill('11.00')
  await priceCell(mine, 2).fill('12.00')
  await priceCell(mine, 2).press('Tab')
  await expect(mine.getByRole('button', { name: 'Save changes: 2' })).toBeEnabled()
  await priceCell(theirs, 1).fill('10.50')
  await priceCell(theirs, 1).press('Tab')
  await theirs.getByRole('button', { name: 'Save changes: 1' }).click()
  await expect(theirs.getByText('Changes saved: 1')).toBeVisible()
  await mine.getByRole('button', { name: 'Save changes: 2' }).click()
  await expect(mine.getByText('Changed by someone else:')).toBeVisible()
  expect(await priceIn(codes[0] ?? '')).toBe('1050')
  await mine.getByRole('button', { name: 'Save changes without errors' }).click()
  await expect.poll(() => priceIn(codes[1] ?? '')).toBe('1200')
  expect(await priceIn(codes[0] ?? '')).toBe('1050')
})

test('a hundred goods are priced by a table from a spreadsheet, faults told by line', async ({
  browser,
  baseURL,
  isMobile,
}) => {
  skipOffScreen(isMobile, 'desktop')
  const codes = await ownProduct('hundred', 100)
  const desk = await consoleOf(browser, baseURL, '/products?brand=grid-hundred')
  await desk.locator('summary', { hasText: 'Paste a table' }).click()
  const lines = codes.map((code, at) => `${code}\t1.0${String(at).padStart(2, '0')},50`)
  await desk
    .getByRole('textbox', { name: 'Paste a table' })
    .fill(['code\tprice', ...lines, `${codes[0] ?? ''}x\t5`, `${codes[1] ?? ''}\t=A1`].join('\n'))
  await desk.getByRole('button', { name: 'Read the table' }).click()
  await expect(desk.getByText('Values read: 100')).toBeVisible()
  await expect(desk.getByText('Line 102, column 1')).toBeVisible()
  await expect(desk.getByText('Line 103, column 2')).toBeVisible()
  await desk.getByRole('button', { name: 'Save changes: 100' }).click()
  await expect(desk.getByText('Changes saved: 100')).toBeVisible()
  expect(await priceIn(codes[99] ?? '')).toBe('109950')
})

test('what a filter matches is changed by one rule, told before', async ({
  browser,
  baseURL,
  isMobile,
}) => {
  skipOffScreen(isMobile, 'desktop')
  const codes = await ownProduct('bulk', 60)
  const desk = await consoleOf(browser, baseURL, '/products?brand=grid-bulk')
  await desk.getByRole('checkbox', { name: 'Select all of Grid bulk' }).check()
  await desk.getByLabel('All that match the list’s filters').check()
  await desk.getByLabel('Percent', { exact: true }).fill('10')
  await expect(desk.getByText('+10%').first()).toBeVisible()
  await desk.getByRole('button', { name: 'Change items: 60' }).click()
  await expect(desk.getByText('Changes saved: 60')).toBeVisible()
  expect(await priceIn(codes[59] ?? '')).toBe('1166')
})
