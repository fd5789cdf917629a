import { cli, dataDirectory, NO_OPERATOR, sql } from '../buying/operator.ts'
import { cards, newBuyer, orderOverWire, statusOf, type Placed } from '../buying/purchase.ts'
import { post, type Shopper } from '../people/shopper.ts'
import { expect, test } from '../page-checks.ts'
import { alive, consoleOf, examined, grouped } from './console.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

/** Pays an order at the demo's service by a payment that the shop has lost meanwhile, as after a restore, and has what is there compared. */
async function paidAndLost(shopper: Shopper, { order, number }: Placed): Promise<void> {
  const started = await post(shopper, 'pay/start', { order, method: 'card' })
  const url = (started.data as { redirect_url: string }).redirect_url
  const [lost] = await sql(
    `delete from payment_attempt p using shop_order o where o.id = p.order_id and o.number = $1 returning p.id`,
    [number],
  )
  expect(lost).toBeDefined()
  const decided = await shopper.page.request.post(
    url.replace('/sandbox/payment/', '/sandbox/payment/sessions/') + '/decide',
    { data: { outcome: 'approve' } },
  )
  expect(decided.status()).toBe(200)
  // It ends with 1 while something is left to do.
  const since = new Date(Date.now() - 3_600_000).toISOString()
  await cli('payments', 'reconcile', '--since', since).catch(() => '')
  const found = await sql(`select 1 from stray_payment where our_reference = $1`, [lost?.['id']])
  expect(found).toHaveLength(1)
}

test('a payment that no order knows is matched by hand, and its order delivered', async ({
  page,
  browser,
  baseURL,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '')
  const placed = await orderOverWire(shopper, cards())
  await paidAndLost(shopper, placed)
  const [stray] = await sql(
    `select s.provider_reference as reference from stray_payment s where s.outcome is null order by s.found_at desc, s.id desc limit 1`,
  )
  const reference = String(stray?.['reference'])

  const desk = await consoleOf(browser, baseURL, '/money?view=unmatched')
  const payment = desk.locator('section.panel').filter({ hasText: reference })
  const number = payment.getByLabel('Order number')
  const match = payment.getByRole('button', { name: /^Match / })
  await expect(match).toBeDisabled()
  // An order that is not there: it is said, and what was typed stays.
  await number.fill('0000000000000')
  await expect(payment.locator('.fx .down')).toBeVisible()
  await expect(match).toBeDisabled()
  // By fours, as people copy it.
  await number.fill(grouped(placed.number))
  await expect(payment).toContainText('Paid in full, and delivered')
  await expect(payment).toContainText('No approval is needed.')
  await examined(desk)
  await match.click()
  await expect(payment).toHaveCount(0)

  await desk.goto(`/console/orders/${placed.number}`)
  await alive(desk)
  await expect(desk.locator('h1')).toContainText('Completed')
  await desk.context().close()
  await expect.poll(() => statusOf(shopper, placed)).toBe('completed')
})
