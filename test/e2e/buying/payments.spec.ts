import { expect, test } from '../page-checks.ts'
import { cli, dataDirectory, NO_OPERATOR } from './operator.ts'
import {
  cards,
  decideAtSandbox,
  expectPaidOrder,
  newBuyer,
  orderOverWire,
  payBy,
  pressPay,
  statusOf,
} from './purchase.ts'

test('a declined payment takes nothing, and another method pays', async ({
  page,
  baseURL,
  isMobile,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '', {
    language: isMobile ? 'ar' : 'en',
    isExamined: true,
  })
  const { t } = shopper
  const placed = await orderOverWire(shopper, cards())
  await shopper.open(`/order/cashier?order=${placed.order}`)
  await payBy(shopper, 'card')
  await decideAtSandbox(shopper, 'decline')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('cashier.failedTitle'))
  await expect(page.getByText(t('cashier.failedText'))).toBeVisible()
  await shopper.examine()
  await expect(page.getByText(t('order.uncharged'))).toBeVisible()
  await shopper.open(`/order/detail?order=${placed.order}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('order.event.payment_failed'))
  await expect(page.locator('main header').getByText(t('order.uncharged'))).toBeVisible()
  await shopper.examine()
  await shopper.open(`/order/pay?order=${placed.order}`)
  // Another one than the one that failed is chosen, and it was agreed to the terms already.
  await expect(page.locator('input[name=method][value=card]')).not.toBeChecked()
  await page.locator('label:has(input[name=method][value=wallet])').click()
  await pressPay(shopper)
  await decideAtSandbox(shopper, 'approve')
  await expectPaidOrder(shopper, placed)
  await expect(
    page.locator('main').getByText(t('order.status.completed'), { exact: true }),
  ).toBeVisible()
})

test('a payment left alone waits, and its order can be cancelled', async ({
  page,
  baseURL,
  isMobile,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '', { isExamined: !isMobile })
  const { t } = shopper
  const placed = await orderOverWire(shopper, cards(2))
  await shopper.open(`/order/cashier?order=${placed.order}`)
  await payBy(shopper, 'card')
  await decideAtSandbox(shopper, 'abandon')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('cashier.waitingTitle'))
  await expect(page.getByRole('timer')).toBeVisible()
  await shopper.examine()
  await page.getByRole('link', { name: t('cashier.continue') }).click()
  await expect(page).toHaveURL(/\/sandbox\/payment\//)
  await page.goBack()
  await shopper.press(t('cashier.cancel'))
  await expect(page).toHaveURL(`/order/detail?order=${placed.order}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('order.heading.cancelled'))
  expect(await statusOf(shopper, placed)).toBe('cancelled')
  // The way to pay is closed, and says so.
  await page.goto(`/order/cashier?order=${placed.order}`)
  await expectPaidOrder(shopper, placed)
})

test('a payment that is short is told, and nothing is delivered for it', async ({
  page,
  baseURL,
}, info) => {
  test.skip(info.project.name !== 'desktop', 'the same for every screen')
  const shopper = await newBuyer(page, baseURL ?? '')
  const { t, mailbox } = shopper
  const placed = await orderOverWire(shopper, cards())
  await shopper.open(`/order/cashier?order=${placed.order}`)
  await payBy(shopper, 'card')
  await decideAtSandbox(shopper, 'underpay')
  await expectPaidOrder(shopper, placed)
  await expect(page.getByText(t('order.status.processing'), { exact: true })).toBeVisible()
  await expect(page.getByText(t('order.hold.underpaid')).first()).toBeVisible()
  await expect(page.getByRole('link', { name: t('cardpwd.reveal') })).toHaveCount(0)
  await mailbox.take(t('mail.order_payment_problem.subject', { order: placed.number }))
})

test('a payment that goes through slowly completes its order while the page is open', async ({
  page,
  baseURL,
  isMobile,
}) => {
  test.skip(isMobile, 'the same for every screen')
  const shopper = await newBuyer(page, baseURL ?? '')
  const { t } = shopper
  const placed = await orderOverWire(shopper, cards())
  await shopper.open(`/order/cashier?order=${placed.order}`)
  await payBy(shopper, 'card')
  await expect(page).toHaveURL(/\/sandbox\/payment\//)
  const session = page.url().split('/').at(-1) ?? ''
  await decideAtSandbox(shopper, 'pending')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('cashier.confirmingTitle'))
  expect(
    (
      await page.request.post(`/sandbox/payment/sessions/${session}/decide`, {
        data: { outcome: 'approve' },
      })
    ).status(),
  ).toBe(200)
  await expectPaidOrder(shopper, placed)
})

test('a bank transfer says what to send where, and comes when the shop has it', async ({
  page,
  baseURL,
  isMobile,
}) => {
  test.skip(dataDirectory === undefined, NO_OPERATOR)
  const shopper = await newBuyer(page, baseURL ?? '', {
    language: isMobile ? 'ar' : 'en',
    isExamined: true,
  })
  const { t } = shopper
  const placed = await orderOverWire(shopper, cards())
  await shopper.open(`/order/cashier?order=${placed.order}`)
  await payBy(shopper, 'bank-transfer')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('cashier.transferTitle'))
  await expect(page.locator('main code').filter({ hasText: placed.number })).toBeVisible()
  const amount = (await page.locator('main code').first().textContent()) ?? ''
  expect(amount).toMatch(/^\d+\.\d\d USD$/)
  await shopper.examine()
  if (isMobile) return
  await cli('bank', 'received', placed.number, ...amount.split(' '))
  await expectPaidOrder(shopper, placed)
})

test('store credit pays at once and goes down', async ({ page, baseURL }) => {
  test.skip(dataDirectory === undefined, NO_OPERATOR)
  const shopper = await newBuyer(page, baseURL ?? '')
  const { t } = shopper
  const placed = await orderOverWire(shopper, cards())
  await shopper.open(`/order/cashier?order=${placed.order}`)
  // What is not enough cannot be chosen.
  await expect(page.locator('input[name=method][value=store-credit]:enabled')).toHaveCount(0)
  await cli('credit', 'grant', shopper.email, '50', 'USD')
  await page.reload()
  await payBy(shopper, 'store-credit')
  await expectPaidOrder(shopper, placed)
  await expect(page.getByText(t('order.status.completed'), { exact: true })).toBeVisible()
  await page.goto('/user/account')
  await expect(page.locator('#transactions')).toContainText(
    t('user.transaction.paymentOf', { number: placed.number }),
  )
  await expect(page.locator('#transactions')).toContainText(/\$4[45]\.\d\d/)
})
