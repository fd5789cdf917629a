import { expect, test } from '../page-checks.ts'
import { CARD, newBuyer } from './purchase.ts'

test('who presses "buy now" again because the answer was lost has one order, and another one when they want it', async ({
  page,
  baseURL,
  misdeeds,
  isMobile,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '', { language: isMobile ? 'de' : 'en' })
  const { t, at } = shopper
  const keys: (string | undefined)[] = []
  await page.route('**/api/order/create?*', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length > 1) return route.continue()
    // The shop takes the order, and the browser never hears of it.
    await route.fetch()
    await route.abort('connectionreset')
  })
  const orders = async () => {
    const answer = await page.request.get('/api/order/index?status=unpaid')
    const { data } = (await answer.json()) as { data: { list: { order: string }[] } }
    return data.list.map(({ order }) => order)
  }
  const buy = async () => {
    await page.locator(`label:has(input[name=item][value="${CARD.item}"])`).click()
    await page
      .locator('main')
      .getByText(t('product.buyNow'), { exact: true })
      .locator('visible=true')
      .first()
      .click()
  }

  await shopper.open(CARD.path)
  await buy()
  await expect(page.getByRole('alert').filter({ hasText: t('shell.requestFailed') })).toBeVisible()
  const made = await orders()
  expect(made).toHaveLength(1)
  expect(misdeeds.consoleErrors.splice(0)).toHaveLength(1)

  // Loaded anew, the page knows no more than the tab has kept.
  await page.reload()
  await buy()
  await expect(page).toHaveURL(at(`/order/cashier?order=${made[0]}`))
  expect(await orders()).toEqual(made)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys).toEqual([keys[0], keys[0]])

  // A press after an answer is another wish.
  await shopper.open(CARD.path)
  await buy()
  await expect(page).toHaveURL(/\/order\/cashier\?order=/)
  await expect.poll(async () => (await orders()).length).toBe(2)
  expect(new Set(keys).size).toBe(2)
})
