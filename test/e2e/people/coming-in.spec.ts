import { expect, test, skipOffScreen } from '../page-checks.ts'
import {
  accountButton,
  expectSignedIn,
  expectVisitor,
  newPassword,
  newShopper,
  type Shopper,
} from './shopper.ts'

// The banner would lie over what is pressed.
test.beforeEach(({ context, baseURL }) =>
  context.addCookies([{ name: 'consent', value: 'refuse', url: baseURL ?? '' }]),
)

for (const [language, screen] of [
  ['en', 'desktop'],
  ['ar', 'phone'],
  ['ja', 'phone'],
] as const) {
  test(`somebody registers by code, forgets the password twice, guesses, and comes back (${language})`, async ({
    page,
    baseURL,
    isMobile,
    misdeeds,
  }) => {
    skipOffScreen(isMobile, screen)
    const shopper = newShopper(page, baseURL ?? '', {
      language,
      isExamined: language !== 'ja',
    })
    await test.step('register by code', () => registerByCode(shopper))
    await test.step('sign out', () => signOut(shopper))
    const changed = { ...shopper, password: newPassword() }
    await test.step('forgotten password by code', () => resetByCode(shopper, changed.password))
    await test.step('sign in by address', () => signIn(changed, changed.email))
    await page.context().clearCookies({ name: /^(?:sid|signed_in)$/ })
    await test.step('guess until the pause', () => guess(changed))
    // Chromium itself writes a line about an answer of 429.
    misdeeds.consoleErrors.splice(0)
    const again = { ...shopper, password: newPassword() }
    await test.step('forgotten password by link', () => resetByLink(shopper, again.password))
    await test.step('sign in by user name', () => signIn(again, again.userName))
  })

  test(`somebody registers by the mailed link, which works once (${language})`, async ({
    page,
    baseURL,
  }) => {
    const shopper = newShopper(page, baseURL ?? '', { language })
    const { t } = shopper
    await shopper.open('/register?redirect=%2Fcards')
    await shopper.fill(t('sign-in.email'), shopper.email)
    await shopper.press(t('form.sendCode'))
    const link = await shopper.mailbox.takeLink('/mobile/register')
    expect(link.startsWith(`${shopper.at('/mobile/register')}?key=`)).toBe(true)
    // Mail programs look at links before people do: that uses up nothing.
    for (let look = 0; look < 3; look += 1)
      expect((await page.request.get(link)).status()).toBe(200)
    await page.goto(link)
    await expect(page.locator('main')).toContainText(shopper.email)
    await chooseNameAndPassword(shopper)
    await shopper.press(t('sign-in.registerSubmit'))
    await expect(page).toHaveURL(shopper.at('/'))
    await expectSignedIn(shopper)
    await page.context().clearCookies()
    await page.goto(link)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('sign-in.expiredTitle'))
    await shopper.examine()
    await page.getByRole('link', { name: t('sign-in.expiredRegister') }).click()
    await expect(page).toHaveURL(shopper.at('/register'))
  })
}

async function registerByCode(shopper: Shopper): Promise<void> {
  const { page, t } = shopper
  await shopper.open('/')
  await page
    .locator('header')
    .getByRole('link', { name: t('shell.signIn'), exact: true })
    .click()
  await page.getByRole('link', { name: t('sign-in.toRegister'), exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('sign-in.registerTitle'))
  await shopper.examine()
  await shopper.press(t('form.sendCode'))
  await expect(page.getByLabel(t('sign-in.email'), { exact: true })).toHaveAttribute(
    'aria-invalid',
    'true',
  )
  await shopper.fill(t('sign-in.email'), shopper.email.toUpperCase())
  await shopper.press(t('form.sendCode'))
  const code = page.getByLabel(t('form.codeFromEmail'), { exact: true })
  await expect(code).toBeFocused()
  await chooseNameAndPassword(shopper)
  // A wrong code is told at its field, and nothing typed is lost.
  const mailed = await shopper.mailbox.takeCode()
  await code.fill(mailed === '000000' ? '000001' : '000000')
  await shopper.press(t('sign-in.registerSubmit'))
  await expect(code).toHaveAttribute('aria-invalid', 'true')
  await expect(code).toBeFocused()
  await expect(page.locator('main')).toContainText(t('error.field.code_wrong'))
  await expect(page.getByLabel(t('sign-in.userName'), { exact: true })).toHaveValue(
    shopper.userName,
  )
  await shopper.examine()
  await code.fill(` ${mailed.slice(0, 3)} ${mailed.slice(3)}`)
  await shopper.press(t('sign-in.registerSubmit'))
  await expect(page).toHaveURL(shopper.at('/'))
  await expectSignedIn(shopper)
}

async function chooseNameAndPassword({
  page,
  t,
  fill,
  userName,
  password,
}: Shopper): Promise<void> {
  await fill(t('sign-in.userName'), userName)
  await fill(t('form.password'), password)
  await page.getByRole('checkbox').check()
}

async function signOut(shopper: Shopper): Promise<void> {
  const { page, t } = shopper
  await shopper.open('/cards')
  await accountButton(shopper, shopper.userName).click()
  await shopper.examine()
  await page.getByRole('button', { name: t('shell.signOut'), exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`${shopper.at('/middle')}\\?url=`))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('sign-in.signedOutTitle'))
  await expectVisitor(shopper)
  // It goes on by itself to where the person was.
  await expect(page).toHaveURL(shopper.at('/cards'))
}

async function askForReset(shopper: Shopper, account: string): Promise<void> {
  const { page, t } = shopper
  await shopper.open('/login')
  await page.getByRole('link', { name: t('sign-in.forgot'), exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('sign-in.resetTitle'))
  await shopper.fill(t('sign-in.account'), account)
  await shopper.press(t('form.sendCode'))
  await expect(page.getByText(t('sign-in.resetCodeSent'))).toBeVisible()
}

async function resetByCode(shopper: Shopper, password: string): Promise<void> {
  const { page, t } = shopper
  await askForReset(shopper, shopper.userName)
  await shopper.fill(t('form.codeFromEmail'), await shopper.mailbox.takeCode())
  // What the rule asks for is ticked off while it is typed, and told at the field.
  await shopper.fill(t('form.newPassword'), 'short')
  await shopper.press(t('sign-in.resetSubmit'))
  await expect(page.getByLabel(t('form.newPassword'), { exact: true })).toHaveAttribute(
    'aria-invalid',
    'true',
  )
  await shopper.examine()
  await shopper.fill(t('form.newPassword'), password)
  await shopper.press(t('sign-in.resetSubmit'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('sign-in.resetDone'))
  await page
    .locator('main')
    .getByRole('link', { name: t('sign-in.toLogin'), exact: true })
    .click()
}

async function resetByLink(shopper: Shopper, password: string): Promise<void> {
  const { page, t } = shopper
  await askForReset(shopper, shopper.email)
  const link = await shopper.mailbox.takeLink('/mobile/resetpwd')
  expect((await page.request.get(link)).status()).toBe(200)
  await page.goto(link)
  await expect(page.locator('main')).toContainText(shopper.email)
  await shopper.examine()
  await shopper.fill(t('form.newPassword'), password)
  await shopper.press(t('sign-in.resetSubmit'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('sign-in.resetDone'))
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('sign-in.expiredTitle'))
}

async function signIn(shopper: Shopper, account: string): Promise<void> {
  const { page, t } = shopper
  await shopper.open('/login?redirect=%2Fuser%2Fnotice')
  await expect(page.getByText(t('sign-in.needed'))).toBeVisible()
  await shopper.examine()
  await shopper.fill(t('sign-in.account'), account)
  await shopper.fill(t('form.password'), shopper.password)
  await shopper.press(t('sign-in.submit'))
  await expect(page).toHaveURL(shopper.at('/user/notice'))
  await expectSignedIn(shopper)
  // The door is closed to who is in.
  await page.goto(shopper.at('/login'))
  await expect(page).toHaveURL(shopper.at('/'))
}

const TRIES = 5

/** The refusal says nothing about the account, and then that it is time to wait. */
async function guess(shopper: Shopper): Promise<void> {
  const { page, t } = shopper
  await shopper.open('/login')
  await shopper.fill(t('sign-in.account'), shopper.email)
  const alert = page.locator('main').getByRole('alert')
  for (let guessed = 0; guessed < TRIES; guessed += 1) {
    await shopper.fill(t('form.password'), newPassword())
    const answered = page.waitForResponse(/\/api\/user\/login/)
    await shopper.press(t('sign-in.submit'))
    await answered
    await expect(alert.filter({ hasText: t('error.sign_in_failed') })).toBeVisible()
  }
  await shopper.examine()
  await shopper.fill(t('form.password'), shopper.password)
  await shopper.press(t('sign-in.submit'))
  await expect(
    alert.filter({ hasText: t('error.too_many_requests', { seconds: 900 }).split('900')[0] ?? '' }),
  ).toBeVisible()
  await expect(page.getByLabel(t('sign-in.account'), { exact: true })).toHaveValue(shopper.email)
}
