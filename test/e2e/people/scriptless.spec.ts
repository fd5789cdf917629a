import { expect, test } from '../page-checks.ts'
import {
  beSomebodyAtDemoId,
  newPassword,
  newShopper,
  registerOverWire,
  type Shopper,
} from './shopper.ts'

test.skip(({ isMobile }) => isMobile, 'the same forms on every screen')
test.use({ javaScriptEnabled: false })

// Chromium itself writes a line about an answer of 422, which is how a page comes back with its faults.
test.afterEach(({ misdeeds }) => {
  expect(misdeeds.consoleErrors.filter((line) => !line.includes('status of 422'))).toEqual([])
  misdeeds.consoleErrors.splice(0)
})

// Nothing of a page without script can tell that it has come alive.
const opened = (shopper: Shopper, path: string) => shopper.page.goto(shopper.at(path))

test('without JavaScript somebody registers, signs out, sets a new password and signs in', async ({
  page,
  baseURL,
}) => {
  const shopper = newShopper(page, baseURL ?? '')
  const { t } = shopper
  const heading = page.getByRole('heading', { level: 1 })
  await opened(shopper, '/register')
  await shopper.fill(t('sign-in.email'), shopper.email)
  await shopper.press(t('form.sendCode'))
  await shopper.fill(t('form.codeFromEmail'), await shopper.mailbox.takeCode())
  await shopper.fill(t('sign-in.userName'), shopper.userName)
  await shopper.fill(t('form.password'), 'alllowercase')
  await page.getByRole('checkbox').check()
  await shopper.press(t('sign-in.registerSubmit'))
  // The page again, with what was typed but the password, and the fault at its field.
  await expect(page.getByLabel(t('form.password'), { exact: true })).toHaveAttribute(
    'aria-invalid',
    'true',
  )
  await expect(page.getByLabel(t('form.password'), { exact: true })).toHaveValue('')
  await expect(page.getByLabel(t('sign-in.userName'), { exact: true })).toHaveValue(
    shopper.userName,
  )
  await shopper.fill(t('form.password'), shopper.password)
  const code = page.getByLabel(t('form.codeFromEmail'), { exact: true })
  if ((await code.inputValue()) === '') {
    await shopper.press(t('form.sendAgain'))
    await shopper.fill(t('form.codeFromEmail'), await shopper.mailbox.takeCode())
    await shopper.fill(t('sign-in.userName'), shopper.userName)
    await shopper.fill(t('form.password'), shopper.password)
    await page.getByRole('checkbox').check()
  }
  await shopper.press(t('sign-in.registerSubmit'))
  await expect(page).toHaveURL('/')

  await opened(shopper, '/user/account')
  await page
    .locator('main')
    .getByRole('button', { name: t('shell.signOut') })
    .click()
  await expect(heading).toHaveText(t('sign-in.signedOutTitle'))

  await opened(shopper, '/reset-password')
  await shopper.fill(t('sign-in.account'), shopper.email)
  await shopper.press(t('form.sendCode'))
  const password = newPassword()
  await shopper.fill(t('form.codeFromEmail'), await shopper.mailbox.takeCode())
  await shopper.fill(t('form.newPassword'), password)
  await shopper.press(t('sign-in.resetSubmit'))
  await expect(heading).toHaveText(t('sign-in.resetDone'))

  await opened(shopper, '/login?redirect=%2Fuser%2Fnotice')
  await shopper.fill(t('sign-in.account'), shopper.userName)
  await shopper.fill(t('form.password'), shopper.password)
  await shopper.press(t('sign-in.submit'))
  await expect(page.getByRole('alert').filter({ hasText: t('error.sign_in_failed') })).toBeVisible()
  await expect(page.getByLabel(t('sign-in.account'), { exact: true })).toHaveValue(shopper.userName)
  await shopper.fill(t('form.password'), password)
  await shopper.press(t('sign-in.submit'))
  await expect(page).toHaveURL('/user/notice')
  await shopper.press(t('user.noticeReadAll'))
  await expect(
    page.getByRole('status').filter({ hasText: t('user.noticeUnread', { count: 0 }) }),
  ).toBeVisible()
})

test('without JavaScript somebody keeps a favourite and an address, links a service, leaves and comes back', async ({
  page,
  baseURL,
}) => {
  const shopper = newShopper(page, baseURL ?? '')
  const { t } = shopper
  const heading = page.getByRole('heading', { level: 1 })
  await registerOverWire(shopper)

  await opened(shopper, '/cards/steam-us')
  await page.getByRole('button', { name: t('product.favourite'), exact: true }).click()
  await shopper.press(t('user.collectAdd'))
  await expect(page.locator('main').getByRole('link', { name: /Steam/ }).first()).toBeVisible()

  await opened(shopper, '/userDetail?section=addresses&do=new')
  await page.getByLabel(t('account.country'), { exact: true }).selectOption('JP')
  await shopper.press(t('account.countryApply'))
  const typed = {
    'given-name': 'Mio',
    'family-name': 'Sato',
    'address-line1': '1-2-3 Kita, Chuo',
    'address-level1': 'Tokyo',
    'postal-code': '12',
  }
  for (const [field, text] of Object.entries(typed))
    await page.locator(`main [autocomplete="${field}"]`).fill(text)
  await shopper.press(t('account.addressSave'))
  await expect(page.locator('main [autocomplete=postal-code]')).toHaveAttribute(
    'aria-invalid',
    'true',
  )
  await expect(page.locator('main [autocomplete=given-name]')).toHaveValue('Mio')
  await page.locator('main [autocomplete=postal-code]').fill('100-0001')
  await shopper.press(t('account.addressSave'))
  await expect(page.getByText(t('account.addressSaved'))).toBeVisible()

  await opened(shopper, '/user/link/demo')
  await shopper.press(t('user.linkGo', { service: 'Demo ID' }))
  await beSomebodyAtDemoId(shopper, shopper.email)
  await shopper.press(t('sign-in.loadingContinue'))
  await expect(page.getByText(t('user.linkAdded', { service: 'Demo ID' }))).toBeVisible()

  await opened(shopper, '/userDetail?section=data&do=cancel')
  await page.getByRole('checkbox').check()
  await shopper.press(t('account.cancelSubmit'))
  await expect(page.getByText(t('sign-in.cancelledText'))).toBeVisible()
  await page.goto(await shopper.mailbox.takeLink('/mobile/recoveryAccount'))
  await shopper.press(t('sign-in.undoSubmit'))
  await expect(heading).toHaveText(t('sign-in.undoDone'))
  await opened(shopper, '/login')
  await shopper.fill(t('sign-in.account'), shopper.email)
  await shopper.fill(t('form.password'), shopper.password)
  await shopper.press(t('sign-in.submit'))
  await expect(page).toHaveURL('/')
})
