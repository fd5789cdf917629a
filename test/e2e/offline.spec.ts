import type { Page } from '@playwright/test'
import { translatorOf } from '../../src/platform/i18n/messages.ts'
import { expect, expectAccessible, test } from './page-checks.ts'

/** Chromium tells of the page that could not be fetched, and of every look whether the shop is there again. */
const EXPECTED = /net::ERR_INTERNET_DISCONNECTED|status of 503/

for (const language of ['en', 'ar', 'ja'] as const) {
  const t = translatorOf(language)
  const at = (path: string) => (language === 'en' ? path : `/${language}${path}`)

  test(`a page that cannot be fetched says so, and goes on where it was: ${language}`, async ({
    page,
    context,
    misdeeds,
  }) => {
    await page.goto(at('/cards'))
    await untilKept(page)
    await context.setOffline(true)
    await page.goto(at('/top-up'))

    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('offline.title'))
    await expect(page).toHaveURL(new RegExp(`${at('/top-up')}$`))
    await expect(page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr')
    await expect(page).toHaveTitle(/Lukado$/)
    await expectAccessible(page)

    await page.getByRole('button', { name: t('offline.retry') }).click()
    await expect(page.getByRole('status')).toHaveText(t('offline.still'))

    await context.setOffline(false)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('title.topUp'))
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('title.cards'))
    misdeeds.consoleErrors.splice(
      0,
      misdeeds.consoleErrors.length,
      ...misdeeds.consoleErrors.filter((line) => !EXPECTED.test(line)),
    )
  })
}

test('the worker answers for nothing else, and keeps nothing', async ({
  page,
  context,
  misdeeds,
}) => {
  await page.goto('/')
  await untilKept(page)
  await page.goto('/cards/steam-us')
  expect(await page.evaluate(() => caches.keys())).toEqual([])
  await context.setOffline(true)
  const failed = await page.evaluate(async () =>
    Promise.all(
      ['/api/goods/index', '/img/link_preview/brand/steam.png?new', '/icon-192.png?new'].map(
        (path) =>
          fetch(path, { cache: 'no-store' }).then(
            ({ status }) => status,
            () => 'failed',
          ),
      ),
    ),
  )
  expect(failed).toEqual(['failed', 'failed', 'failed'])
  for (const path of ['/api/docs', '/console'])
    await expect(page.goto(path)).rejects.toThrow('ERR_INTERNET_DISCONNECTED')
  await context.setOffline(false)
  misdeeds.consoleErrors.splice(0)
})

async function untilKept(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready
    if (active && active.state !== 'activated')
      await new Promise((resolve) =>
        active.addEventListener('statechange', resolve, { once: true }),
      )
  })
}
