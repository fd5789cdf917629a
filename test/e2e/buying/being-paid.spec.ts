import { bringToLife, expect, skipOffScreen, test } from '../page-checks.ts'
import { post } from '../people/shopper.ts'
import { CARD, decideAtSandbox, expectPaidOrder, newBuyer, payBy } from './purchase.ts'

for (const [language, screen] of [
  ['en', 'desktop'],
  ['ar', 'phone'],
] as const)
  test(`what is being paid stays in the cart, comes back when its order is cancelled, and is gone once it is paid (${language})`, async ({
    page,
    baseURL,
    isMobile,
  }) => {
    skipOffScreen(isMobile, screen)
    const shopper = await newBuyer(page, baseURL ?? '', { language, isExamined: true })
    const { t, at } = shopper
    await post(shopper, 'cart/add', { item: CARD.item, quantity: 2, fields: {} })
    const goToPayment = async () => {
      await page
        .getByRole('button', { name: t('shop-cart.pay'), exact: true })
        .locator('visible=true')
        .click()
      await expect(page).toHaveURL(new RegExp(`${at('/order/cashier')}\\?order=`))
      return new URL(page.url()).searchParams.get('order') ?? ''
    }
    const choices = page.locator('main input[name=select]')

    await shopper.open('/shop-cart')
    const first = await goToPayment()
    await page.goBack()
    await bringToLife(page)
    const link = page.locator('main h2').getByRole('link')
    await expect(link).toHaveAttribute('href', at(`/order/detail?order=${first}`))
    const [before = ''] = t('shop-cart.beingPaid', { number: '#' }).split('#')
    await expect(link).toContainText(before.trim())
    await expect(link).toContainText(/\d{13}/)
    await expect(choices).toHaveCount(0)
    await expect(page.locator('main input[name=quantity]')).toHaveCount(0)
    await shopper.examine()

    await shopper.press(t('order.cancel'))
    await expect(choices).toHaveCount(1)
    await expect(link).toHaveCount(0)
    await expect(page.locator('main input[name=quantity]')).toHaveValue('2')
    const second = await goToPayment()
    expect(second).not.toBe(first)
    await bringToLife(page)
    await payBy(shopper, 'card')
    await decideAtSandbox(shopper, 'approve')
    await expectPaidOrder(shopper, { order: second, number: '' })
    await shopper.open('/shop-cart')
    await expect(page.locator('main')).toContainText(t('shop-cart.emptyTitle'))
    await expect(link).toHaveCount(0)
  })
