import { LANGUAGES } from '../../src/kernel/language.ts'
import { bringToLife, expect, expectNoLayoutShift, test } from './page-checks.ts'

const TOP_UP = '/top-up/mobile-legends-global'
const CARD = '/cards/steam-us'

test.beforeEach(({ context, baseURL }) =>
  context.addCookies([{ name: 'consent', value: 'refuse', url: baseURL ?? '' }]),
)

test('the first amounts are in sight on a phone in every language, and one is chosen', async ({
  page,
  isMobile,
}) => {
  test.skip(!isMobile, 'a desktop has the room')
  const hidden: string[] = []
  for (const { prefix } of LANGUAGES) {
    for (const path of [TOP_UP, CARD]) {
      await page.goto(prefix + path, { waitUntil: 'domcontentloaded' })
      const seen = await page.evaluate(() => {
        const bar = document.querySelector('[data-island=bar]')?.getBoundingClientRect().top ?? 0
        const tiles = [...document.querySelectorAll('label:has(input[name=item])')]
        return {
          rows: new Set(
            tiles
              .map((tile) => tile.getBoundingClientRect())
              .filter(({ bottom }) => bottom <= bar)
              .map(({ top }) => top),
          ).size,
          chosen: document.querySelectorAll('input[name=item]:checked').length,
        }
      })
      if (seen.rows < 2 || seen.chosen !== 1)
        hidden.push(`${prefix}${path} ${JSON.stringify(seen)}`)
    }
  }
  expect(hidden).toEqual([])
})

test('what is missing is named, marked where it stands, and loses nothing that was typed', async ({
  page,
}) => {
  await page.goto(TOP_UP)
  await bringToLife(page)
  await page.locator('[data-field=zone_id]').fill('2204')
  const buy = page.locator('button[value=buyNow]').locator('visible=true')
  const shown = { useInnerText: true }
  await expect(buy).toHaveText('Buy now', shown)
  await buy.click()
  await expect(page).toHaveURL(/mobile-legends-global$/)
  const userId = page.locator('[data-field=user_id]')
  await expect(userId).toBeFocused()
  await expect(userId).toBeInViewport()
  await expect(userId).toHaveAttribute('aria-invalid', 'true')
  await expect(page.locator('form').getByRole('alert').first()).toHaveText(
    'Please complete all fields before submitting',
  )
  await expect(buy).toHaveText('Enter your account details', shown)
  // Pressed again it leads there again.
  await page.locator('input[name=item]').nth(3).check({ force: true })
  await buy.click()
  await expect(userId).toBeFocused()
  await userId.fill('128844509')
  await expect(buy).toHaveText('Buy now', shown)
  await expect(page.locator('[data-field=zone_id]')).toHaveValue('2204')
  await buy.click()
  await expect(page).toHaveURL(/\/shop-cart$/)
})

test('an item that is not sold is said to be invalid at the amounts, and another is chosen', async ({
  page,
}) => {
  await page.goto(`${CARD}?item=card:steam:us:gone`)
  const amounts = page.getByRole('radiogroup', { name: /Choose a value/ })
  await expect(amounts.getByRole('alert')).toHaveText('Invalid product')
  await expect(amounts.locator('input:checked')).toHaveCount(1)
  await bringToLife(page)
  await amounts.locator('input').nth(1).check({ force: true })
  await expect(amounts.getByRole('alert')).toHaveCount(0)
})

test('what was looked at stands at the end of the pages after it, newest first, until it is cleared', async ({
  page,
}) => {
  await page.goto('/')
  const seen = page.locator('[data-seen]')
  await bringToLife(page)
  await expect(seen).toBeHidden()
  for (const path of [TOP_UP, CARD]) {
    await page.goto(path)
    await bringToLife(page)
  }
  // Not the product itself.
  await expect(seen.getByRole('link')).toHaveCount(1)
  await page.goto('/de')
  await expect(seen.getByRole('link')).toHaveCount(2)
  await expect(seen.getByRole('link').first()).toHaveAttribute('href', `/de${CARD}`)
  await expectNoLayoutShift(page)
  await seen.getByRole('button').click()
  await expect(seen).toBeHidden()
  await page.reload()
  await bringToLife(page)
  await expect(seen).toBeHidden()
})

test('what the browser keeps of it leads nowhere else', async ({ page }) => {
  await page.addInitScript(() =>
    localStorage.setItem(
      'seen',
      JSON.stringify([
        { path: '//evil.example/x', name: 'a', region: 'b', image: '/img/x.webp' },
        { path: '/cards/steam-us', name: 'a', region: 'b', image: 'https://evil.example/x.png' },
        null,
        7,
      ]),
    ),
  )
  await page.goto('/')
  await bringToLife(page)
  await expect(page.locator('[data-seen]')).toBeHidden()
})

test.describe('from a country of another currency', () => {
  test.use({ timezoneId: 'Europe/Berlin' })

  test('its currency is offered once, over the page, and can be taken', async ({ page }) => {
    await page.goto(CARD)
    const strip = page.locator('[data-abroad]')
    await expect(strip).toContainText('Shopping from Germany?')
    await expectNoLayoutShift(page)
    await strip.getByRole('button', { name: 'Show prices in EUR' }).click()
    await expect(page).toHaveURL(new RegExp(`${CARD}$`))
    await expect(page.locator('label:has(input[name=item]:checked)')).toContainText('€')
    await bringToLife(page)
    await expect(strip).toBeHidden()
  })

  test('kept as it is, nobody is asked again', async ({ page }) => {
    await page.goto('/')
    const strip = page.locator('[data-abroad]')
    await strip.getByRole('button', { name: 'Keep USD' }).click()
    await expect(strip).toBeHidden()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto('/cards', { waitUntil: 'networkidle' })
    await expect(strip).toBeHidden()
    expect(asked.filter((url) => url.includes('index/country'))).toEqual([])
  })
})

test('no name of a tile is cut', async ({ page }) => {
  for (const path of ['/', '/cards', '/top-up', '/de/top-up']) {
    await page.goto(path)
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('main li > a > b')]
        .filter((name) => name.scrollHeight > name.clientHeight + 1)
        .map((name) => name.textContent),
    )
    expect(cut, path).toEqual([])
  }
})

test('on a phone a row of cards hangs in the first view of the home page, each a way to its goods', async ({
  page,
  isMobile,
}) => {
  test.skip(!isMobile, 'a desktop has two rows beside the claim')
  for (const prefix of ['', '/ar', '/ja', '/de']) {
    await page.goto(prefix || '/')
    const cards = page.locator('main [aria-hidden=true] > div > a:visible')
    await expect(cards).toHaveCount(4)
    const bottoms = await cards.evaluateAll((all) =>
      all.map((card) => card.getBoundingClientRect().bottom),
    )
    expect(Math.max(...bottoms), prefix).toBeLessThanOrEqual(844)
    await expectNoLayoutShift(page)
  }
  await page.goto('/')
  await page.locator('main [aria-hidden=true] > div > a:visible').first().tap()
  await expect(page).toHaveURL(/\/cards\/[\w-]+$/)
})
