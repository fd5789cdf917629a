import { randomInt } from 'node:crypto'
import { openMailbox } from '../mailbox.ts'
import { expect, test } from '../page-checks.ts'
import { expectSignedIn, newShopper, registerOverWire } from './shopper.ts'

// The banner would lie over what is pressed.
test.beforeEach(({ context, baseURL }) =>
  context.addCookies([{ name: 'consent', value: 'refuse', url: baseURL ?? '' }]),
)

test('a passkey is added, signs in, proves who it is, and is removed', async ({
  page,
  baseURL,
}) => {
  const shopper = newShopper(page, baseURL ?? '', { isExamined: true })
  const { t } = shopper
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
  await registerOverWire(shopper)
  await shopper.open('/userDetail?section=security&do=passkey')
  await shopper.fill(`${t('account.passkeyName')} ${t('form.optional')}`, 'My phone')
  await shopper.press(t('account.passkeyAdd'))
  await expect(page.getByText(t('account.passkeyAdded'))).toBeVisible()
  await expect(page.locator('main')).toContainText('My phone')
  await shopper.examine()

  await page.context().clearCookies({ name: /^(?:sid|signed_in)$/ })
  await shopper.open('/login?redirect=%2Fuser%2Fnotice')
  await shopper.press(t('sign-in.passkey'))
  await expect(page).toHaveURL('/user/notice')
  await expectSignedIn(shopper)

  await shopper.open('/change-email')
  await shopper.press(t('form.provePasskey'))
  await expect(page).toHaveURL('/change-email/change')
  await shopper.open('/userDetail?section=security')
  await page
    .locator('#passkeys')
    .getByRole('link', { name: new RegExp(`^${t('form.remove')}`) })
    .click()
  await shopper.press(t('form.remove'))
  await expect(page.getByText(t('account.passkeyRemoved'))).toBeVisible()
})

test('a phone number is added by the code sent to it', async ({ page, baseURL }) => {
  const shopper = newShopper(page, baseURL ?? '', { isExamined: true })
  const { t } = shopper
  await registerOverWire(shopper)
  await shopper.open('/userDetail?do=phone')
  await page.getByLabel(t('account.mobileCountry'), { exact: true }).selectOption('+62')
  await shopper.fill(t('account.mobile'), '12')
  await shopper.press(t('form.sendCode'))
  await expect(page.getByLabel(t('account.mobile'), { exact: true })).toHaveAttribute(
    'aria-invalid',
    'true',
  )
  const number = `812${String(randomInt(1e8)).padStart(8, '0')}`
  await shopper.fill(t('account.mobile'), `0${number.slice(0, 3)}-${number.slice(3)}`)
  await shopper.press(t('form.sendCode'))
  await shopper.fill(t('form.codeFromMessage'), await codeSentTo(baseURL ?? '', `+62${number}`))
  await shopper.examine()
  await shopper.press(t('account.mobileConfirm'))
  await expect(page.getByText(t('account.mobileSaved'))).toBeVisible()
  await expect(page.locator('main')).toContainText(`+62${number}`)
})

/** Of the demo's text messages, which come as mails. */
async function codeSentTo(shopUrl: string, number: string): Promise<string> {
  const { text } = await openMailbox(shopUrl, 'text-messages@localhost').take(`SMS to ${number}`)
  return /\d{6}/.exec(text)?.[0] ?? ''
}
