import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { dataDirectory, NO_OPERATOR, sql } from '../buying/operator.ts'
import { expect, skipOffScreen, test } from '../page-checks.ts'
import { colleagueWho, consoleOf, examined } from './console.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

const statusOf = async (table: 'product' | 'item', code: string) =>
  (await sql(`select status from ${table} where code = $1`, [code]))[0]?.['status']

const nameOf = (project: string, what: string) => `${what} ${project} ${process.pid}`

test('a product is made by hand, told what is wrong at its place, put on sale, and is in the shop', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  const name = nameOf(isMobile ? 'phone' : 'desk', 'Sunrise Card')
  const brand = name.toLowerCase().replaceAll(' ', '-')
  const desk = await consoleOf(browser, baseURL, '/products')
  await desk.getByRole('link', { name: 'Add a product' }).click()
  await desk.getByRole('heading', { name: 'Add a product', level: 1 }).waitFor()
  await examined(desk)
  await desk.getByLabel('Name, in English').fill(name)
  await expect(desk.getByLabel('Web address')).toHaveValue(brand)
  await desk.getByLabel('Region').selectOption('us')
  await desk.getByLabel('Value (USD)').fill('10')
  await desk.getByLabel('Price (USD)').fill('0')
  await desk.getByLabel('Stock').fill('4')
  await desk.getByRole('button', { name: 'Check', exact: true }).click()
  await expect(desk.getByLabel('Price (USD)')).toHaveAttribute('aria-invalid', 'true')
  await examined(desk)
  await desk.getByLabel('Price (USD)').fill('9,50')
  await desk.getByRole('button', { name: 'Check', exact: true }).click()
  await expect(desk.getByText('New items: 1')).toBeVisible()
  expect(await statusOf('product', `${brand}-us`)).toBeUndefined()
  await desk.getByRole('button', { name: 'Add as a draft' }).click()
  await expect(desk.getByRole('heading', { name: 'Added as a draft' })).toBeVisible()
  expect(await statusOf('product', `${brand}-us`)).toBe('suspended')
  await examined(desk)
  await desk.getByRole('button', { name: 'Put on sale' }).click()
  await expect(desk.getByRole('heading', { name: 'On sale now' })).toBeVisible()
  await expect
    .poll(async () => (await (await page.request.get(`/cards/${brand}-us`)).text()).includes(name))
    .toBe(true)
  await desk.close()
})

test('items are added to a product that is there, and a code that is taken is told', async ({
  browser,
  baseURL,
  isMobile,
}) => {
  const product = (
    await sql(
      `select p.code from product p join item i on i.product = p.code join brand b on b.code = p.brand
        where b.kind = 'gift_card' and i.code like 'card:%:10' and p.face_currency is not null and i.status = 'active'
        order by p.code ${isMobile ? 'desc' : 'asc'} limit 1`,
    )
  )[0]?.['code'] as string
  const desk = await consoleOf(browser, baseURL, `/products/new?product=${product}`)
  const name = nameOf(isMobile ? 'phone' : 'desk', 'Season')
  await desk.getByLabel('Kind').selectOption('bundle')
  await desk.getByLabel('Name, where it has one').fill(name)
  await desk.getByLabel(/^Price/).fill('3')
  await desk.getByLabel('Put on sale at once').check()
  await desk.getByRole('button', { name: 'Check', exact: true }).click()
  await desk.getByRole('button', { name: 'Add and put on sale' }).click()
  await expect(desk.getByRole('heading', { name: 'On sale now' })).toBeVisible()
  const made = (await sql('select code, status from item where name = $1', [name]))[0]
  expect(made?.['status']).toBe('active')
  await desk.getByRole('button', { name: 'Undo' }).click()
  await desk.locator('.fx, .panel').getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(() => statusOf('item', String(made?.['code']))).toBe('suspended')
  await desk.close()
})

async function sendTable(desk: Page, text: string, name: string) {
  await desk.getByLabel('File', { exact: true }).setInputFiles({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  })
  await desk.getByRole('button', { name: 'Check the file' }).click()
  await expect(desk.getByRole('heading', { name })).toBeVisible()
}

test('a table is looked through, told by line, and imported while its page is closed', async ({
  browser,
  baseURL,
  isMobile,
}) => {
  const project = isMobile ? 'phone' : 'desk'
  const brand = `table-${project}-${process.pid}`
  const lines = Array.from(
    { length: 100 },
    (_, no) =>
      `card:${brand}:us:${no + 1};${brand};Table ${project};gift_card;card_key;us;USD;value;${no + 1};${no + 1},50`,
  )
  const head = 'code;brand;brand_name;brand_kind;delivery;region;currency;kind;face;price'
  const desk = await consoleOf(browser, baseURL, '/products/files')
  await examined(desk)
  await desk.getByLabel('Decimals').selectOption(',')
  await sendTable(
    desk,
    `${head}\n${lines.join('\n')}\ncard:${brand}:us:x;${brand};;;;us;USD;value;5;=B2*2`,
    `${brand}.csv`,
  )
  await expect(desk.getByText('New items: 100')).toBeVisible()
  await expect(desk.getByText('Line 102')).toBeVisible()
  await examined(desk)
  await desk.getByRole('button', { name: 'Import the rest' }).click()
  await expect(desk.getByRole('button', { name: 'Import the rest' })).toHaveCount(0)
  await desk.close()
  await expect
    .poll(
      async () =>
        (
          await sql('select count(*)::integer as count from item where product = $1', [
            `${brand}-us`,
          ])
        )[0]?.['count'],
    )
    .toBe(100)
  const again = await consoleOf(browser, baseURL, '/products/files')
  await again.getByRole('link', { name: `${brand}.csv` }).click()
  await expect(again.getByText('New items: 100')).toBeVisible()
  await again.close()
})

test('what is no table is told, and a colleague without the power sees no form', async ({
  browser,
  baseURL,
  isMobile,
}) => {
  skipOffScreen(isMobile, 'desktop')
  const desk = await consoleOf(browser, baseURL, '/products/files')
  await sendTable(desk, 'PK\u0003\u0004', 'prices.xlsx')
  await expect(desk.getByText('This is not a table we can read.').first()).toBeVisible()
  await desk.close()
  const reader = await colleagueWho('goods-reader', ['product.read'])
  const other = await consoleOf(browser, baseURL, '/products/files', reader)
  await expect(other.getByRole('button', { name: 'Check the file' })).toHaveCount(0)
  await expect(other.getByRole('button', { name: 'Items as CSV' })).toHaveCount(0)
  await other.close()
})

test('all items leave as a table', async ({ browser, baseURL, isMobile }) => {
  skipOffScreen(isMobile, 'desktop')
  const desk = await consoleOf(browser, baseURL, '/products/files')
  await desk.getByRole('button', { name: 'Items as CSV' }).click()
  const link = desk.getByRole('link', { name: 'Download' }).first()
  await expect(link).toBeVisible()
  const [download] = await Promise.all([desk.waitForEvent('download'), link.click()])
  const text = await readFile(await download.path(), 'utf8')
  expect(text.split('\r\n')[0]).toContain('code,price,market,cost')
  expect(text.split('\r\n').length).toBeGreaterThan(100)
  await desk.close()
})
