import sharp from 'sharp'
import { expect, test, skipOffScreen } from '../page-checks.ts'
import {
  accountButton,
  atAnotherBrowser,
  expectSignedIn,
  newShopper,
  registerOverWire,
  signInOverWire,
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
  test(`somebody keeps a favourite, reads notices, has an address, a picture and two devices (${language})`, async ({
    page,
    browser,
    baseURL,
    isMobile,
  }) => {
    skipOffScreen(isMobile, screen)
    const shopper = newShopper(page, baseURL ?? '', {
      language,
      isExamined: language !== 'ja',
    })
    await registerOverWire(shopper)
    await page.context().clearCookies({ name: /^(?:sid|signed_in)$/ })
    await test.step('favourite', () => favour(shopper))
    await test.step('notices', () => readNotices(shopper))
    await test.step('address', () => addAddress(shopper))
    await test.step('picture', () => choosePicture(shopper))
    const context = await browser.newContext({
      baseURL: baseURL ?? '',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    })
    await test.step('devices', async () =>
      signOutThere(shopper, atAnotherBrowser(shopper, await context.newPage())))
    await context.close()
  })
}

/** The heart leads a visitor to sign in and back. */
async function favour(shopper: Shopper): Promise<void> {
  const { page, t } = shopper
  const heart = page.getByRole('button', { name: t('product.favourite'), exact: true })
  await shopper.open('/cards/steam-us')
  await heart.click()
  await expect(page).toHaveURL(new RegExp(`${shopper.at('/login')}\\?redirect=`))
  await shopper.fill(t('sign-in.account'), shopper.email)
  await shopper.fill(t('form.password'), shopper.password)
  await shopper.press(t('sign-in.submit'))
  await expect(page).toHaveURL(shopper.at('/cards/steam-us'))
  await expectSignedIn(shopper)
  await heart.click()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText(t('product.favouriteAdded'))).toBeVisible()
  await shopper.open('/cards/steam-us')
  await expect(heart).toHaveAttribute('aria-pressed', 'true')

  await accountButton(shopper, shopper.userName).click()
  await page
    .locator('header details')
    .getByRole('link', { name: new RegExp(t('shell.favourites')) })
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('user.collect'))
  await expect(page.locator('main').getByRole('link', { name: /Steam/ }).first()).toBeVisible()
  await shopper.examine()
  await page.locator('main button[aria-pressed=true]').click()
  await expect(page.getByText(t('user.collectNone'))).toBeVisible()
  await shopper.examine()
}

async function readNotices(shopper: Shopper): Promise<void> {
  const { page, t } = shopper
  await shopper.open('/user/notice')
  await expect(page.getByText(t('notice.welcome.title'), { exact: true })).toBeVisible()
  await shopper.examine()
  await shopper.press(t('user.noticeReadAll'))
  await expect(
    page
      .locator('main')
      .getByRole('status')
      .filter({ hasText: t('user.noticeUnread', { count: 0 }) }),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: t('user.noticeReadAll') })).toBeHidden()
}

/** The country decides what is asked for; what was typed stays. */
async function addAddress(shopper: Shopper): Promise<void> {
  const { page, t } = shopper
  const field = (autocomplete: string) => page.locator(`main [autocomplete="${autocomplete}"]`)
  await shopper.open('/userDetail?section=addresses')
  await page.getByRole('link', { name: t('account.addressAdd'), exact: true }).click()
  await page.getByLabel(t('account.country'), { exact: true }).selectOption('US')
  await expect(page.getByLabel(t('address.postalCode.zip'))).toBeVisible()
  await field('given-name').fill('Mio')
  await page.getByLabel(t('account.country'), { exact: true }).selectOption('JP')
  await expect(page.getByLabel(t('address.region.prefecture'))).toBeVisible()
  await expect(page.getByLabel(t('address.postalCode.zip'))).toBeHidden()
  await expect(field('given-name')).toHaveValue('Mio')
  await field('family-name').fill('Sato')
  await field('address-line1').fill('1-2-3 Kita, Chuo')
  await field('address-level1').fill('Tokyo')
  await field('postal-code').fill('12')
  await shopper.press(t('account.addressSave'))
  await expect(field('postal-code')).toHaveAttribute('aria-invalid', 'true')
  await expect(field('postal-code')).toBeFocused()
  await shopper.examine()
  await field('postal-code').fill('100-0001')
  await shopper.press(t('account.addressSave'))
  await expect(page.getByText(t('account.addressSaved'))).toBeVisible()
  await expect(page.locator('main')).toContainText('Chuo')
  await shopper.examine()
}

async function choosePicture(shopper: Shopper): Promise<void> {
  const { page, t } = shopper
  const file = page.getByLabel(t('account.pictureChoose'))
  await shopper.open('/userDetail')
  await shopper.examine()
  await file.setInputFiles({
    name: 'me.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  })
  await shopper.press(t('account.pictureSave'))
  await expect(
    page
      .locator('main')
      .getByRole('alert')
      .filter({ hasText: t('error.upload_format') }),
  ).toBeVisible()
  const picture = await sharp({
    create: { width: 900, height: 600, channels: 3, background: '#2a7f62' },
  })
    .png()
    .toBuffer()
  await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture })
  await shopper.press(t('account.pictureSave'))
  const shown = page.locator('header summary img')
  await expect(shown).toBeVisible()
  const address = (await shown.getAttribute('src')) ?? ''
  const answer = await page.request.get(address)
  expect([
    answer.status(),
    answer.headers()['content-type'],
    answer.headers()['x-content-type-options'],
  ]).toEqual([200, 'image/webp', 'nosniff'])
}

async function signOutThere(shopper: Shopper, there: Shopper): Promise<void> {
  const { page, t } = shopper
  await signInOverWire(there)
  await there.open('/user/account')
  await expectSignedIn(there)
  await shopper.open('/userDetail?section=devices')
  const row = page.locator('main').getByRole('listitem').filter({ hasText: 'Firefox' })
  await expect(row).toBeVisible()
  await shopper.examine()
  await row.getByRole('button', { name: t('account.deviceSignOut') }).click()
  await expect(page.getByText(t('account.deviceSignedOut'))).toBeVisible()
  await expect(row).toBeHidden()
  // The registration's own session is still open.
  await shopper.press(t('account.deviceSignOutOthers'))
  await expect(page.getByText(t('account.deviceOnly'))).toBeVisible()
  await shopper.examine()
  await there.page.goto(there.at('/user/account'))
  await expect(there.page).toHaveURL(new RegExp(`${there.at('/login')}\\?redirect=`))
}
