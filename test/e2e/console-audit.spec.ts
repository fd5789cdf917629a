import { readFileSync } from 'node:fs'
import { openConsole, prove } from './console/console.ts'
import { expect, expectAccessible, test } from './page-checks.ts'

// One product each, so that journeys at the same time leave each other alone.
const PRODUCTS: Readonly<Record<string, { readonly code: string; readonly name: string }>> = {
  desktop: { code: 'neosurf-us', name: 'Neosurf, United States' },
  phone: { code: 'vanilla-visa-us', name: 'Vanilla Visa eGift, United States' },
}

test('a product is stopped with its reason: shoppers read so within moments, the trail says who, and it is sold again', async ({
  page,
  misdeeds,
}, { project }) => {
  await openConsole(page, '/selling')
  await expectAccessible(page)
  const stopping = page.getByRole('form', { name: 'Stop selling something' })
  await stopping.getByLabel('What to stop').selectOption('product')
  await stopping.getByLabel('Its code').fill('no-such-product')
  await stopping.getByLabel('Reason').fill('Codes are reported faulty.')
  // By the keyboard: the bar at the top stays over what is scrolled to.
  await stopping.getByLabel('Reason').press('Enter')
  // What was typed stays, and what is wrong is said.
  await expect(stopping.getByRole('alert')).toBeVisible()
  await expect(stopping.getByLabel('Reason')).toHaveValue('Codes are reported faulty.')
  misdeeds.consoleErrors.length = 0

  const { code = '', name = '' } = PRODUCTS[project.name] ?? {}
  await stopping.getByLabel('Its code').fill(code)
  await stopping.getByLabel('Its code').press('Enter')
  const stopped = page.getByRole('region', { name })
  await expect(stopped).toContainText('Codes are reported faulty.')

  // Within two seconds of the press, and then whenever somebody comes.
  const told = page.getByText('Not on sale right now')
  await expect
    .poll(async () => {
      await page.goto(`/cards/${code}`)
      return told.count()
    })
    .toBeGreaterThan(0)
  await page.goto('/console')
  await expect(page.getByRole('status').filter({ hasText: code })).toBeVisible()
  await page.goto(`/console/audit?subject=product&code=${code}`)
  await expect(page.locator('ol.inbox li').first()).toContainText('stop_selling')
  await expectAccessible(page)

  await page.goto('/console/selling')
  await page.getByRole('region', { name }).getByRole('button', { name: 'Sell again' }).click()
  await expect(page.getByRole('region', { name })).toHaveCount(0)
})

test('the trail is searched by who and what, and taken as CSV after a fresh proof', async ({
  page,
}) => {
  await openConsole(page, '/audit')
  await page.getByLabel('Who').fill('nobody-of-this-name')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing of the kind' })).toBeVisible()
  await page.goto('/console/audit?subject=operator')
  await expect(page.locator('ol.inbox li').first()).toBeVisible()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  await prove(page)
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/)
  expect(readFileSync(await download.path(), 'utf8')).toContain('at,actor,network,action')
})

test('a token is made once proved, shown this once, and revoked', async ({ page }, { project }) => {
  const label = `Report ${project.name}`
  await openConsole(page, '/tokens')
  await expectAccessible(page)
  await page.getByLabel('What it is for').fill(label)
  await page.getByLabel('product.read').check()
  await page.getByRole('button', { name: 'Make token' }).click()
  await prove(page)
  const shown = page.getByRole('status').filter({ hasText: 'lukado-operator-' })
  await expect(shown).toBeVisible()
  const line = page.locator('ol.inbox li', { hasText: label }).first()
  await expect(line).toContainText('product.read')
  await page.reload()
  await expect(page.getByText('lukado-operator-')).toHaveCount(0)
  await line.getByRole('button', { name: 'Revoke' }).click()
  await expect(page.locator('ol.inbox li', { hasText: label })).toHaveCount(0)
})

test('webhooks teach how the first is added', async ({ page }) => {
  await openConsole(page, '/webhooks')
  await expect(page.getByRole('heading', { name: 'No reseller has a webhook' })).toBeVisible()
  await expectAccessible(page)
})
