import type { Page } from '@playwright/test'
import { dataDirectory, NO_OPERATOR } from './buying/operator.ts'
import { expectPaidOrder, newBuyer, orderByTransfer } from './buying/purchase.ts'
import { grouped, openConsole } from './console/console.ts'
import { expect, expectAccessible, expectNoOverflow, test } from './page-checks.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

/** Has a line of the bank's statement name an order, and matches it. */
async function matchTransfer(
  desk: Page,
  order: string,
  { amount, currency }: { readonly amount: string; readonly currency: string },
): Promise<void> {
  await desk.goto('/console/money?view=bank')
  await desk.waitForFunction(() => document.documentElement.dataset['alive'] !== undefined)
  const written = grouped(order)
  await desk.getByLabel('Statement, CAMT.053 or CSV').setInputFiles({
    name: 'statement.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      `Date;Amount;Currency;Payer;Text\n2026-11-20;${amount};${currency};Ada Lovelace;for ${written}\n`,
    ),
  })
  await desk.getByRole('button', { name: 'Import 1 line' }).click()
  const line = desk.locator('section.panel').filter({ hasText: `for ${written}` })
  await line.getByRole('button', { name: /^Match/ }).click()
  await expect(line).toHaveCount(0)
}

async function openOrder(desk: Page, order: string): Promise<void> {
  await desk.goto(`/console/orders/${order}`)
  await desk.waitForFunction(() => document.documentElement.dataset['alive'] !== undefined)
}

async function act(desk: Page, name: string): Promise<void> {
  await desk.getByRole('button', { name, exact: true }).first().click()
  const panel = desk.locator('aside section.panel').filter({ has: desk.locator('form') })
  await expect(panel.locator('.fx')).toContainText('approv')
  await panel.getByRole('button', { name, exact: true }).click()
}

test('money for an order that was cancelled is accepted, and the order delivered', async ({
  page,
  browser,
  baseURL,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '')
  const { amount, currency, ...placed } = await orderByTransfer(shopper)

  const office = await browser.newContext({ baseURL: baseURL ?? '' })
  try {
    const desk = await office.newPage()
    await openConsole(desk, `/orders/${placed.number}`)
    await act(desk, 'Cancel order')
    await expect(desk.locator('h1')).toContainText('Cancelled')
    await matchTransfer(desk, placed.number, { amount, currency })

    await openOrder(desk, placed.number)
    await desk.getByRole('button', { name: 'Accept the money' }).first().click()
    const effect = desk.locator('aside .fx')
    await expect(effect).toContainText('Received')
    await expect(effect).toContainText('The order is opened again at its old prices.')
    await expect(effect).toContainText('Everything it needs can be reserved.')
    await expectAccessible(desk)
    await expectNoOverflow(desk)
    await desk.locator('aside form').getByRole('button', { name: 'Accept the money' }).click()
    await expect(desk.locator('h1')).toContainText('Completed')
    await expect(desk.getByRole('button', { name: 'Accept the money' })).toHaveCount(0)
  } finally {
    await office.close()
  }
  await expectPaidOrder(shopper, placed)
})

test('a part of the price is taken for the whole, and the shop bears the rest', async ({
  page,
  browser,
  baseURL,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '')
  const { amount: asked, currency, ...placed } = await orderByTransfer(shopper)
  const amount = (Number(asked) - 0.5).toFixed(2)

  const office = await browser.newContext({ baseURL: baseURL ?? '' })
  try {
    const desk = await office.newPage()
    await openConsole(desk, '/money?view=bank')
    await matchTransfer(desk, placed.number, { amount, currency })
    await openOrder(desk, placed.number)
    await desk.getByRole('button', { name: 'Accept the money' }).first().click()
    const effect = desk.locator('aside .fx')
    await expect(effect).toContainText('Your shop bears')
    await expect(effect).toContainText('0.50')
    await expectAccessible(desk)
    await expectNoOverflow(desk)
    await desk.locator('aside form').getByRole('button', { name: 'Accept the money' }).click()
    await expect(desk.locator('h1')).toContainText('Completed')
    await expect(desk.locator('main')).toContainText('Shortfall covered')
  } finally {
    await office.close()
  }
})
