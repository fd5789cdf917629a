import { dataDirectory, NO_OPERATOR } from './buying/operator.ts'
import { expectPaidOrder, newBuyer, orderByTransfer } from './buying/purchase.ts'
import { consoleOf, examined, grouped, openConsole } from './console/console.ts'
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
