import type { Page } from '@playwright/test'
import { expect, skipOffScreen, test } from '../page-checks.ts'
import { post } from '../people/shopper.ts'
import { newBuyer } from './purchase.ts'

const LINE = {
  item: 'air:ng-mtn-nigeria:any',
  quantity: 1,
  fields: { phone: '+2348031234567' },
  amount: 25_000,
} as const

const amountField = (page: Page) => page.locator('main li input[name=amount]:visible')

/** Minor units of the price of the only line. */
async function priceOf(page: Page): Promise<number> {
  const answer = await page.request.get('/api/cart/index?lang=en')
  const { data } = (await answer.json()) as { data: { list: { total: { minor: string } }[] } }
  return Number(data.list[0]?.total.minor)
}

test('the amount of a line is changed in the cart; one that is not sold stays as it was typed, and is not paid for', async ({
  page,
  baseURL,
  isMobile,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '', {
    language: isMobile ? 'ar' : 'en',
    isExamined: true,
  })
  expect(await post(shopper, 'cart/add', LINE)).toMatchObject({ code: 1 })
  await shopper.open('/shop-cart')
  const field = amountField(page)
  await expect(field).toHaveValue('250')
  const before = await priceOf(page)
  await shopper.examine()

  await field.fill('49')
  await field.press('Tab')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveValue('49')
  await shopper.examine()
  await page
    .getByRole('button', { name: shopper.t('shop-cart.pay') })
    .locator('visible=true')
    .click()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(page).toHaveURL(shopper.at('/shop-cart'))
  expect(await priceOf(page)).toBe(before)

  // Whoever goes to payment with another amount in the field pays for that.
  await field.fill('٥٠٠')
  await page
    .getByRole('button', { name: shopper.t('shop-cart.pay') })
    .locator('visible=true')
    .click()
  await expect(page).toHaveURL(new RegExp(`${shopper.at('/order/cashier')}\\?order=`))
  const order = new URL(page.url()).searchParams.get('order') ?? ''
  const detail = await page.request.get(`/api/order/detail?order=${order}&lang=en`)
  expect(await detail.text()).toContain('500')
})

test('amounts that become the same are one line', async ({ page, baseURL, isMobile }) => {
  skipOffScreen(isMobile, 'desktop')
  const shopper = await newBuyer(page, baseURL ?? '')
  for (const amount of [25_000, 30_000])
    expect(await post(shopper, 'cart/add', { ...LINE, amount })).toMatchObject({ code: 1 })
  await shopper.open('/shop-cart')
  await expect(amountField(page)).toHaveCount(2)
  await amountField(page).first().fill('250')
  await amountField(page).first().press('Enter')
  await expect(amountField(page)).toHaveCount(1)
  await expect(amountField(page)).toHaveValue('250')
  await expect(page.locator('main li input[name=quantity]:visible')).toHaveValue('2')
})

test('a visitor changes the amount of a line that their browser keeps', async ({
  page,
  isMobile,
}) => {
  skipOffScreen(isMobile, 'phone')
  await page.goto('/shop-cart')
  await page.evaluate(([line]) => localStorage.setItem('cart', JSON.stringify([line])), [
    { ...LINE, product: 'ng-mtn-nigeria' },
  ] as const)
  await page.reload()
  const field = amountField(page)
  await expect(field).toHaveValue('250')
  await field.fill('250.505')
  await field.press('Tab')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveValue('250.505')
  await field.fill('300')
  await field.press('Tab')
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('cart')))
    .toContain('"amount":30000')
  await expect(field).toHaveValue('300')
  await expect(field).not.toHaveAttribute('aria-invalid', 'true')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  for (const who of ['somebody signed in', 'a visitor'] as const)
    test(`${who} changes an amount by a form, and what is refused is said at the field`, async ({
      page,
      baseURL,
      isMobile,
      misdeeds,
    }) => {
      skipOffScreen(isMobile, who === 'a visitor' ? 'phone' : 'desktop')
      const shopper = await newBuyer(page, baseURL ?? '', { language: 'de' })
      const { at, t } = shopper
      if (who === 'a visitor') {
        await page.context().clearCookies({ name: /^(?:__Host-)?(?:sid|signed_in)$/ })
        await page.context().addCookies([
          {
            name: 'cart',
            value: encodeURIComponent(
              JSON.stringify([[LINE.item, LINE.quantity, LINE.fields, LINE.amount]]),
            ),
            url: baseURL ?? '',
          },
        ])
      } else expect(await post(shopper, 'cart/add', LINE)).toMatchObject({ code: 1 })
      await page.goto(at('/shop-cart'))
      const field = amountField(page)
      const update = page
        .locator('form:has(input[name=amount])')
        .getByRole('button', { name: t('shop-cart.update') })
      await expect(field).toHaveValue('250')
      await field.fill('viel')
      await update.click()
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await expect(field).toHaveValue('viel')
      await field.fill('300,00')
      await update.click()
      await expect(field).toHaveValue('300')
      await expect(field).not.toHaveAttribute('aria-invalid', 'true')
      await page.goto(at('/shop-cart'))
      await expect(field).toHaveValue('300')
      // What is wrong is answered as such, which a browser takes for an error.
      misdeeds.consoleErrors.splice(0)
    })
})
