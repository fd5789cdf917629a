import { dataDirectory, NO_OPERATOR, sql } from '../buying/operator.ts'
import {
  buyOverWire,
  cards,
  newBuyer,
  orderOverWire,
  payOverWire,
  TOP_UP,
} from '../buying/purchase.ts'
import { expect, skipOffScreen, test } from '../page-checks.ts'
import { colleague, consoleOf, examined, grouped } from './console.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

test('a refund above a limit is told, asked for, and approved by somebody else', async ({
  page,
  browser,
  baseURL,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '')
  const placed = await buyOverWire(shopper, cards(6))
  const asker = await colleague('support')
  const approver = await colleague('finance')

  const desk = await consoleOf(browser, baseURL, `/orders/${placed.number}`, asker)
  await desk.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(desk.getByText('A second person must approve it.', { exact: true })).toBeVisible()
  await examined(desk)
  await desk.locator('form').getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(
    desk.getByRole('status').filter({ hasText: 'Nothing moves until then' }),
  ).toBeVisible()
  // Whoever asked may only take it back.
  await desk.goto('/console/approvals')
  const mine = desk.locator('section', {
    has: desk.getByRole('link', { name: grouped(placed.number) }),
  })
  await expect(mine.getByRole('button', { name: 'Take it back' })).toBeVisible()
  await expect(mine.getByRole('button', { name: /^Approve/ })).toHaveCount(0)

  const other = await consoleOf(browser, baseURL, '/approvals', approver)
  const theirs = other.locator('section', {
    has: other.getByRole('link', { name: grouped(placed.number) }),
  })
  await theirs.getByRole('button', { name: /^Approve/ }).click()
  await expect(theirs).toHaveCount(0)
  await other.goto(`/console/orders/${placed.number}`)
  await expect(other.getByRole('heading', { name: 'Refunds' })).toBeVisible()
  await expect(other.getByRole('button', { name: 'Refund', exact: true })).toHaveCount(0)
  const [refund] = await sql(
    `select r.approved_by from refund r join shop_order o on o.id = r.order_id where o.number = $1`,
    [placed.number],
  )
  expect(refund).toEqual({ approved_by: `operator:${approver.name}` })
})

test('goods are delivered by hand by whoever claims them, and by nobody else meanwhile', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  skipOffScreen(isMobile, 'desktop')
  // Goods that no supplier delivers: each project takes others, which no other journey buys.
  const [item] = await sql(
    `select i.id, i.code from item i where i.product = $1 and i.code <> $2 and i.status = 'active' order by i.code offset $3 limit 1`,
    [TOP_UP.product, TOP_UP.item, isMobile ? 3 : 2],
  )
  await sql(`update supplier_offer set is_on = false where item = $1`, [item?.['id']])
  const shopper = await newBuyer(page, baseURL ?? '')
  const goods = { item: String(item?.['code']), quantity: 1, fields: TOP_UP.fields }
  const placed = await orderOverWire(shopper, goods)
  await payOverWire(shopper, placed)
  const taker = await colleague('orders')
  const other = await colleague('orders')
  await expect
    .poll(
      async () =>
        (
          await sql(`select settled_at is not null as paid from shop_order where number = $1`, [
            placed.number,
          ])
        )[0]?.['paid'],
    )
    .toBe(true)

  const queue = await consoleOf(browser, baseURL, '/by-hand', taker)
  const row = queue.getByRole('row', { name: grouped(placed.number) })
  await examined(queue)
  await expect(queue.getByText(TOP_UP.fields.user_id)).toHaveCount(0)
  await row.getByRole('button', { name: 'Claim' }).click()
  await expect(queue.getByText(TOP_UP.fields.user_id, { exact: true })).toBeVisible()
  const elsewhere = await consoleOf(browser, baseURL, '/by-hand', other)
  const taken = elsewhere.getByRole('row', { name: grouped(placed.number) })
  await expect(taken).toContainText(taker.name)
  await expect(taken.getByRole('button', { name: 'Claim' })).toHaveCount(0)

  await queue.getByRole('button', { name: 'Mark as delivered' }).click()
  await expect(queue.getByRole('alert').first()).toBeVisible()
  await queue.getByLabel('What shows it').fill('BS-20261120-77120')
  await expect(queue.getByText('No approval is needed.')).toBeVisible()
  await examined(queue)
  await queue.getByRole('button', { name: 'Mark as delivered' }).click()
  await expect(queue.getByRole('status').filter({ hasText: 'Done.' })).toBeVisible()
  await expect(row).toHaveCount(0)
  const [unit] = await sql(
    `select u.status, u.proof from order_unit u join shop_order o on o.id = u.order_id where o.number = $1`,
    [placed.number],
  )
  expect(unit).toEqual({ status: 'delivered', proof: 'BS-20261120-77120' })
})
