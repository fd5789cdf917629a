import { expect, expectSound, expectSteadyAndFitting, test } from './page-checks.ts'
import { SAMPLE_ADDRESSES } from './addresses.ts'

/**
 * Every route renders, is sound, stands still and fits: in English on the desktop and in Arabic on the phone, in the long run the other
 * way round, too. That it can be used by everybody takes longest to see, and is looked at there once.
 */
for (const language of ['en', 'ar'] as const) {
  for (const address of SAMPLE_ADDRESSES) {
    const path =
      language === 'en' ? address.path : `/${language}${address.path === '/' ? '' : address.path}`
    const tag = language === 'en' ? '@desktop' : '@phone'
    test(`${path} is a sound page`, { tag }, async ({ page, misdeeds }, { project }) => {
      // A page that goes on by itself is looked at in peace.
      await page.addInitScript(() => {
        const wait = window.setTimeout
        window.setTimeout = ((then: TimerHandler, ms?: number, ...rest: unknown[]) =>
          location.pathname.endsWith('/middle') && (ms ?? 0) >= 3_000
            ? 0
            : wait(then, ms, ...rest)) as typeof window.setTimeout
      })
      const response = await page.goto(path)
      const status = address.status ?? 200
      expect(response?.status()).toBe(status)
      // Chromium itself writes a line about a document that answers 404.
      if (status === 404) misdeeds.consoleErrors.splice(0)
      await expect(page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr')
      if ((project.name === 'phone') === (language === 'ar')) await expectSound(page)
      else await expectSteadyAndFitting(page)
    })
  }
}
