import { randomUUID } from 'node:crypto'
import { dataDirectory, NO_OPERATOR, sql } from '../buying/operator.ts'
import {
  ASKED_AS_NOBODY,
  expect,
  expectAccessible,
  expectNoLayoutShift,
  expectNoOverflow,
  test,
} from '../page-checks.ts'
import { fillSignIn, openConsole } from './console.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

const PAGES = ['', '/me', '/orders', '/approvals', '/people', '/audit', '/nowhere'] as const

test('whoever is not signed in is led to the sign-in, and from there to what was asked for', async ({
  page,
  misdeeds,
}) => {
  await page.goto('/console/orders?view=all')
  await expect(page).toHaveURL(/\/console\/sign-in\?to=/)
  await expectAccessible(page)
  await fillSignIn(page, { name: 'demo', password: 'wrong horse battery' })
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page.locator('input[name=account]')).toHaveValue('demo')
  await fillSignIn(page)
  await expect(page).toHaveURL(/\/console\/orders\?view=all$/)
  await expect(page.locator('h1')).toHaveText('Orders')
  expect(misdeeds.consoleErrors).toEqual([])
})

test('its pages are accessible, fit every screen and stand still', async ({ page, misdeeds }) => {
  // What others do meanwhile is told by the stream, and is another matter.
  await page.route('**/api/console/changes', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: 'retry: 3600000\n\n' }),
  )
  await openConsole(page)
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    for (const path of PAGES) {
      await page.goto(`/console${path}`)
      await expect(page.locator('h1')).toHaveCount(1)
      await expectAccessible(page)
      await expectNoOverflow(page)
      await expectNoLayoutShift(page)
      // A class that says how what pops up is laid out must not show it while it is closed.
      const shownClosed = await page.evaluate(() =>
        [...document.querySelectorAll('[popover]:not(:popover-open)')]
          .filter((element) => element.checkVisibility())
          .map((element) => element.className),
      )
      expect(shownClosed).toEqual([])
    }
  }
  // The page that is not there says so to the browser as well.
  misdeeds.consoleErrors.length = 0
})

test('goes by keys: palette, shortcuts, pages', async ({ page, isMobile }) => {
  test.skip(isMobile, 'has no keys')
  await openConsole(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('audi')
  await expect(page.locator('[role=listbox] [aria-selected=true]')).toContainText('audi')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/console\/audit$/)
  await page.locator('h1').click()
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await expect(page).toHaveURL(/\/console\/orders$/)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
})

test('tells within seconds what changes elsewhere, without moving what is read', async ({ page }, {
  project,
}) => {
  // Colleagues are at work beside it: only this line is its own.
  const actor = `somebody-${project.name}-${randomUUID()}`
  await openConsole(page, '/audit')
  const line = page.locator('main').getByText(actor)
  await sql(
    `insert into audit_log (id, at, actor, request_id, action, subject, subject_code) values (uuidv7(), now(), '${actor}', 'test', 'setting.changed', 'setting', 'test')`,
  )
  const pill = page.getByRole('button', { name: /has changed/ })
  await expect(pill).toBeVisible()
  await expect(line).toHaveCount(0)
  await pill.click()
  await expect(line).toBeVisible()
})

test('asks over the page for the sign-in when the session has ended, and goes on', async ({
  page,
  misdeeds,
}) => {
  await openConsole(page, '/selling')
  await page.getByLabel('What to stop').selectOption('product')
  await page.getByLabel('Its code').fill('no-such-product')
  await page.getByLabel('Reason').fill('Codes are reported faulty.')
  misdeeds.expected.push(ASKED_AS_NOBODY, /status of 404/)
  await page.context().clearCookies()
  await page.getByLabel('Reason').press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Your session ended' })
  await expect(dialog).toBeVisible()
  await fillSignIn(page)
  await expect(dialog).toHaveCount(0)
  // The same call went on, with what was typed.
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  await expect(page.getByLabel('Reason')).toHaveValue('Codes are reported faulty.')
})
