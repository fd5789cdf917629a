import { dataDirectory, NO_OPERATOR, sql } from '../buying/operator.ts'
import { expect, skipOffScreen, test } from '../page-checks.ts'
import { consoleOf, examined } from './console.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

test('a category is made, named in two languages, seen in the shop, and taken away and back', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  const name = `Fresh ${isMobile ? 'phone' : 'desk'} ${Date.now().toString(36)}`
  const code = name.toLowerCase().replaceAll(' ', '-')
  const inShop = async (path: string) => (await page.request.get(path)).text()
  const desk = await consoleOf(browser, baseURL, '/products')
  await desk.getByRole('link', { name: 'Categories', exact: true }).click()
  await expect(desk.getByRole('heading', { level: 1, name: 'Categories' })).toBeVisible()
  await examined(desk)
  await desk.getByRole('link', { name: 'Add a category' }).click()
  await desk.getByLabel('Name, in English').fill(name)
  const make = desk.getByRole('button', { name: 'Add a category' })
  await expect(desk.getByText('Fill in this field.').first()).toBeVisible()
  await expect(make).toBeDisabled()
  await examined(desk)
  await desk.getByLabel('Part of').selectOption({ label: 'Cards' })
  await desk.getByLabel('Second language').selectOption('de')
  await desk.getByLabel('Name in another language').fill(`Frisch ${code}`)
  await make.click()
  await expect(desk.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect.poll(async () => inShop('/cards'), { intervals: [100] }).toContain(name)
  expect(await inShop('/de/cards')).toContain(`Frisch ${code}`)
  await examined(desk)

  await desk.getByRole('link', { name: 'Texts', exact: true }).click()
  await desk.getByLabel('Name', { exact: true }).fill(`${name} anew`)
  await desk.getByLabel('Name · Deutsch').fill(`Neu ${code}`)
  await desk.getByRole('button', { name: 'Save changes: 2' }).click()
  await expect(desk.getByText('Changes saved: 2')).toBeVisible()
  await expect.poll(async () => inShop('/cards'), { intervals: [100] }).toContain(`${name} anew`)
  expect(await inShop('/de/cards')).toContain(`Neu ${code}`)

  await desk.getByRole('link', { name: 'History' }).click()
  await expect(desk.getByText(`${name} anew`).first()).toBeVisible()
  await examined(desk)
  await desk.getByRole('button', { name: /^Undo/ }).first().click()
  await desk.getByRole('region', { name: 'Undo' }).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => inShop('/cards')).not.toContain(`${name} anew`)

  await desk.goto(`${baseURL}/console/products/lists/categories/${code}`)
  await desk.getByRole('button', { name: `Remove ${name}` }).click()
  await desk.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(desk.getByText('Removed:')).toBeVisible()
  await expect.poll(async () => inShop('/cards')).not.toContain(name)
  await desk.getByRole('button', { name: 'Undo' }).click()
  await desk.getByRole('region', { name: 'Undo' }).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => inShop('/cards')).toContain(name)
  await desk.goto(`${baseURL}/console/products/lists/categories/cards`)
  await expect(desk.getByText(/It can’t be removed while products/)).toBeVisible()
})

test('two people on one region: the second is told, and chooses', async ({
  browser,
  baseURL,
  isMobile,
}) => {
  skipOffScreen(isMobile, 'desktop')
  const code = `place-${Date.now().toString(36)}`
  await sql(`insert into region (code, name, position) values ($1, 'Someplace', 9000)`, [code])
  const first = await consoleOf(browser, baseURL, `/products/lists/regions/${code}`)
  const second = await consoleOf(browser, baseURL, `/products/lists/regions/${code}`)
  await second.getByLabel('Name', { exact: true }).fill('Mine')
  await first.getByLabel('Name', { exact: true }).fill('Theirs')
  await first.getByRole('button', { name: 'Save changes: 1' }).click()
  await expect(first.getByText('Changes saved: 1')).toBeVisible()
  await second.getByLabel('Name', { exact: true }).fill('Mine alone')
  await expect(second.getByRole('alert').getByText('Theirs', { exact: true })).toBeVisible()
  await second.getByRole('button', { name: /^Keep/ }).click()
  await second.getByRole('button', { name: 'Save changes: 1' }).click()
  await expect(second.getByText('Changes saved: 1')).toBeVisible()
  expect(await sql('select name from region where code = $1', [code])).toEqual([
    { name: 'Mine alone' },
  ])
})

test('every list opens with its entries, and a brand and an operator are edited beside the products', async ({
  browser,
  baseURL,
  isMobile,
}) => {
  const desk = await consoleOf(browser, baseURL, '/products/lists/games')
  for (const [tab, title] of [
    ['Brands', 'Brands'],
    ['Regions', 'Regions'],
    ['Platforms', 'Platforms'],
    ['Mobile operators', 'Mobile operators'],
  ] as const) {
    await desk.getByRole('link', { name: tab, exact: true }).click()
    await expect(desk.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await examined(desk)
  }
  skipOffScreen(isMobile, 'desktop')
  await desk.locator('table a.link').first().click()
  await expect(desk.getByLabel('Note on the prefixes')).toBeVisible()
  await examined(desk)
})
