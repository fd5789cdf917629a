import type { Page } from '@playwright/test'
import { dataDirectory, NO_OPERATOR } from './buying/operator.ts'
import { cards, newBuyer, orderOverWire } from './buying/purchase.ts'
import { consoleOf, examined, openConsole, prove } from './console/console.ts'
import { STRIPE_KEY, STRIPE_SIGNING } from './console/stripe.ts'
import { expect, skipOffScreen, test } from './page-checks.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

async function switchMethod(page: Page, code: string, isOn: boolean): Promise<void> {
  await page.goto(`/console/money/methods/${code}`)
  const box = page.getByLabel('Offer this method')
  await expect(box).toBeChecked({ checked: !isOn })
  await box.setChecked(isOn)
  await page.getByRole('button', { name: 'Save method' }).click()
}

// Both change what the whole shop offers: one after the other.
test.describe.configure({ mode: 'default' })

test('settings of a payment service are tried, refused, saved, changed and taken away', async ({
  page,
  isMobile,
  misdeeds,
}) => {
  skipOffScreen(isMobile, 'desktop')
  await openConsole(page, '/money/methods/stripe')
  // Nobody who buys meanwhile is offered what is only tried.
  await switchMethod(page, 'stripe', false)
  await prove(page)
  await expect(page.getByText('Saved. Checkout follows')).toBeVisible()

  await page.goto('/console/money')
  const row = page.getByRole('row', { name: /Stripe/ })
  await expect(row).toContainText('Not set up')
  await row.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Stripe')
  await examined(page)

  const key = page.getByLabel('STRIPE_SECRET_KEY')
  const signing = page.getByLabel('STRIPE_WEBHOOK_SECRETS')
  const effect = page.locator('.fx').first()
  await expect(page.getByLabel('STRIPE_API_URL')).toHaveCount(0)
  await key.fill('pk_live_not_a_secret_key')
  await page.getByRole('button', { name: 'Test and show effect' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'This is not what the service gives out. Copy it again.',
  )
  await expect(key).toHaveValue('pk_live_not_a_secret_key')

  await key.fill('sk_test_0000000000000000')
  await signing.fill(STRIPE_SIGNING)
  await page.getByRole('button', { name: 'Test and show effect' }).click()
  await expect(effect).toContainText('Refused by the service')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByRole('alert')).toContainText('The service refuses these settings')

  await key.fill(STRIPE_KEY)
  await page.getByRole('button', { name: 'Test and show effect' }).click()
  await expect(effect).toContainText('Accepted by the service')
  await expect(effect).toContainText('Test mode')
  await expect(effect).toContainText('Sandbox shop · acct_1SandboxOfTheShop')
  await expect(effect).toContainText('No approval is needed.')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('Saved. Every process uses them')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Healthy')
  await expect(page.locator('main .dl')).toContainText('acct_1SandboxOfTheShop')
  await expect(key).toHaveValue('')
  expect(await page.content()).not.toContain(STRIPE_KEY)

  await signing.fill(`${STRIPE_SIGNING},whsec_second0123456789`)
  await page.getByRole('button', { name: 'Test and show effect' }).click()
  await expect(effect).toContainText('STRIPE_WEBHOOK_SECRETS')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('Saved. Every process uses them')).toBeVisible()

  await page.getByText('Take these settings away', { exact: true }).first().click()
  await page.getByRole('button', { name: 'Take these settings away' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Not set up')
  await switchMethod(page, 'stripe', true)
  await expect(page.getByText('Saved. Checkout follows')).toBeVisible()
  expect(misdeeds.consoleErrors).toEqual([])
})

test('limits of a way to pay are changed with their effect before, and the cashier follows', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  skipOffScreen(isMobile, 'desktop')
  const shopper = await newBuyer(page, baseURL ?? '')
  const placed = await orderOverWire(shopper, cards())
  const desk = await consoleOf(browser, baseURL, '/money?view=methods')
  await examined(desk)
  await desk.getByRole('link', { name: 'QR code' }).click()
  const most = desk.getByLabel('Up to', { exact: true })
  const kept = await most.inputValue()
  await most.fill('a lot')
  await expect(desk.getByRole('alert')).toHaveText('Enter an amount such as 1.50.')
  await desk.getByLabel('Countries').fill('XX')
  await most.fill('3')
  await expect(desk.getByRole('alert')).toHaveText('Choose a country from the list.')
  await desk.getByLabel('Countries').fill('')
  const effect = desk.locator('.fx')
  await expect(effect).toContainText('not possible')
  await examined(desk)
  await desk.getByRole('button', { name: 'Save method' }).click()
  await prove(desk)
  await expect(desk.getByText('Saved. Checkout follows')).toBeVisible()

  const choice = page
    .locator('main')
    .getByText('QR code')
    .locator('xpath=ancestor::label | ancestor::li')
    .first()
  await expect(async () => {
    await shopper.open(`/order/cashier?order=${placed.order}`)
    await expect(choice).toContainText('$3.00', { timeout: 1_000 })
  }).toPass({ timeout: 30_000 })

  await most.fill(kept)
  await desk.getByRole('button', { name: 'Save method' }).click()
  await expect(desk.getByText('Saved. Checkout follows')).toBeVisible()
  await desk.context().close()
})
