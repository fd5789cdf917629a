import { getLanguage, type LanguageCode } from '../../../src/kernel/language.ts'
import { expect, skipOffScreen, test } from '../page-checks.ts'
import { post } from '../people/shopper.ts'
import { buyOverWire, decideAtSandbox, newBuyer, payBy, statusOf } from './purchase.ts'

/** Three countries: by prefix without calling code, by calling code alone, and moved to another network. */
const NUMBERS = [
  { country: 'ID', typed: '0812 3456 7890', whole: '+6281234567890', operator: 'id-telkomsel' },
  {
    country: 'NG',
    typed: '+234 803 123 4567',
    whole: '+2348031234567',
    operator: 'ng-mtn-nigeria',
  },
  { country: 'IN', typed: '٠٦٩٠١٢٣٤٥٦٧', whole: null, operator: null },
] as const

/** The figure as the shop writes it, whatever the currency's sign. */
const shown = (language: LanguageCode, amount: number) =>
  new Intl.NumberFormat(getLanguage(language).intl).format(amount)

for (const [language, screen] of [
  ['en', 'phone'],
  ['ar', 'desktop'],
] as const)
  test(`a recharge of any amount finds its operator, is paid and credited, and warns who sends it again (${language})`, async ({
    page,
    baseURL,
    isMobile,
  }) => {
    skipOffScreen(isMobile, screen)
    const shopper = await newBuyer(page, baseURL ?? '', { language, isExamined: true })
    const { t } = shopper
    const [, { typed, whole, operator }] = NUMBERS
    await shopper.open('/mobile-recharge')
    const number = page.locator('#recharge-number')
    await number.fill(typed)
    await expect(page).toHaveURL(new RegExp(`operator=${operator}`))
    await expect(page.getByText(t('recharge.confirmed'))).toBeVisible()
    await shopper.examine()
    await page.locator(`input[name=item][value="air:${operator}:any"]`).check({ force: true })
    // Yellow is for prices: the range that an amount is chosen from is none.
    const range = page.locator(`label:has(input[value="air:${operator}:any"]) bdi`).last()
    await expect(range).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
    const amount = page.locator('#recharge-amount')
    await amount.fill('49')
    await amount.blur()
    await expect(amount).toHaveAttribute('aria-invalid', 'true')
    await amount.fill('2500')
    await expect(page.locator('main aside, main').getByText(whole).first()).toBeVisible()
    await page
      .getByRole('button', { name: t('recharge.pay') })
      .locator('visible=true')
      .first()
      .click()
    await expect(page).toHaveURL(/\/order\/cashier\?order=/)
    const order = new URL(page.url()).searchParams.get('order') ?? ''
    await expect(page.locator('main')).toContainText(shown(language, 2_500))
    const region = language === 'ar' ? 'نيجيريا' : 'Nigeria'
    await expect(page.locator('main')).not.toContainText(t('api.lockCountry', { region }))
    await payBy(shopper, 'card')
    await decideAtSandbox(shopper, 'approve')
    await expect
      .poll(() => statusOf(shopper, { order, number: '' }), { timeout: 60_000 })
      .toBe('completed')
    await shopper.open(`/order/detail?order=${order}`)
    await expect(page.locator('main')).toContainText(whole)
    await expect(page.locator('main')).toContainText(shown(language, 2_500))

    // The same again is a press away, and is said to have been a moment ago.
    await shopper.open('/mobile-recharge')
    // On a slow net the page that is left finds out the operator before the next one is there.
    await page.route(/operator=/, async (route) => {
      if (route.request().isNavigationRequest()) await page.waitForTimeout(2_000)
      await route.continue()
    })
    await page.locator(`a[href*="operator=${operator}"]`).filter({ hasText: whole }).click()
    await expect(number).toHaveValue(whole)
    await expect(page.locator(`input[value="air:${operator}:any"]`).first()).toBeChecked()
    await expect(page.getByText(t('recharge.recent', { count: 1 }))).toBeVisible()
  })

test('numbers of three countries lead to their operators, whatever digits they are typed in', async ({
  page,
  isMobile,
}) => {
  skipOffScreen(isMobile, 'desktop')
  for (const { country, typed, operator } of NUMBERS) {
    await page.goto(`/mobile-recharge/airtime?country=${country}`)
    await page.locator('#recharge-number').fill(typed)
    if (operator) await expect(page).toHaveURL(new RegExp(`operator=${operator}`))
    else await expect(page.locator('#recharge-number')).toHaveAttribute('aria-describedby', /./)
  }
  // A country that is chosen stays, although a number of another is still there.
  await page.goto('/mobile-recharge/airtime?country=NG')
  await page.locator('#recharge-number').fill('+2348031234567')
  await expect(page).toHaveURL(/operator=ng-mtn-nigeria/)
  await page.locator('#recharge-country').selectOption('ID')
  await expect(page.getByRole('link', { name: /plans/i })).toBeVisible()
  await expect(page).toHaveURL(/country=ID$/)
  // It moved to another network, which a supplier alone knows.
  await page.goto('/mobile-recharge/airtime?country=ID')
  await page.locator('#recharge-number').fill('081234569070')
  await expect(page).toHaveURL(/operator=id-xl/)
})

test('the form of the home page leads to the plans of the number that was typed there', async ({
  page,
  isMobile,
}) => {
  skipOffScreen(isMobile, 'desktop')
  await page.goto('/')
  await page.locator('#recharge-country').selectOption('ID')
  await page.locator('#recharge-number').fill('081234567890')
  await page.locator('#recharge-number').press('Enter')
  await expect(page).toHaveURL(/operator=id-telkomsel/)
  await expect(page.locator('#recharge-number')).toHaveValue('081234567890')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the number typed into the form of the home page is not asked for again', async ({
    page,
    isMobile,
    misdeeds,
  }) => {
    skipOffScreen(isMobile, 'desktop')
    await page.goto('/')
    await page.locator('#recharge-country').selectOption('ID')
    await page.locator('#recharge-number').fill('081234567890')
    await page.locator('#recharge-number').press('Enter')
    await expect(page.locator('#recharge-number')).toHaveValue('081234567890')
    await expect(page.locator('input[name=item]').first()).toBeAttached()
    expect(page.url()).not.toContain('8123')
    // A country alone leads to its operators.
    await page.goto('/')
    await page.locator('#recharge-country').selectOption('IN')
    await page.locator('form:has(#recharge-number) button[type=submit]').click()
    await expect(page.locator('#operators')).toBeVisible()
    await expect(page.locator('#recharge-number')).not.toHaveAttribute('aria-invalid', 'true')
    // That no number was given is answered as such, which a browser takes for an error.
    misdeeds.consoleErrors.splice(0)
  })
  test('a number is found out, an amount that is refused stays, and both go into the cart', async ({
    page,
    baseURL,
    isMobile,
    misdeeds,
  }) => {
    const shopper = await newBuyer(page, baseURL ?? '', { language: isMobile ? 'ar' : 'en' })
    const { at, t } = shopper
    await page.goto(at('/mobile-recharge'))
    await page.locator('#recharge-country').selectOption('NG')
    await page.locator('#recharge-number').fill('12')
    const show = page.getByRole('button', { name: t('recharge.showOperators') })
    await show.click()
    await expect(page.locator('#recharge-number')).toHaveAttribute('aria-invalid', 'true')
    await expect(page.locator('#recharge-number')).toHaveValue('12')
    await expect(page.locator('#recharge-country')).toHaveValue('NG')
    await page.locator('#recharge-number').fill('0803 123 4567')
    await show.click()
    await expect(page.getByText(t('recharge.confirmed'))).toBeVisible()
    await expect(page.locator('#recharge-number')).toHaveValue('0803 123 4567')
    expect(page.url()).not.toContain('803')
    await page.locator('input[name=item][value="air:ng-mtn-nigeria:any"]').check({ force: true })
    await page.locator('#recharge-amount').fill('49')
    const add = page.getByRole('button', { name: t('recharge.add') })
    await add.click()
    await expect(page.locator('#recharge-amount')).toHaveAttribute('aria-invalid', 'true')
    await expect(page.locator('#recharge-amount')).toHaveValue('49')
    await expect(page.locator('#recharge-number')).toHaveValue('0803 123 4567')
    await page.locator('#recharge-amount').fill('250.50')
    await add.click()
    await expect(page.locator('#recharge-amount')).toHaveAttribute('aria-invalid', 'true')
    await page.locator('#recharge-amount').fill('250')
    await add.click()
    await expect(page).toHaveURL(at('/shop-cart'))
    await expect(page.locator('main')).toContainText('+2348031234567')
    await expect(page.locator('main')).toContainText('250')
    // What is wrong is answered as such, which a browser takes for an error.
    misdeeds.consoleErrors.splice(0)
  })
})

test('a cart says of a phone that it was recharged minutes ago', async ({
  page,
  baseURL,
  isMobile,
}) => {
  skipOffScreen(isMobile, 'desktop')
  const shopper = await newBuyer(page, baseURL ?? '')
  const line = {
    item: 'air:in-airtel:any',
    quantity: 1,
    fields: { phone: '+918123456789' },
    amount: 25_000,
  }
  await buyOverWire(shopper, line)
  const cart = await post(shopper, 'cart/add', line)
  expect(cart.data).toMatchObject({
    list: [{ state: 'ok', state_text: shopper.t('recharge.recent', { count: 1 }) }],
  })
})
