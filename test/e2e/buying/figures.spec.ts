import { expect, expectNoLayoutShift, skipOffScreen, test } from '../page-checks.ts'
import { newShopper } from '../people/shopper.ts'
import { TOP_UP } from './purchase.ts'

for (const isScripted of [true, false])
  test.describe(isScripted ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled: isScripted })

    test('where a field’s answer is found is folded below the form, and fetched once it is opened', async ({
      page,
      baseURL,
      isMobile,
    }) => {
      if (!isScripted) skipOffScreen(isMobile, 'phone')
      const shopper = newShopper(page, baseURL ?? '', {
        language: isMobile ? 'ar' : 'en',
        isExamined: isScripted,
      })
      const { t, at } = shopper
      await page.context().addCookies([{ name: 'consent', value: 'refuse', url: baseURL ?? '' }])
      const fetched: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/img/field_help/')) fetched.push(request.url())
      })
      await page.goto(at(TOP_UP.path))
      await page.waitForLoadState('networkidle')
      // Without script browsers fetch everything at once, so that nobody learns how far one reads.
      if (isScripted) {
        expect(fetched).toEqual([])
        await expectNoLayoutShift(page)
      }

      const label = await page.locator('label[for=field-user_id]').textContent()
      const summary = page.getByText(t('product.whereToFind', { field: (label ?? '').trim() }), {
        exact: true,
      })
      await summary.click()
      const picture = page.locator('details[open] img')
      await expect(picture).toBeVisible()
      await expect(picture).toHaveAttribute('alt', /\S/)
      await expect
        .poll(() =>
          page
            .locator('details[open] img')
            .evaluate((img) => (img as HTMLImageElement).naturalWidth),
        )
        .toBeGreaterThan(0)
      if (isScripted) expect(fetched).toHaveLength(1)
      await shopper.examine()
    })
  })
