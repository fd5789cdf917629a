import { dataDirectory, NO_OPERATOR, sql, workNow } from './buying/operator.ts'
import { examined, openConsole, prove } from './console/console.ts'
import { expect, expectNoOverflow, test } from './page-checks.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

/** Codes as Steam's are, that nobody else takes. */
const codes = (mark: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${mark}-AAAAA-${String(index).padStart(5, '0')}`)
const markOf = (project: string) =>
  `${project === 'phone' ? 'P' : 'D'}${Date.now().toString(36).toUpperCase().slice(-4)}`

/** An item of Steam that is on sale, with its product's address. */
async function steamItem(): Promise<{ readonly code: string; readonly id: string }> {
  const [row] = await sql(
    `select i.id, i.code from item i join product p on p.code = i.product where p.brand = 'steam' and i.status = 'active' and p.status = 'active' order by i.code limit 1`,
  )
  return { code: String(row?.['code']), id: String(row?.['id']) }
}

const freeOf = async (id: string) => {
  const [row] = await sql(
    `select count(*)::integer as free from card_key where item = $1 and status = 'free'`,
    [id],
  )
  return Number(row?.['free'])
}

test('keys are pasted, looked through, taken into stock, seen with a proof and voided', async ({
  page,
  misdeeds,
}, { project }) => {
  test.skip(test.info().project.name !== 'desktop', 'made on the desktop')
  const item = await steamItem()
  const mark = markOf(project.name)
  await openConsole(page, `/keys/${item.code}`)
  const before = await freeOf(item.id)
  const pasted = [...codes(mark, 3), `${mark}-AAAAA-00001`, 'nonsense']
  await page.getByLabel('Or paste keys').fill(pasted.join('\n'))
  await page.getByLabel('Supplier').fill('K-Hub')
  await page.getByLabel('Cost of one key').fill('18.90')
  await page.getByRole('button', { name: 'Check the keys' }).click()
  const found = page.getByRole('region', { name: 'pasted.txt' }).first()
  await expect(found).toContainText('New: 3')
  await expect(found).toContainText('Twice in the file: 1')
  await expect(found).toContainText('Invalid: 1')
  await expect(found.locator('.moved')).toContainText('56.70')
  expect(await freeOf(item.id)).toBe(before)
  await examined(page)
  await found.getByRole('button', { name: 'Take into stock: 3' }).click()
  await expect(page.getByText('Taken into stock: 3.').first()).toBeVisible()
  expect(await freeOf(item.id)).toBeGreaterThanOrEqual(before + 3)

  await workNow('follow_shelves')
  await page.getByRole('link', { name: 'pasted.txt' }).first().click()
  await page.getByRole('button', { name: 'Reveal' }).first().click()
  await page.getByLabel('Reason').last().fill('Claim at the supplier')
  await page.locator('td form button[type=submit]').click()
  await prove(page)
  await expect(page.getByText(`${mark}-AAAAA-0000`)).toBeVisible()
  await page.getByRole('button', { name: 'Hide' }).click()
  await expect(page.getByText(mark)).toHaveCount(0)
  await examined(page)

  for (const box of await page.locator('tbody input[type=checkbox]').all()) await box.check()
  await page.getByRole('button', { name: 'Void for good' }).click()
  await page.getByLabel('Reason').fill('Made for a test')
  await page.getByLabel('Type 3 to confirm').fill('3')
  await page.locator('form button[type=submit]', { hasText: 'Void for good' }).click()
  await expect(page.getByText('No keys in this state')).toBeVisible()
  expect(misdeeds.consoleErrors).toEqual([])
})

test('shelves fit a phone and read from right to left', async ({ page }) => {
  await openConsole(page, '/keys')
  await page.goto('/console/keys')
  await expect(page.locator('h1')).toHaveText('Card keys')
  await examined(page)
  await page.getByText('Look up a code').click()
  await page.getByLabel('Code', { exact: true }).fill('NOSUCH-CODE-00000')
  await page.locator('details form button[type=submit]').click()
  await expect(page.getByText('The shop has no such key.')).toBeVisible()
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  await expectNoOverflow(page)
})
