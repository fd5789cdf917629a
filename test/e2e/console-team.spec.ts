import type { Browser, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { dataDirectory, NO_OPERATOR, sql, workNow } from './buying/operator.ts'
import { openConsole, prove } from './console/console.ts'
import { openMailbox } from './mailbox.ts'
import { expect, expectAccessible, skipOffScreen, test } from './page-checks.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

const PASSWORD = 'correct horse battery'

const codeOf = (seed: string, stepsOn = 0) =>
  new TOTP({ secret: Secret.fromBase32(seed.replaceAll(' ', '')) }).generate({
    timestamp: Date.now() + stepsOn * 30_000,
  })

/** A browser of somebody else, with nothing of the first. */
async function elsewhere(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  return context.newPage()
}

test('somebody is invited, comes in with a code of their app, and later loses it', async ({
  page,
  browser,
  baseURL,
  isMobile,
}, { project, retry }) => {
  skipOffScreen(isMobile, 'desktop')
  const name = `lena-${project.name}-${retry}`
  const email = `${name}@shop.example`
  await openConsole(page, '/people')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const form = page.getByRole('region', { name: 'Invite' })
  await form.getByLabel('Email').fill('not an address')
  await form.getByLabel('Name to sign in with').fill(name)
  await form.getByLabel('Role').selectOption({ label: 'Support' })
  await form.getByRole('button', { name: 'Send the invitation' }).click()
  await prove(page)
  await expect(form.getByText('Enter an email address like name@example.com.')).toBeVisible()
  await form.getByLabel('Email').fill(email)
  await form.getByRole('button', { name: 'Send the invitation' }).click()
  await expect(page.getByRole('row', { name: new RegExp(email) })).toContainText('Open until')

  const other = await elsewhere(browser, baseURL)
  const link = await openMailbox(baseURL ?? '', email).takeLink('/console/invitation')
  await other.goto(link)
  await expect(other.getByText(name, { exact: true })).toBeVisible()
  await expectAccessible(other)
  await other.getByLabel('Choose a password').fill('short')
  await other.getByRole('button', { name: 'Create my account' }).click()
  await expect(other.getByText('Use 12 to 128 characters')).toBeVisible()
  await other.getByLabel('Choose a password').fill(PASSWORD)
  await other.getByRole('button', { name: 'Create my account' }).click()
  await other.getByRole('button', { name: 'Use an authenticator app' }).click()
  const seed = await other.locator('p.mono').innerText()
  await other.getByLabel('Code from your app').fill(codeOf(seed))
  await other.getByRole('button', { name: 'Turn it on' }).click()
  await other.getByRole('button', { name: 'I have kept them' }).click()
  await expect(other).toHaveURL(/\/console$/)
  await other.goto('/console/people')
  await expect(other.getByText('Your role does not show this')).toBeVisible()

  const third = await elsewhere(browser, baseURL)
  await third.goto(link)
  await expect(third.getByText('This link has ended')).toBeVisible()
  await third.goto('/console/sign-in')
  await third.getByLabel('Email or name').fill(email)
  await third.getByLabel('Password').fill(PASSWORD)
  await third.getByRole('button', { name: 'Sign in', exact: true }).click()
  await third.getByRole('button', { name: 'I lost my second factor' }).click()
  await third.getByRole('button', { name: 'Tell them' }).click()
  await expect(third.getByText('They have been told')).toBeVisible()

  // The demo has nobody who could be the third: it takes a day, and can be stopped.
  await page.goto('/console/people')
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('Says the factor is lost')
  await row.getByRole('button', { name: 'Change' }).click()
  await page.getByRole('button', { name: 'Reset the lost factor' }).click()
  await expect(row).toContainText('Reset at')
  await openMailbox(baseURL ?? '', email).take('A second factor is being reset at Lukado')
  await page.getByRole('button', { name: 'Stop the reset' }).click()
  await expect(row).toContainText('Active')
  // Their factor is still the one they had: the next code of it lets them in.
  await third.goto('/console/sign-in')
  await third.getByLabel('Email or name').fill(name)
  await third.getByLabel('Password').fill(PASSWORD)
  await third.getByRole('button', { name: 'Sign in', exact: true }).click()
  await third.getByLabel(/Code from your app/).fill(codeOf(seed, 1))
  await third.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(third).toHaveURL(/\/console$/)
  // Asked for again and stopped by nobody it is done: no session is left, and the next sign-in makes another factor.
  await page.getByRole('button', { name: 'Reset the lost factor' }).click()
  await expect(row).toContainText('Reset at')
  await sql(
    `update operator_factor_reset set due_at = now() - interval '1 minute' where state = 'delayed' and operator_id = (select id from operator where name = $1)`,
    [name],
  )
  await workNow('factor_resets')
  await expect
    .poll(async () => {
      await third.goto('/console')
      return third.url()
    })
    .toContain('/sign-in')
  await third.getByLabel('Email or name').fill(name)
  await third.getByLabel('Password').fill(PASSWORD)
  await third.getByRole('button', { name: 'Sign in', exact: true }).click()
  // A demo lets them in without; anywhere else they make another first.
  await expect(third).toHaveURL(/\/console$/)
  await page.goto('/console/people')
  await expect(row).toContainText('None')
  await row.getByRole('button', { name: 'Change' }).click()
  // Shut out, the page that is open leads to the sign-in.
  await page.getByRole('button', { name: 'Suspend' }).click()
  await expect(row).toContainText('Suspended')
  await third.goto('/console')
  await expect(third).toHaveURL(/\/console\/sign-in/)
})
