import { PERSONAL_PATHS } from '../addresses.ts'
import { expect, expectSound, test } from '../page-checks.ts'
import { faultsOf } from '../validity.ts'
import { newShopper, registerOverWire } from './shopper.ts'

/** English on a desktop, Arabic on a phone: renders, is sound, stands still, fits, and can be used by everybody. */
test('every page of somebody signed in is sound', async ({ page, baseURL, isMobile }) => {
  const shopper = newShopper(page, baseURL ?? '', { language: isMobile ? 'ar' : 'en' })
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await registerOverWire(shopper)
  for (const path of PERSONAL_PATHS) {
    await test.step(path, async () => {
      expect((await page.goto(shopper.at(path)))?.status()).toBe(200)
      await expect(page).not.toHaveURL(/\/login/)
      await expect(page.locator('html')).toHaveAttribute('dir', isMobile ? 'rtl' : 'ltr')
      await expectSound(page)
      await page.setViewportSize({ width, height })
    })
  }
})

test('the HTML of every page of somebody signed in is valid, kept by nobody, and tells no other site where it was read', async ({
  page,
  request,
  baseURL,
}, info) => {
  test.skip(info.project.name !== 'desktop', 'the same bytes for every screen')
  const shopper = newShopper(page, baseURL ?? '')
  await registerOverWire(shopper)
  const [session] = (await page.context().cookies()).filter(({ name }) => name === 'sid')
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
  const faults: string[] = []
  for (const path of PERSONAL_PATHS) {
    for (const prefix of ['', '/ja']) {
      const answer = await page.request.get(`${prefix}${path}`)
      const html = await answer.text()
      expect([
        path,
        answer.status(),
        answer.headers()['cache-control'],
        answer.headers()['referrer-policy'],
      ]).toEqual([path, 200, 'no-store', 'no-referrer'])
      expect(html.includes(session?.value ?? '?'), `${path} holds the session`).toBe(false)
      expect(html).toContain('content="noindex')
      faults.push(...(await faultsOf(`${prefix}${path}`, html)))
    }
    const asVisitor = await request.get(`${baseURL}${path}`, { maxRedirects: 0 })
    expect([path, asVisitor.status(), asVisitor.headers()['location']]).toEqual([
      path,
      302,
      `/login?redirect=${encodeURIComponent(path)}`,
    ])
    expect(asVisitor.headers()['cache-control'], path).toBe('no-store')
  }
  expect([...new Set(faults)].slice(0, 40)).toEqual([])
})
