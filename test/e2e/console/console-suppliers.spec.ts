import type { Page } from '@playwright/test'
import { supplySecret } from '../../../src/cli/start/running-sandboxes.ts'
import { dataDirectory, NO_OPERATOR, sql, workNow } from '../buying/operator.ts'
import { newBuyer, orderOverWire, payOverWire } from '../buying/purchase.ts'
import { expect, test } from '../page-checks.ts'
import { colleagueWho, consoleOf, examined, openConsole, prove } from './console.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)
// They buy at one supplier, and change what it lists: one after the other.
test.describe.configure({ mode: 'serial' })

/** In the long run as well: what is connected, drafted and published stays. */
const ONCE = 'a supplier is connected once'
const SUPPLIER = 'kinguin'
const PAGE = `/console/suppliers/${SUPPLIER}`
const secret = () =>
  supplySecret({ secretKey: undefined, dataDirectory: dataDirectory ?? '' }).reveal()

/** Somebody who may approve settings of suppliers, and nothing that another journey asks about. */
const approver = () =>
  colleagueWho('buying', ['supplier.read', 'supplier.change', 'approval.decide'])

/** Starts a sync, and waits for its line among the runs. */
async function sync(page: Page, button: 'Dry run' | 'Sync now'): Promise<void> {
  const count = async () => {
    const [row] = await sql(
      `select count(*)::integer as count from supply_sync_run where supplier = $1 and outcome = 'done'`,
      [SUPPLIER],
    )
    return Number(row?.['count'])
  }
  const before = await count()
  await page.goto(`${PAGE}?view=catalogue`)
  await page.getByRole('button', { name: button }).click()
  await expect(page.getByText('The worker starts within seconds')).toBeVisible()
  await expect.poll(count, { timeout: 60_000 }).toBe(before + 1)
}

test('a supplier is connected, approved by a second person, synchronised and sold through', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  test.skip(isMobile, ONCE)
  test.slow()
  const second = await approver()
  await openConsole(page, '/suppliers')
  await expect(page.getByRole('row', { name: /Kinguin/ })).toContainText('Healthy')
  await examined(page)

  await page.goto(PAGE)
  await expect(page.getByText('The demo buys from its own sandbox')).toBeVisible()
  await examined(page)
  const key = page.getByLabel('KINGUIN_API_KEY')
  const effect = page.locator('.fx').first()
  await key.fill('a-key-of-somebody-else')
  await page.getByRole('button', { name: 'Test and show effect' }).click()
  await prove(page)
  await expect(effect).toContainText('Refused by the service')
  await key.fill(secret())
  await page.getByRole('button', { name: 'Test and show effect' }).click()
  await expect(effect).toContainText('Accepted by the service')
  await expect(effect).toContainText('Balance')
  await expect(effect).toContainText('A second person must approve it.')
  await page.getByRole('button', { name: 'Request approval' }).click()
  await expect(page.getByText('Until then the old settings hold')).toBeVisible()
  expect(await page.content()).not.toContain(secret())

  const other = await consoleOf(browser, baseURL, '/approvals', second)
  const request = other.getByRole('region', { name: /Supplier settings/ })
  await expect(request).toContainText('KINGUIN_API_KEY')
  await request.getByRole('button', { name: /^Approve/ }).click()
  await expect(request).toHaveCount(0)
  await page.goto(PAGE)
  await expect(page.getByText(/^Set on .* by demo/)).toBeVisible()

  await sync(page, 'Dry run')
  expect(await sql(`select from supplier_product where supplier = $1`, [SUPPLIER])).toHaveLength(0)
  await sync(page, 'Sync now')
  await page.goto(`${PAGE}?view=catalogue&list=draft`)
  await examined(page)
  const draft = page.getByRole('row', { name: /Sandbox card 9001/ })
  await draft.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Publish selected' }).click()
  await expect(page.getByText('Done: 1')).toBeVisible()

  const [made] = await sql(
    `select i.code from supplier_product l join item i on i.id = l.item where l.supplier = $1 and l.name like '%9001%'`,
    [SUPPLIER],
  )
  const shop = await browser.newPage(baseURL === undefined ? {} : { baseURL })
  const buyer = await newBuyer(shop, baseURL ?? '')
  let bought = ''
  // What is published is in the shop within two seconds.
  await expect(async () => {
    const placed = await orderOverWire(buyer, { item: String(made?.['code']), quantity: 1 })
    bought = placed.number
    await payOverWire(buyer, placed)
  }).toPass()
  await workNow('supply')
  await expect
    .poll(
      async () =>
        (
          await sql(
            `select p.supplier, p.status from purchase p join shop_order o on o.id = p.order_id where o.number = $1`,
            [bought],
          )
        )[0],
      { timeout: 60_000 },
    )
    .toEqual({ supplier: SUPPLIER, status: 'done' })
  await page.goto(`/console/orders/${bought}`)
  await expect(page.locator('main')).toContainText('Kinguin')
})

test('a cost that jumped waits, with its effect, and is approved; the supplier is switched off', async ({
  page,
  isMobile,
}) => {
  test.skip(isMobile, ONCE)
  test.slow()
  // What it was bought for before is half of what is listed.
  await sql(
    `update supplier_offer o set cost_minor = floor(o.cost_minor / 2) from supplier_product l
      where l.supplier = $1 and l.name like '%9002%' and o.supplier = l.supplier and o.item = l.item`,
    [SUPPLIER],
  )
  await openConsole(page, `/suppliers/${SUPPLIER}?view=catalogue`)
  await sync(page, 'Sync now')
  await page.goto(`${PAGE}?view=catalogue&list=jumps`)
  const jump = page.getByRole('row', { name: /Sandbox card 9002/ })
  await expect(jump).toContainText(/\+10\d%/)
  await examined(page)
  await jump.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Approve selected' }).click()
  await expect(page.getByText('Done: 1')).toBeVisible()
  const taken = await sql(
    `select from audit_log where action = 'accept_cost' and subject_code like $1`,
    [`${SUPPLIER} %`],
  )
  expect(taken).toHaveLength(1)

  await page.goto(PAGE)
  await page.getByRole('button', { name: 'Stop buying here' }).click()
  await page.locator('.fx').getByRole('button', { name: 'Stop buying here' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Off')

  for (const path of [
    '/suppliers?view=rule',
    '/suppliers?view=doubts',
    '/suppliers/hook?view=routing',
    '/suppliers/hook?view=books',
  ]) {
    await page.goto(`/console${path}`)
    await examined(page)
  }
})
