import { expect, test } from '../page-checks.ts'
import { beSomebodyAtDemoId, newShopper, registerOverWire, type Shopper } from './shopper.ts'

test.skip(({ isMobile }) => isMobile, 'the same for every screen')

const EVIL = 'https://evil.example'
const ELSEWHERE = [
  '//evil.example',
  'https://evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/%2f/evil.example',
  '/\t/evil.example',
  '/cards/..//evil.example',
  'javascript:alert(1)',
  '/redirect?url=https%3A%2F%2Fevil.example',
  '/login?redirect=//evil.example',
  'http:evil.example',
  '///evil.example',
  '/@evil.example',
  ' //evil.example',
]

test('signing in never leads to another site', async ({ page, baseURL }) => {
  const shopper = newShopper(page, baseURL ?? '')
  await registerOverWire(shopper)
  for (const redirect of ELSEWHERE) {
    await page.context().clearCookies()
    const answer = await signInByForm(shopper, `/login?redirect=${encodeURIComponent(redirect)}`)
    expect(answer.status(), redirect).toBe(303)
    const to = new URL(answer.headers()['location'] ?? '', baseURL)
    expect([redirect, to.origin, to.pathname.startsWith('/login')]).toEqual([
      redirect,
      baseURL,
      false,
    ])
  }
  // The door is closed to who is in, wherever it points.
  for (const redirect of ELSEWHERE) {
    await page.goto(`/login?redirect=${encodeURIComponent(redirect)}`)
    await expect(page).toHaveURL('/')
  }
})

function signInByForm(
  { page, email, password }: Shopper,
  path: string,
  headers: Record<string, string> = {},
) {
  return page.request.post(path, {
    form: { form: 'signIn', account: email, password },
    headers,
    maxRedirects: 0,
  })
}

test('what another site sends is refused, by calls and by forms', async ({ page, baseURL }) => {
  const shopper = newShopper(page, baseURL ?? '')
  await registerOverWire(shopper)
  const foreign: Record<string, string>[] = [
    { origin: EVIL },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'http://localhost:1' },
  ]
  for (const headers of foreign) {
    const what = JSON.stringify(headers)
    expect(
      (await page.request.post('/api/user/logout', { data: {}, headers })).status(),
      what,
    ).toBe(403)
    expect(
      (
        await page.request.post('/api/user/cancel', {
          data: { password: shopper.password },
          headers,
        })
      ).status(),
      what,
    ).toBe(403)
    expect(
      (
        await page.request.post('/user', {
          form: { form: 'signOut', address: '/' },
          headers,
          maxRedirects: 0,
        })
      ).status(),
      what,
    ).toBe(403)
    expect((await signInByForm(shopper, '/login', headers)).status(), what).toBe(403)
  }
  // A form may be read as plain text by other sites' scripts; calls take JSON alone.
  expect(
    (
      await page.request.post('/api/user/logout', {
        data: '{}',
        headers: { 'content-type': 'text/plain' },
      })
    ).status(),
  ).toBeGreaterThanOrEqual(400)
  await page.goto('/user/account')
  await expect(page).toHaveURL('/user/account')
})

test('a session that ended leads from a press to the login page and back', async ({
  page,
  baseURL,
  misdeeds,
}) => {
  const shopper = newShopper(page, baseURL ?? '')
  await registerOverWire(shopper)
  await shopper.open('/userDetail')
  await page.context().clearCookies({ name: 'sid' })
  await page.getByLabel('Display name', { exact: true }).fill('Kim')
  await shopper.press('Save changes')
  await expect(page).toHaveURL('/login?redirect=%2FuserDetail')
  await shopper.fill('Email or username', shopper.userName)
  await shopper.fill('Password', shopper.password)
  await shopper.press('Sign in')
  await expect(page).toHaveURL('/userDetail')
  // Chromium itself writes a line about an answer of 401.
  misdeeds.consoleErrors.splice(0)
})

test('the only way in cannot be unlinked', async ({ page, baseURL }) => {
  await page.context().addCookies([{ name: 'consent', value: 'refuse', url: baseURL ?? '' }])
  const shopper = newShopper(page, baseURL ?? '')
  const { t } = shopper
  await shopper.open('/login')
  await shopper.press('Demo ID')
  await beSomebodyAtDemoId(shopper, shopper.email)
  await expect(page).toHaveURL(/\/login\/bind\?ticket=/)
  await expect(page.getByText(t('sign-in.bindNotBound'))).toBeVisible()
  await page.getByRole('checkbox').last().check()
  await shopper.press(t('sign-in.bindRegister'))
  await expect(page).toHaveURL('/')
  // Without a password the proof is a mailed code.
  await shopper.open('/user/link/demo?do=unlink')
  await shopper.press(t('form.sendCode'))
  await shopper.fill(t('form.codeFromEmail'), await shopper.mailbox.takeCode())
  await shopper.press(t('user.linkRemoveLabel', { service: 'Demo ID' }))
  await expect(page.getByRole('alert').filter({ hasText: t('error.last_way_in') })).toBeVisible()
  // With a password it is one of two.
  await shopper.open('/userDetail?section=security&do=password')
  await shopper.fill(t('form.newPassword'), shopper.password)
  await shopper.press(t('account.passwordSet'))
  await expect(page).toHaveURL(/done=password/)
  await shopper.open('/user/link/demo?do=unlink')
  await shopper.press(t('user.linkRemoveLabel', { service: 'Demo ID' }))
  await expect(page.getByText(t('user.linkRemoved', { service: 'Demo ID' }))).toBeVisible()
})

test('a cancelled sign-in at the service is told, and leads back', async ({ page, baseURL }) => {
  const shopper = newShopper(page, baseURL ?? '')
  const { t } = shopper
  await shopper.open('/login')
  await shopper.press('Demo ID')
  await shopper.press(t('form.cancel'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('sign-in.loadingFailed'))
  await page.getByRole('link', { name: t('sign-in.tryAgain') }).click()
  await expect(page).toHaveURL('/login')
})

test('links that are used up, made up or cut say that they have expired', async ({
  page,
  baseURL,
}) => {
  const { t } = newShopper(page, baseURL ?? '')
  for (const path of ['/mobile/register', '/mobile/resetpwd', '/mobile/recoveryAccount']) {
    for (const key of [
      '',
      '?key=',
      '?key=short',
      `?key=${'A'.repeat(43)}`,
      `?key=${'%00'.repeat(20)}`,
      `?key=${'x'.repeat(3_000)}`,
    ]) {
      await page.goto(path + key)
      await expect(page.getByRole('heading', { level: 1 }), path + key.slice(0, 30)).toHaveText(
        t('sign-in.expiredTitle'),
      )
    }
  }
})
