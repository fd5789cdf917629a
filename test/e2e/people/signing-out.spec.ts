import { bringToLife, expect, test } from '../page-checks.ts'
import {
  accountButton,
  expectSignedIn,
  expectVisitor,
  newShopper,
  post,
  registerOverWire,
  type Shopper,
} from './shopper.ts'

/** Choices of the browser, which say nothing of who used it. */
const SURVIVES = {
  consent: 'refuse',
  theme: 'dark',
  user_selection: '%7B%22country_code%22%3A%22DE%22%7D',
}

test.beforeEach(({ context, baseURL }) =>
  context.addCookies(
    Object.entries(SURVIVES).map(([name, value]) => ({ name, value, url: baseURL ?? '' })),
  ),
)

/** Somebody signed in who has left traces in this browser, on a page that is made for them. */
async function beThere(shopper: Shopper): Promise<void> {
  await registerOverWire(shopper)
  await shopper.open('/search?keywords=steam')
  await expectSignedIn(shopper)
  await shopper.page.evaluate(() => {
    localStorage.setItem('cart', '[]')
    // Counted today: nothing about the person, and they are not to be counted again.
    localStorage.setItem('visit', '2026-11-22')
  })
  await shopper.open('/userDetail')
  await expect(shopper.page.locator('main')).toContainText(shopper.email.slice(-12))
}

async function pressSignOut(shopper: Shopper): Promise<void> {
  await accountButton(shopper, shopper.userName).click()
  await shopper.press(shopper.t('shell.signOut'))
}

async function expectNothingStored({ page, userName, email }: Shopper): Promise<void> {
  const kept = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]),
  )
  for (const trace of [userName, email, 'steam', 'userinfo', 'signed_in'])
    expect(kept).not.toContain(trace)
  expect(await page.evaluate(() => localStorage.getItem('visit'))).toBe('2026-11-22')
  const cookies = await page.context().cookies()
  for (const [name, value] of Object.entries(SURVIVES))
    expect(cookies).toContainEqual(expect.objectContaining({ name, value }))
}

/** Whether the shop still knows the session that the browser's cookie names. */
const isKnown = async (shopper: Shopper) =>
  (await shopper.page.context().request.get('/api/user/profile')).status() === 200

async function expectNothingPersonal({ page, email, userName }: Shopper): Promise<void> {
  await expect(page.locator('body')).not.toContainText(email)
  await expect(page.locator('body')).not.toContainText(userName)
}

test('without a connection somebody is signed out here at once, and at the shop as soon as it can be reached', async ({
  page,
  context,
  baseURL,
  misdeeds,
}) => {
  const shopper = newShopper(page, baseURL ?? '')
  await beThere(shopper)
  await context.setOffline(true)
  await pressSignOut(shopper)
  await expect(page.getByText(shopper.t('shell.signOutFailed'))).toBeVisible()
  await expectVisitor(shopper)
  await expectNothingPersonal(shopper)
  await expectNothingStored(shopper)
  await context.setOffline(false)
  await expect.poll(() => isKnown(shopper)).toBe(false)
  await page.goBack()
  await expectNothingPersonal(shopper)
  // The browser itself writes a line about each request that found no connection.
  misdeeds.consoleErrors.splice(0)
})

test('a shop that fails to end a session is told again, also by the next page', async ({
  page,
  baseURL,
  misdeeds,
}) => {
  const shopper = newShopper(page, baseURL ?? '')
  await beThere(shopper)
  await page.route('**/api/user/logout*', (route) => route.fulfill({ status: 503, body: '{}' }))
  await pressSignOut(shopper)
  await expectVisitor(shopper)
  await expectNothingStored(shopper)
  expect(await isKnown(shopper)).toBe(true)
  await page.unroute('**/api/user/logout*')
  await shopper.open('/userDetail')
  await expect(page).toHaveURL(/\/login\?redirect=/)
  expect(await isKnown(shopper)).toBe(false)
  await expectNothingPersonal(shopper)
  misdeeds.consoleErrors.splice(0)
})

test('who signs in again before the shop has heard of it stays signed in', async ({
  page,
  baseURL,
  misdeeds,
}) => {
  const shopper = newShopper(page, baseURL ?? '')
  await beThere(shopper)
  await page.route('**/api/user/logout*', (route) => route.fulfill({ status: 503, body: '{}' }))
  await pressSignOut(shopper)
  await expectVisitor(shopper)
  await page.unroute('**/api/user/logout*')
  const { email, password } = shopper
  expect(await post(shopper, 'user/login', { account: email, password })).toMatchObject({ code: 1 })
  await shopper.open('/cards')
  await expectSignedIn(shopper)
  expect(await isKnown(shopper)).toBe(true)
  misdeeds.consoleErrors.splice(0)
})

test('going back after signing out shows nothing of the person', async ({ page, baseURL }) => {
  const shopper = newShopper(page, baseURL ?? '')
  await beThere(shopper)
  await shopper.open('/cards')
  await expectSignedIn(shopper)
  await pressSignOut(shopper)
  await expect(page).toHaveURL(/\/middle\?url=/)
  await expectNothingStored(shopper)
  for (let back = 0; back < 2; back += 1) {
    await page.goBack()
    await bringToLife(page)
    await expectVisitor(shopper)
    await expectNothingPersonal(shopper)
  }
})

test('a page that the browser kept in its memory is asked for anew once its person has gone', async ({
  page,
  context,
  baseURL,
}) => {
  const shopper = newShopper(page, baseURL ?? '')
  await beThere(shopper)
  // As another tab does that signs out.
  await context.clearCookies({ name: /^(?:sid|signed_in)$/ })
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await expectNothingPersonal(shopper)
})
