import { readFile } from 'node:fs/promises'
import { Secret, TOTP } from 'otpauth'
import { expect, test, skipOffScreen } from '../page-checks.ts'
import { openMailbox } from '../mailbox.ts'
import {
  beSomebodyAtDemoId,
  expectSignedIn,
  newShopper,
  randomName,
  registerOverWire,
  type Shopper,
} from './shopper.ts'

// The banner would lie over what is pressed.
test.beforeEach(({ context, baseURL }) =>
  context.addCookies([{ name: 'consent', value: 'refuse', url: baseURL ?? '' }]),
)

const SERVICE = 'Demo ID'

for (const [language, screen] of [
  ['en', 'desktop'],
  ['ar', 'phone'],
  ['ja', 'phone'],
] as const) {
  test(`somebody links a service, signs in through it, has a second step, moves to another address, leaves and comes back (${language})`, async ({
    page,
    baseURL,
    isMobile,
  }) => {
    skipOffScreen(isMobile, screen)
    const shopper = newShopper(page, baseURL ?? '', {
      language,
      isExamined: language !== 'ja',
    })
    await registerOverWire(shopper)
    const identity = `${randomName()}@demo-id.example`
    await test.step('link a service', () => link(shopper, identity))
    await test.step('sign in through it', () => signInThrough(shopper, identity))
    await test.step('unlink it', () => unlink(shopper))
    await test.step('second step', () => useSecondStep(shopper))
    const moved = await test.step('another address', () => changeEmail(shopper, baseURL ?? ''))
    await test.step('take everything along', () => takeAlong(moved))
    await test.step('leave and come back', () => leaveAndReturn(moved))
  })
}

async function link(shopper: Shopper, identity: string): Promise<void> {
  const { page, t } = shopper
  await shopper.open('/user/link')
  await expect(page.locator('main')).toContainText(t('user.linkNotBound'))
  await shopper.examine()
  await page
    .getByRole('button', { name: new RegExp(`^${t('user.linkAdd')} ?: ${SERVICE}`) })
    .click()
  await beSomebodyAtDemoId(shopper, identity)
  await expect(page.getByText(t('user.linkAdded', { service: SERVICE }))).toBeVisible()
  await shopper.examine()
}

async function signOutHere({ page }: Shopper): Promise<void> {
  await page.context().clearCookies({ name: /^(?:sid|signed_in)$/ })
}

async function signInThrough(shopper: Shopper, identity: string): Promise<void> {
  const { page } = shopper
  await signOutHere(shopper)
  await shopper.open('/login?redirect=%2Fuser%2Fnotice')
  await shopper.press(SERVICE)
  await beSomebodyAtDemoId(shopper, identity)
  await expect(page).toHaveURL(shopper.at('/user/notice'))
  await expectSignedIn(shopper)
}

async function unlink(shopper: Shopper): Promise<void> {
  const { page, t } = shopper
  await shopper.open('/user/link')
  await page
    .getByRole('link', { name: new RegExp(`^${t('user.linkRemove')} ?: ${SERVICE}`) })
    .click()
  await expect(
    page.getByRole('heading', { name: t('user.linkRemoveTitle', { service: SERVICE }) }),
  ).toBeVisible()
  await shopper.examine()
  // The other service has said who it is, not that it is still the owner.
  await shopper.fill(t('form.currentPassword'), shopper.password)
  await shopper.press(t('user.linkRemoveLabel', { service: SERVICE }))
  await expect(page.getByText(t('user.linkRemoved', { service: SERVICE }))).toBeVisible()
}

async function useSecondStep(shopper: Shopper): Promise<void> {
  const { page, t } = shopper
  await shopper.open('/userDetail?section=security')
  await shopper.examine()
  await page.getByRole('link', { name: t('account.factorTurnOn'), exact: true }).click()
  await shopper.press(t('form.next'))
  await expect(page.getByText(t('account.factorScan'))).toBeVisible()
  await shopper.examine()
  const app = new TOTP({
    secret: Secret.fromBase32(
      (await page.locator('input[name=seed]').inputValue()).replaceAll(' ', ''),
    ),
  })
  await shopper.fill(t('account.factorCode'), app.generate())
  await shopper.press(t('account.factorConfirm'))
  await expect(page.getByText(t('account.factorTurnedOn'))).toBeVisible()
  await shopper.examine()
  const [recoveryCode = ''] = await page
    .locator('main')
    .getByRole('list', { name: t('account.recovery') })
    .getByRole('listitem')
    .allInnerTexts()

  await signOutHere(shopper)
  await enterPassword(shopper)
  await expect(page.getByRole('heading', { name: t('sign-in.stepTitle') })).toBeVisible()
  await shopper.examine()
  // The code that turned it on is used up; the app's clock may be half a minute ahead.
  await shopper.fill(t('form.codeFromApp'), app.generate({ timestamp: Date.now() + 30_000 }))
  await shopper.press(t('sign-in.stepSubmit'))
  await expect(page).toHaveURL(shopper.at('/'))
  await expectSignedIn(shopper)

  await signOutHere(shopper)
  await enterPassword(shopper)
  await shopper.press(t('sign-in.stepUseRecovery'))
  await shopper.fill(t('sign-in.stepRecoveryCode'), recoveryCode.toLowerCase())
  await shopper.press(t('sign-in.stepSubmit'))
  await expect(page).toHaveURL(shopper.at('/'))
  await shopper.open('/userDetail?section=security&do=factor-off')
  await shopper.press(t('account.factorTurnOff'))
  await expect(page.getByText(t('account.factorTurnedOff'))).toBeVisible()
}

async function enterPassword(shopper: Shopper): Promise<void> {
  const { t } = shopper
  await shopper.open('/login')
  await shopper.fill(t('sign-in.account'), shopper.email)
  await shopper.fill(t('form.password'), shopper.password)
  await shopper.press(t('sign-in.submit'))
}

/** Answers the person with the new address. */
async function changeEmail(shopper: Shopper, shopUrl: string): Promise<Shopper> {
  const { page, t } = shopper
  const email = `${randomName()}@shopper.example`
  const moved = { ...shopper, email, mailbox: openMailbox(shopUrl, email) }
  await shopper.open('/change-email')
  await shopper.examine()
  await shopper.fill(t('form.currentPassword'), 'Wrong4You')
  await shopper.press(t('form.next'))
  await expect(page.getByLabel(t('form.currentPassword'), { exact: true })).toHaveAttribute(
    'aria-invalid',
    'true',
  )
  await shopper.fill(t('form.currentPassword'), shopper.password)
  await shopper.press(t('form.next'))
  await expect(page).toHaveURL(shopper.at('/change-email/change'))
  await shopper.fill(t('account.emailNew'), email)
  await shopper.press(t('form.sendCode'))
  await shopper.fill(t('form.codeFromEmail'), await moved.mailbox.takeCode())
  await shopper.examine()
  await shopper.press(t('account.emailSubmit'))
  await expect(page).toHaveURL(shopper.at('/change-email/success'))
  await expect(page.locator('main')).toContainText(email)
  await shopper.examine()
  await shopper.mailbox.take(t('mail.email_changed.subject', { shop: 'Lukado' }))
  return moved
}

async function takeAlong(shopper: Shopper): Promise<void> {
  const { page, t } = shopper
  await shopper.open('/userDetail?section=data')
  await shopper.examine()
  const json = JSON.parse(await download(shopper, t('account.exportJson'))) as object
  expect(JSON.stringify(json)).toContain(shopper.email)
  expect(JSON.stringify(json)).toContain(shopper.userName)
  expect(JSON.stringify(json)).not.toMatch(/argon2/)
  const csv = await download(shopper, t('account.exportCsv'))
  expect(csv).toContain(shopper.email)
  expect(csv.split('\n').length).toBeGreaterThan(3)
  await expect(page).toHaveURL(shopper.at('/userDetail?section=data'))
}

async function download({ page }: Shopper, name: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name, exact: true }).click(),
  ])
  return readFile(await file.path(), 'utf8')
}

async function leaveAndReturn(shopper: Shopper): Promise<void> {
  const { page, t, mailbox } = shopper
  await shopper.open('/userDetail?section=data')
  await page.getByRole('link', { name: t('account.cancelOpen'), exact: true }).click()
  for (const note of [
    'account.cancelNoteFrozen',
    'account.cancelNoteUndo',
    'account.cancelNoteErased',
  ] as const)
    await expect(page.getByText(t(note))).toBeVisible()
  await shopper.press(t('account.cancelSubmit'))
  await expect(page.getByText(t('account.cancelAgreeNeeded'))).toBeVisible()
  await shopper.examine()
  await page.getByRole('checkbox').check()
  await shopper.press(t('account.cancelSubmit'))
  await expect(page).toHaveURL(new RegExp(`${shopper.at('/login')}\\?cancelled=1`))
  await expect(page.getByText(t('sign-in.cancelledText'))).toBeVisible()
  await mailbox.takeLink('/mobile/recoveryAccount')

  // What a stranger would hear, and a mail for the owner.
  await enterPassword(shopper)
  await expect(
    page
      .locator('main')
      .getByRole('alert')
      .filter({ hasText: t('error.sign_in_failed') }),
  ).toBeVisible()
  const link = await mailbox.takeLink('/mobile/recoveryAccount')
  for (let look = 0; look < 3; look += 1) expect((await page.request.get(link)).status()).toBe(200)
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('sign-in.undoTitle'))
  await shopper.examine()
  await shopper.press(t('sign-in.undoSubmit'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('sign-in.undoDone'))
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('sign-in.expiredTitle'))
  await enterPassword(shopper)
  await expect(page).toHaveURL(shopper.at('/'))
  await expectSignedIn(shopper)
}
