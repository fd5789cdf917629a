import { expect, skipOffScreen, test } from '../page-checks.ts'
import { newBuyer, orderOverWire, payOverWire, statusOf, TOP_UP } from './purchase.ts'

/** An account that the sandbox's suppliers know when they are asked about it, and refuse when it is bought for. */
const REFUSED = '123459022'
/** One that they do not know either way. */
const UNKNOWN = '123459005'

for (const [language, screen] of [
  ['en', 'phone'],
  ['ar', 'desktop'],
] as const)
  test(`a wrong player id is corrected on the order's page, for the same money (${language})`, async ({
    page,
    baseURL,
    isMobile,
  }) => {
    skipOffScreen(isMobile, screen)
    const shopper = await newBuyer(page, baseURL ?? '', { language, isExamined: true })
    const { t } = shopper
    const placed = await orderOverWire(shopper, {
      item: TOP_UP.item,
      quantity: 1,
      fields: { ...TOP_UP.fields, user_id: REFUSED },
    })
    await payOverWire(shopper, placed)
    await expect
      .poll(
        async () => {
          await shopper.open(`/order/detail?order=${placed.order}`)
          return page.getByRole('heading', { name: t('order.correct') }).count()
        },
        { timeout: 60_000 },
      )
      .toBe(1)
    // Its headline says so, too.
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('order.event.input_needed'))
    // Who was refused is no player of this order.
    await expect(page.locator('main')).not.toContainText(
      t('product.player', { name: `Player ${REFUSED}` }),
    )
    await shopper.examine()
    const mail = await shopper.mailbox.take(
      t('mail.order_input_needed.subject', { order: placed.number }),
    )
    expect(mail).toBeDefined()

    // Where the id is found is shown as on the page of the product.
    const picture = page.locator('main form details img').first()
    await expect(picture).toBeHidden()
    await page.locator('main form details summary').first().click()
    await expect(picture).toBeVisible()

    const playerId = page.locator('input[name="fields.user_id"]')
    await expect(playerId).toHaveValue(REFUSED)
    await playerId.fill('not a number')
    await page.getByRole('button', { name: t('order.correctSave') }).click()
    // What is wrong is said at its field, and what was typed stays.
    await expect(playerId).toHaveAttribute('aria-invalid', 'true')
    await expect(playerId).toHaveValue('not a number')

    // Nor is one that its supplier says is none.
    await playerId.fill(UNKNOWN)
    await page.getByRole('button', { name: t('order.correctSave') }).click()
    await expect(page.locator('main')).toContainText(t('error.field.account_unknown'))
    await expect(playerId).toHaveValue(UNKNOWN)

    await playerId.fill(TOP_UP.fields.user_id)
    await page.getByRole('button', { name: t('order.correctSave') }).click()
    await expect.poll(() => statusOf(shopper, placed), { timeout: 60_000 }).toBe('completed')
    await shopper.open(`/order/detail?order=${placed.order}`)
    await expect(page.getByRole('heading', { name: t('order.correct') })).toHaveCount(0)
    await expect(page.locator('main')).toContainText(
      t('product.player', { name: `Player ${TOP_UP.fields.user_id}` }),
    )
  })
