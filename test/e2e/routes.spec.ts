import { expect, expectSound, test } from './page-checks.ts'
import { SAMPLE_ADDRESSES } from './addresses.ts'

/** Every route, in English and Arabic, on the project's screen: renders, is sound, stands still, fits, and can be used by everybody. */
for (const language of ['en', 'ar'] as const) {
  for (const address of SAMPLE_ADDRESSES) {
    const path =
      language === 'en' ? address.path : `/${language}${address.path === '/' ? '' : address.path}`
    test(`${path} is a sound page`, async ({ page, misdeeds }) => {
      const response = await page.goto(path)
      const status = address.status ?? 200
      expect(response?.status()).toBe(status)
      // Chromium itself writes a line about a document that answers 404.
      if (status === 404) misdeeds.consoleErrors.splice(0)
      await expect(page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr')
      await expectSound(page)
    })
  }
}
