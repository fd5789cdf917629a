import { dataDirectory, NO_OPERATOR } from './buying/operator.ts'
import { demoOperator, openConsole } from './console/console.ts'
import { expect, expectAccessible, expectNoOverflow, test } from './page-checks.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

test('an owner writes a role with limits of everything together, and sees what is left of their own', async ({
  page,
}) => {
  await openConsole(page, '/me')
  const own = page.getByRole('region', { name: 'What you may give' })
  await expect(own.getByRole('row', { name: /By any means, in 24 hours/ })).toContainText(
    'no limit',
  )
  await expectAccessible(page)
  await expectNoOverflow(page)

  await page.goto('/console/people')
  await page.getByRole('button', { name: 'New role' }).click()
  const name = `Night ${Date.now()}`
  await page.getByLabel('Name of the role').fill(name)
  await page.getByLabel('By any means, in 24 hours').fill('250')
  await page.getByRole('checkbox', { name: /order\.refund/ }).check()
  await page.locator('input[name="limit order.refund"]').fill('12.50')
  // What the bar at the top half covers on the way is no small target.
  await page.evaluate(() => scrollTo(0, 0))
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save the role' }).click()
  const question = page.getByRole('dialog')
  await question.getByLabel('Password').fill(demoOperator().password)
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('columnheader', { name })).toBeVisible()
  const total = page.getByRole('row', { name: /By any means, in 24 hours/ })
  await expect(total).toContainText('up to $250.00')
  // What nobody has written follows from the highest limit.
  await expect(page.getByRole('row', { name: /By any means, for one order/ })).toContainText(
    'up to $12.50',
  )
  await expectNoOverflow(page)
})
