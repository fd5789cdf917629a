import type { APIRequestContext } from '@playwright/test'
import { expect, test, skipOffScreen } from '../page-checks.ts'
import { ageProof, dataDirectory, NO_OPERATOR } from './operator.ts'
import {
  decideAtSandbox,
  expectPaidOrder,
  newBuyer,
  orderOverWire,
  payBy,
  payOverWire,
  statusOf,
  TOP_UP,
} from './purchase.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

/** A game key that the demo has none of: it is bought at the sandbox once it is paid. */
const TO_ORDER = 'key:key-black-myth-wukong:eu:standard'
/** A recharge that the sandbox's suppliers are sold out of, by the end of the number. */
const SOLD_OUT = { item: 'air:id-axis:10000', quantity: 1, fields: { phone: '+6283123459007' } }

test('a game key that is bought once it is paid is shown to its buyer as any other is', async ({
  page,
  baseURL,
  isMobile,
}) => {
  skipOffScreen(isMobile, 'desktop')
  const shopper = await newBuyer(page, baseURL ?? '', { isExamined: true })
  const { t } = shopper
  const placed = await orderOverWire(shopper, { item: TO_ORDER, quantity: 2 })
  await shopper.open(`/order/cashier?order=${placed.order}`)
  await payBy(shopper, 'card')
  await decideAtSandbox(shopper, 'approve')
  await expectPaidOrder(shopper, placed)
  await expect.poll(() => statusOf(shopper, placed), { timeout: 60_000 }).toBe('completed')
  const mail = await shopper.mailbox.take(
    t('mail.order_delivered.subject', { order: placed.number }),
  )
  await ageProof(shopper.email)
  await shopper.open(`/order/detail?order=${placed.order}`)
  await shopper.examine()
  await page
    .locator('main')
    .getByRole('link', { name: t('cardpwd.reveal') })
    .first()
    .click()
  await page.locator('#password').fill(shopper.password)
  await shopper.press(t('cardpwd.revealCode'))
  const shown = page.locator('dd bdi.mono').first()
  await expect(shown).toHaveText(/^SANDBOX-\d{4}-\d{4}-\d{4}$/)
  await shopper.examine()
  expect(`${mail.text} ${mail.html}`).not.toContain((await shown.textContent()) ?? '')
})

test('of a key, a top-up and a recharge two arrive, and the one that cannot be delivered is sent back', async ({
  page,
  baseURL,
  isMobile,
}) => {
  skipOffScreen(isMobile, 'phone')
  const shopper = await newBuyer(page, baseURL ?? '', { isExamined: true })
  const { t } = shopper
  const placed = await orderOverWire(
    shopper,
    { item: TO_ORDER, quantity: 1 },
    { item: TOP_UP.item, quantity: 1, fields: TOP_UP.fields },
    SOLD_OUT,
  )
  await payOverWire(shopper, placed)
  const mail = await shopper.mailbox.take(
    t('mail.order_failed_unit.subject', { order: placed.number }),
  )
  expect(mail).toBeDefined()
  // Two are there, and the third's price is back.
  await expect
    .poll(() => unitStates(page.request, placed.order), { timeout: 120_000 })
    .toEqual(['delivered', 'delivered', 'refunded'])
  await shopper.open(`/order/detail?order=${placed.order}`)
  await shopper.examine()
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(
    t('order.heading.processing'),
  )
})

async function unitStates(request: APIRequestContext, order: string): Promise<readonly string[]> {
  const answer = await request.get(`/api/order/detail?order=${order}`)
  const { data } = (await answer.json()) as {
    data: { lines: readonly { units: readonly { status: string }[] }[] }
  }
  return data.lines.flatMap(({ units }) => units.map(({ status }) => status))
}
