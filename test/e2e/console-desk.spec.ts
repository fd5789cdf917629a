import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { dataDirectory, NO_OPERATOR, sql } from './buying/operator.ts'
import { buyOverWire, cards, newBuyer, orderOverWire } from './buying/purchase.ts'
import {
  alive,
  colleague,
  consoleOf,
  examined,
  grouped,
  openConsole,
  prove,
} from './console/console.ts'
import { expect, skipOffScreen, test } from './page-checks.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

test('the console speaks one’s language, from right to left, and remembers how it looks', async ({
  browser,
  baseURL,
  isMobile,
}) => {
  const somebody = await colleague('support')
  const desk = await consoleOf(browser, baseURL, '', somebody)
  if (isMobile) await desk.setViewportSize({ width: 390, height: 844 })
  await desk.getByRole('button', { name: somebody.name }).click()
  await desk.getByLabel('Look').selectOption('dark')
  await expect(desk.locator('html')).toHaveAttribute('data-theme', 'dark')
  await desk.getByLabel('Language').selectOption('ar')
  await expect(desk.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(desk.locator('html')).toHaveAttribute('data-theme', 'dark')
  await examined(desk)
  await desk.context().close()
})

test('somebody looks after their own sign-in: factors, sessions, name and password', async ({
  browser,
  baseURL,
}) => {
  const somebody = await colleague('support')
  const page = await consoleOf(browser, baseURL, '', somebody)
  const elsewhere = await consoleOf(browser, baseURL, '', somebody)
  await page.getByRole('button', { name: new RegExp(somebody.name) }).click()
  await page.getByRole('link', { name: 'Your account' }).click()
  await expect(page).toHaveURL(/\/console\/me$/)
  await examined(page)

  await page.getByLabel('Name that colleagues read').fill('Sam Doe')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(page.getByRole('button', { name: /Sam Doe/ })).toBeVisible()

  // The other browser is signed out, and this one stays.
  await expect(page.getByText('This browser')).toBeVisible()
  await page.getByRole('button', { name: 'End all other sessions' }).click()
  await expect(page.getByRole('button', { name: 'End all other sessions' })).toHaveCount(0)
  await elsewhere.goto('/console')
  await expect(elsewhere).toHaveURL(/sign-in/)

  await page.getByRole('button', { name: 'Use an authenticator app' }).click()
  await prove(page)
  const seed = await page.locator('p.mono').innerText()
  const code = new TOTP({ secret: Secret.fromBase32(seed.replaceAll(' ', '')) }).generate()
  await page.getByLabel('Code from your app').fill('000000')
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByLabel('Code from your app').fill(code)
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await expect(page.getByRole('heading', { name: 'Keep these recovery codes' })).toBeVisible()
  await examined(page)
  const old = await page.locator('li.mono').first().innerText()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByText('10 codes are left.')).toBeVisible()
  await page.getByRole('button', { name: 'Make ten new codes' }).click()
  await expect(page.locator('li.mono')).toHaveCount(10)
  await expect(page.locator('li.mono').first()).not.toHaveText(old)

  // The password asks for nothing more within ten minutes.
  await page.getByLabel('New password').fill('short but long')
  await page.getByLabel('New password').fill(`${somebody.name} is bad`)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Use 12 to 128 characters')).toBeVisible()
  await page.getByLabel('New password').fill('a new horse battery')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(
    page.getByRole('form', { name: 'Password' }).getByRole('status').filter({ hasText: 'Saved.' }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Remove Authenticator app' }).click()
  await expect(page.getByText('None yet')).toBeVisible()
  await page.context().close()
  await elsewhere.context().close()
})

test('a passkey is made, and taken away', async ({ browser, baseURL, isMobile }) => {
  skipOffScreen(isMobile, 'desktop')
  const page = await consoleOf(browser, baseURL, '/me', await colleague('support'))
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.getByLabel('Name of the new passkey').fill('Phone')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await prove(page)
  await expect(page.getByText('Phone', { exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Remove Phone' }).click()
  await expect(page.getByText('None yet')).toBeVisible()
  await page.context().close()
})

/** Opens a page whose scripts are kept back until the answer is called. */
async function openHeldBack(page: Page, path: string): Promise<() => Promise<void>> {
  let goOn = () => {}
  const held = new Promise<void>((resolve) => (goOn = resolve))
  await page.route(/\/console\/assets\/.*\.js/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`/console${path}`, { waitUntil: 'commit' })
  await page.locator('#main h1').waitFor()
  expect(await page.evaluate(() => document.documentElement.dataset['alive'])).toBeUndefined()
  return async () => {
    goOn()
    await alive(page)
  }
}

test('what is typed and chosen before a page is alive is kept', async ({ page }) => {
  await openConsole(page)
  const cameAlive = await openHeldBack(page, '/selling')
  await page.getByLabel('What to stop').selectOption('supplier')
  await page.getByLabel('Reason').fill('Typed early.')
  await cameAlive()
  await expect(page.getByLabel('What to stop')).toHaveValue('supplier')
  // Its field is there because the form knows of the choice; what is drawn next writes back what the form knows.
  await page.getByLabel('Its code').pressSequentially('no-such-supplier')
  await expect(page.getByLabel('Reason')).toHaveValue('Typed early.')
  await expect(page.getByLabel('Its code')).toHaveValue('no-such-supplier')
  await page.unroute(/\/console\/assets\/.*\.js/)

  const templates = await openHeldBack(page, '/templates')
  await page.getByLabel('Name').last().fill('Early')
  await page.getByLabel('Text').last().fill('A text of several\nlines.')
  await templates()
  await page.getByLabel('Name').last().press('End')
  await page.getByLabel('Name').last().pressSequentially(' bird')
  await expect(page.getByLabel('Name').last()).toHaveValue('Early bird')
  await expect(page.getByLabel('Text').last()).toHaveValue('A text of several\nlines.')
})

test('an order leads to its customer and back, and a list shows the columns one chose', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '')
  const placed = await buyOverWire(shopper, cards())
  const address = `/orders/${placed.number}`
  const desk = await consoleOf(browser, baseURL, address, await colleague('support'))
  await desk.getByRole('link', { name: shopper.userName }).click()
  await expect(desk.getByRole('heading', { level: 1 })).toContainText(shopper.userName)
  await desk.locator('a.back').click()
  await expect(desk).toHaveURL(new RegExp(`/orders/${placed.number}$`))

  // A role that may not see people sees a name and no way to them.
  const other = await consoleOf(browser, baseURL, address, await colleague('catalogue'))
  await expect(other.locator('#main')).toContainText(shopper.userName)
  await expect(other.getByRole('link', { name: shopper.userName })).toHaveCount(0)
  await other.context().close()

  await desk.goto('/console/orders?view=done')
  await alive(desk)
  await expect(desk.locator('.views [aria-current] .n')).toHaveText(/^\d[\d,]*\+?$/)
  await examined(desk)
  await desk.getByText('Columns', { exact: true }).click()
  await desk.getByRole('checkbox', { name: 'Method', exact: true }).uncheck()
  await desk.getByRole('checkbox', { name: 'Total', exact: true }).uncheck()
  await expect(desk.locator('td .money')).toHaveCount(0)
  await desk.reload()
  await expect(desk.locator('td .money')).toHaveCount(0)
  if (!isMobile) await expect(desk.locator('th', { hasText: 'Customer' })).toBeVisible()
  await desk.context().close()
})

test('whoever opens an order that somebody has before them is told, and told when they go', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  skipOffScreen(isMobile, 'desktop')
  const shopper = await newBuyer(page, baseURL ?? '')
  const placed = await buyOverWire(shopper, cards())
  const anna = await colleague('support')
  const bao = await colleague('orders')
  const first = await consoleOf(browser, baseURL, `/orders/${placed.number}`, anna)
  const second = await consoleOf(browser, baseURL, `/orders/${placed.number}`, bao)
  await expect(second.getByText(`${anna.name} is looking at this`)).toBeVisible()
  await expect(first.getByText(`${bao.name} is looking at this`)).toBeVisible()
  await examined(second)
  await first.goto('/console/orders')
  await expect(second.getByText(/is looking at this/)).toHaveCount(0, { timeout: 5_000 })
  await first.goto(`/console/orders/${placed.number}`)
  await expect(second.getByText(`${anna.name} is looking at this`)).toBeVisible({ timeout: 5_000 })
  await first.context().close()
  await expect(second.getByText(/is looking at this/)).toHaveCount(0, { timeout: 20_000 })
  await second.context().close()
  await expect
    .poll(
      async () =>
        (
          await sql(
            `select from order_looker l join shop_order o on o.id = l.order_id where o.number = $1`,
            [placed.number],
          )
        ).length,
    )
    .toBe(0)
})

test('several orders are cancelled though the page is closed, and what could not be done is told', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  skipOffScreen(isMobile, 'desktop')
  const shopper = await newBuyer(page, baseURL ?? '')
  const placed = [await orderOverWire(shopper, cards()), await orderOverWire(shopper, cards())]
  const somebody = await colleague('orders')
  const desk = await consoleOf(browser, baseURL, '/orders?view=unpaid', somebody)
  for (const { number } of placed)
    await desk.getByRole('checkbox', { name: new RegExp(grouped(number)) }).check()
  await examined(desk)
  const asked = desk.waitForResponse(/orders\/several$/)
  await desk.getByRole('button', { name: 'Cancel order' }).click()
  await asked
  await desk.goto('about:blank')
  await expect
    .poll(
      async () =>
        (
          await sql(`select from shop_order where status = 'cancelled' and number = any($1)`, [
            placed.map(({ number }) => number),
          ])
        ).length,
    )
    .toBe(2)
  await desk.goto('/console/orders?view=unpaid')
  await alive(desk)
  await expect(desk.getByText('2 of 2 done')).toBeVisible()
  await desk.getByRole('button', { name: 'Close' }).click()
  await expect(desk.getByText('2 of 2 done')).toHaveCount(0)

  // One that is over cannot be cancelled: it is left alone, and why is told.
  const paid = await buyOverWire(shopper, cards())
  await desk.goto('/console/orders?view=done')
  await alive(desk)
  await desk.getByRole('checkbox', { name: new RegExp(grouped(paid.number)) }).check()
  await desk.getByRole('button', { name: 'Cancel order' }).click()
  await expect(desk.getByText('This order can no longer be changed or paid.')).toBeVisible()
  await examined(desk)
  await desk.context().close()
})

test('keys that are kept back leave as a file, once', async ({ page, isMobile }) => {
  skipOffScreen(isMobile, 'desktop')
  const [batch] = await sql(
    `select b.id, i.code from key_batch b join item i on i.id = b.item join card_key k on k.batch_id = b.id and k.status = 'free' order by b.created_at desc limit 1`,
  )
  await openConsole(page, `/keys/${String(batch?.['code'])}/${String(batch?.['id'])}`)
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Quarantine', exact: true }).first().click()
  await page.getByLabel('Reason').first().fill('Goes back to the supplier.')
  await page.locator('form').getByRole('button', { name: 'Quarantine', exact: true }).click()
  await page.getByRole('button', { name: 'Export…' }).click()
  await page.getByLabel('Reason').last().fill('Goes back to the supplier.')
  await examined(page)
  await page.getByRole('button', { name: 'Ask for the file' }).click()
  await prove(page)
  const take = page.getByRole('button', { name: 'Take the file' }).first()
  await expect(take).toBeVisible()
  const coming = page.waitForEvent('download')
  await take.click()
  expect((await coming).suggestedFilename()).toMatch(/\.csv$/)
  await expect(page.getByText('Taken', { exact: true }).first()).toBeVisible()
  await examined(page)
})
