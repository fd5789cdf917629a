import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { openKeys } from '../../src/platform/keys.ts'
import { dataDirectory, NO_OPERATOR, sql } from './buying/operator.ts'
import {
  cards,
  expectPaidOrder,
  newBuyer,
  orderByTransfer,
  orderOverWire,
  statusOf,
} from './buying/purchase.ts'
import { alive, consoleOf, examined, grouped, openConsole } from './console/console.ts'
import { expect, test } from './page-checks.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

test('a transfer on the bank’s statement is matched by hand, and its order delivered', async ({
  page,
  browser,
  baseURL,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '')
  const { amount, currency, ...placed } = await orderByTransfer(shopper)

  const desk = await consoleOf(browser, baseURL, '/money?view=bank')
  await desk.getByLabel('Statement, CAMT.053 or CSV').setInputFiles({
    name: 'photo.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00]),
  })
  await expect(desk.getByRole('alert')).toHaveText('This is no bank statement in CAMT.053 or CSV.')
  const written = grouped(placed.number)
  await desk.getByLabel('Statement, CAMT.053 or CSV').setInputFiles({
    name: 'statement.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      `﻿Date;Amount;Currency;Payer;Text\n2026-11-20;${amount};${currency};Ada Lovelace;for ${written}\n`,
    ),
  })
  await desk.getByRole('button', { name: 'Import 1 line' }).click()
  const line = desk.locator('section.panel').filter({ hasText: `for ${written}` })
  await expect(line).toContainText('100 of 100')
  await expect(line).toContainText('Paid in full, and delivered')
  await examined(desk)
  await line.getByRole('button', { name: /^Match/ }).click()
  await expect(line).toHaveCount(0)
  await desk.goto('/console/money?view=bank&state=closed')
  await expect(
    desk.locator('section.panel').filter({ hasText: 'Ada Lovelace' }).first(),
  ).toContainText('Matched')
  await desk.context().close()
  await expectPaidOrder(shopper, placed)
})

test('money that names no payment of the shop is matched to its order by hand, and delivers it', async ({
  page,
  browser,
  baseURL,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '')
  const placed = await orderOverWire(shopper, cards())
  const { currency, totalMinor } = await owed(placed.number)
  const reference = await payNobodyKnows(page, { currency, minor: totalMinor })

  const desk = await consoleOf(browser, baseURL, '/money')
  const service = desk.getByRole('row', { name: /sandbox/ })
  await service.getByRole('button', { name: 'Compare now' }).click()
  await expect
    .poll(async () => {
      await desk.goto('/console/money?view=unmatched')
      return desk.getByText(reference).count()
    })
    .toBe(1)
  await alive(desk)
  const money = desk.locator('section.panel').filter({ hasText: reference })
  const number = money.getByLabel('Order number')
  const match = money.getByRole('button', { name: /^Match/ })
  // A number of no order is said at its place, and nothing can be pressed.
  await number.fill('0000000000000')
  await expect(money.locator('.fx .down')).toHaveText('We can’t find that.')
  await expect(match).toBeDisabled()
  await number.fill(grouped(placed.number))
  await expect(match).toBeEnabled()
  await examined(desk)
  await match.click()
  await expect(desk.getByText(reference)).toHaveCount(0)
  await desk.goto(`/console/orders/${placed.number}`)
  await expect(desk.locator('h1')).toContainText('Completed')
  await desk.context().close()
  expect(await statusOf(shopper, placed)).toBe('completed')
})

test('payments, the books and the machine are accessible and fit every screen', async ({
  page,
  misdeeds,
}) => {
  await openConsole(page, '/money')
  for (const path of [
    '/money',
    '/money?view=methods',
    '/money/methods/card',
    '/money/providers/sandbox',
    '/money/providers/paypal',
    '/money?view=bank',
    '/money?view=unmatched',
    '/money?view=differences',
    '/money?view=ledger',
    '/system',
    '/system?view=jobs',
    '/system?view=mails&state=waiting',
    '/system?view=in',
    '/system?view=out',
  ]) {
    await page.goto(`/console${path}`)
    await expect(page.locator('h1')).toHaveCount(1)
    await examined(page)
  }
  expect(misdeeds.consoleErrors).toEqual([])
})

/** What an order is still to be paid. */
async function owed(number: string): Promise<{ currency: string; totalMinor: string }> {
  const [order] = await sql(
    `select currency, total_minor::text as "totalMinor" from shop_order where number = $1`,
    [number],
  )
  return order as { currency: string; totalMinor: string }
}

/** A payment at the demo's service that its payer has made, and that no payment of the shop knows: as a backup that is put back leaves it. @returns its name there */
async function payNobodyKnows(
  page: Page,
  { currency, minor }: { readonly currency: string; readonly minor: string },
): Promise<string> {
  const keys = openKeys({ secretKey: undefined, dataDirectory: dataDirectory ?? '' })
  const secret = keys.mac('sandbox payment', 'secret').toString('base64url')
  const sessions = '/sandbox/payment/sessions'
  const made = await page.request.post(sessions, {
    headers: { authorization: `Bearer ${secret}` },
    data: {
      our_reference: randomUUID(),
      amount: minor,
      currency,
      order_number: 'lost',
      return_url: 'http://localhost/',
      locale: 'en',
      method: 'card',
    },
  })
  expect(made.status()).toBe(201)
  const { id } = (await made.json()) as { id: string }
  const paid = await page.request.post(`${sessions}/${id}/decide`, { data: { outcome: 'approve' } })
  expect(paid.status()).toBe(200)
  return id
}
