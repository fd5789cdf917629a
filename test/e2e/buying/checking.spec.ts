import { expect, skipOffScreen, test } from '../page-checks.ts'
import { post } from '../people/shopper.ts'
import { newBuyer, TOP_UP } from './purchase.ts'

/** An account that the sandbox's suppliers know nothing of, by the end of its number. */
const WRONG = '123459005'

for (const [language, screen] of [
  ['en', 'desktop'],
  ['ar', 'phone'],
] as const)
  test(`a wrong player is caught before paying, a right one is shown by name, kept, and used again (${language})`, async ({
    page,
    baseURL,
    isMobile,
  }) => {
    skipOffScreen(isMobile, screen)
    const shopper = await newBuyer(page, baseURL ?? '', { language, isExamined: true })
    const { t, at } = shopper
    const { user_id: id, zone_id: zone } = TOP_UP.fields
    const named = t('product.player', { name: `Player ${id}` })
    const [playerId, zoneId] = [page.locator('#field-user_id'), page.locator('#field-zone_id')]
    await shopper.open(TOP_UP.path)
    await page.locator(`label:has(input[name=item][value="${TOP_UP.item}"])`).click()

    await playerId.fill(WRONG)
    await zoneId.fill(zone)
    const buy = page
      .getByRole('button', { name: t('product.buyNow'), exact: true })
      .locator('visible=true')
      .first()
    await buy.click()
    await expect(page.locator('#field-user_id-note')).toHaveText(t('error.field.account_unknown'))
    await expect(playerId).toHaveValue(WRONG)
    await expect(playerId).toBeFocused()
    await expect(page).toHaveURL(at(TOP_UP.path))
    await shopper.examine()

    await playerId.fill(id)
    await zoneId.focus()
    await expect(page.getByText(named, { exact: true })).toBeVisible()
    await page.getByRole('button', { name: t('product.savedSave'), exact: true }).click()
    const saved = page.getByLabel(t('product.savedPick'), { exact: true })
    await expect(saved.getByRole('option', { name: `Player ${id}` })).toBeAttached()
    await shopper.examine()

    await buy.click()
    await expect(page).toHaveURL(new RegExp(`${at('/order/cashier')}\\?order=`))
    const order = new URL(page.url()).searchParams.get('order') ?? ''
    await shopper.open(`/order/detail?order=${order}`)
    await expect(page.locator('main').getByText(named, { exact: true })).toBeVisible()

    // Under another name, and in a tab that knows of nothing.
    await shopper.open('/userDetail?section=players')
    await page.locator('main a[href*="do=rename"]').click()
    await page.locator('#label').fill('My brother')
    await page.getByRole('button', { name: t('form.save') }).click()
    await expect(page.locator('main')).toContainText('My brother')
    await shopper.examine()
    await page.evaluate(() => sessionStorage.clear())
    await shopper.open(TOP_UP.path)
    await saved.selectOption('My brother')
    await expect(playerId).toHaveValue(id)
    await expect(zoneId).toHaveValue(zone)
    await expect(page.getByText(named, { exact: true })).toBeVisible()

    await shopper.open('/userDetail?section=players')
    await page.getByRole('button', { name: t('form.remove') }).click()
    await expect(page.locator('main')).toContainText(t('account.playerNone'))
  })

test('a phone that was kept under a name is recharged by it', async ({
  page,
  baseURL,
  isMobile,
}) => {
  skipOffScreen(isMobile, 'phone')
  const shopper = await newBuyer(page, baseURL ?? '', { isExamined: true })
  const kept = await post(shopper, 'account/save', {
    product: 'ng-mtn-nigeria',
    fields: { phone: '+2348031234567' },
    label: 'Mum',
  })
  expect(kept).toMatchObject({ code: 1 })
  // One without a name of its own says its number once.
  const unnamed = { product: 'ng-mtn-nigeria', fields: { phone: '+2348031234568' } }
  expect(await post(shopper, 'account/save', unnamed)).toMatchObject({ code: 1 })
  await shopper.open('/userDetail?section=players')
  const card = page.locator('main address').filter({ hasText: '+2348031234568' })
  await expect(card).toHaveText(`+2348031234568${shopper.t('shop-cart.phone')}`)
  await shopper.open('/mobile-recharge')
  await page.getByRole('button', { name: 'Mum', exact: true }).click()
  await expect(page.locator('#recharge-number')).toHaveValue('+2348031234567')
  await expect(page).toHaveURL(/operator=ng-mtn-nigeria/)
  await shopper.examine()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the player is checked by a button, and bought for from there', async ({
    page,
    baseURL,
    isMobile,
    misdeeds,
  }) => {
    const shopper = await newBuyer(page, baseURL ?? '', { language: isMobile ? 'ar' : 'en' })
    const { t, at } = shopper
    const check = async (userId: string) => {
      await page.goto(at(TOP_UP.path))
      await page.locator(`label:has(input[name=item][value="${TOP_UP.item}"])`).click()
      await page.locator('#field-user_id').fill(userId)
      await page.locator('#field-zone_id').fill(TOP_UP.fields.zone_id)
      await page.getByRole('button', { name: t('product.checkPlayer'), exact: true }).click()
      await expect(page).toHaveURL(at('/shop-cart'))
    }
    await check(WRONG)
    await expect(page.getByRole('alert')).toContainText(t('error.field.account_unknown'))
    await check(TOP_UP.fields.user_id)
    await expect(page.locator('main')).toContainText(
      t('product.player', { name: `Player ${TOP_UP.fields.user_id}` }),
    )
    await page.getByRole('button', { name: t('product.buyNow'), exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`${at('/order/cashier')}\\?order=`))
    // The shop itself refuses who never asked.
    const refused = await post(shopper, 'order/create', {
      lines: [{ item: TOP_UP.item, quantity: 1, fields: { ...TOP_UP.fields, user_id: WRONG } }],
    })
    expect(JSON.stringify(refused)).toContain('lines.0.fields.user_id')
    misdeeds.consoleErrors.splice(0)
  })
})
