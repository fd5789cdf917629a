import type { Page } from '@playwright/test'
import { bringToLife, expect, expectNoOverflow, test, unseenFocus } from './page-checks.ts'

/** The pages of different make: many tiles, a long list, amounts to choose among, codes, a form, nothing. */
const PATHS = [
  '/',
  '/cards',
  '/top-up/mobile-legends-global',
  '/cards/steam-us',
  '/login',
  '/shop-cart',
]
const CHOOSING = '/top-up/mobile-legends-global'

test.beforeEach(async ({ context, baseURL }, { project }) => {
  test.skip(project.name !== 'desktop', 'each test has a screen of its own')
  await context.addCookies([{ name: 'consent', value: 'refuse', url: baseURL ?? '' }])
})

test('enlarged four times, pages reflow and what has the focus is in sight', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 })
  for (const path of PATHS) {
    await page.goto(path)
    await bringToLife(page)
    await expectNoOverflow(page)
    const unseen: string[] = []
    for (let stop = 0; stop < 25; stop += 1) {
      await page.keyboard.press('Tab')
      const name = await page.evaluate(unseenFocus)
      if (name !== null) unseen.push(name)
    }
    expect(unseen, path).toEqual([])
  }
})

test('who has set letters of twice the size reads all of it', async ({
  playwright,
  launchOptions,
  baseURL,
}) => {
  const args = [...(launchOptions.args ?? []), '--blink-settings=defaultFontSize=32']
  const browser = await playwright.chromium.launch({ ...launchOptions, args })
  try {
    for (const width of [1280, 640]) {
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        baseURL: baseURL ?? '',
      })
      const page = await context.newPage()
      for (const path of PATHS) {
        await page.goto(path)
        expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('32px')
        await expectNoOverflow(page)
        expect(await page.evaluate(cutTexts), path).toEqual([])
      }
      await context.close()
    }
  } finally {
    await browser.close()
  }
})

test('spaced letters, words and lines (WCAG 1.4.12) cut nothing', async ({ page }) => {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of PATHS) {
      await page.goto(path)
      await addStyle(
        page,
        `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
         p { margin-block-end: 2em !important }`,
      )
      await expectNoOverflow(page)
      expect(await page.evaluate(cutTexts), path).toEqual([])
    }
  }
})

test('forced colours show what is chosen, where the focus is, and boxes to tick', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(CHOOSING)
  await bringToLife(page)
  const tile = (state: string) => page.locator(`label:has(input[name=item]${state})`).first()
  const outlineOf = (state: string) =>
    tile(state).evaluate((element) => getComputedStyle(element).outlineStyle)
  expect(await outlineOf(':checked')).not.toBe('none')
  expect(await outlineOf(':not(:checked):not(:disabled)')).toBe('none')
  await page.locator('input[name=item]:checked').focus()
  await page.keyboard.press('ArrowDown')
  expect(await outlineOf(':focus-visible')).not.toBe('none')
  await page.goto('/cards')
  const box = page.locator('main input[type=checkbox]').first()
  // The browser's own drawing, whose tick follows the colours chosen.
  expect(await box.evaluate((element) => getComputedStyle(element).appearance)).toBe('auto')
})

test('on a wall of 3,840 pixels, what is read stays together', async ({ page }) => {
  await page.setViewportSize({ width: 3840, height: 2160 })
  for (const path of PATHS) {
    await page.goto(path)
    await expectNoOverflow(page)
    const { width, left, right } = await page.locator('h1').evaluate((heading) => {
      // The page of signing in is in two halves; what is read of it stands in one.
      const column = heading.closest('.wrap') ?? heading
      const box = column.getBoundingClientRect()
      const isHalf = column === heading
      return { width: box.width, left: box.x, right: isHalf ? box.x : innerWidth - box.right }
    })
    expect(width, path).toBeLessThanOrEqual(1600)
    expect(Math.abs(left - right), `${path} stands in the middle`).toBeLessThan(40)
  }
})

test('without a style sheet a page reads in order, and its drawings stay small', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' })
  const page = await context.newPage()
  await page.route(/\.css(?:\?|$)/, (route) => route.abort())
  for (const path of PATHS) {
    await page.goto(path)
    // Without one the body has the browser's own margin.
    expect(await page.evaluate(() => getComputedStyle(document.body).margin)).toBe('8px')
    const drawings = await page.evaluate(() =>
      [...document.querySelectorAll('svg')]
        .map((svg) => svg.getBoundingClientRect())
        .filter(({ width, height }) => width > 320 || height > 180)
        .map(({ width, height }) => `${width} × ${height}`),
    )
    expect(drawings, path).toEqual([])
    const order = await page.evaluate(() =>
      [...document.querySelectorAll('a[href="#main"], :not(main *):is(header, footer), h1')].map(
        (element) => element.localName,
      ),
    )
    expect(order.slice(0, 3), path).toEqual(['a', 'header', 'h1'])
    if (order.includes('footer')) expect(order.at(-1), path).toBe('footer')
  }
  await context.close()
})

test('without pictures every link still says where it leads', async ({ page, misdeeds }) => {
  await page.route('**/*', (route) =>
    route.request().resourceType() === 'image' ? route.abort() : route.fallback(),
  )
  for (const path of PATHS) {
    await page.goto(path)
    // What lies far below is drawn when it comes near, and has no text as it is seen until then.
    await addStyle(page, '* { content-visibility: visible !important }')
    const found = await page.evaluate(() => [
      ...[...document.querySelectorAll('img:not([alt])')].map((image) => image.outerHTML),
      ...[...document.querySelectorAll<HTMLElement>('main a')]
        .filter((link) => link.checkVisibility())
        .filter(
          (link) =>
            link.innerText.trim() === '' &&
            !link.ariaLabel &&
            ![...link.querySelectorAll('img')].some(({ alt }) => alt !== ''),
        )
        .map((link) => link.outerHTML.slice(0, 120)),
    ])
    expect(found, path).toEqual([])
  }
  // Chromium itself writes a line about each of them.
  misdeeds.consoleErrors.splice(0)
})

/** By the document itself, as a reader's own sheet does: the policy of the page forbids any other. */
function addStyle(page: Page, css: string): Promise<void> {
  return page.evaluate((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets.push(sheet)
  }, css)
}

/** Texts that stick out of a box that cuts; names that end after some lines on purpose are whole in the page they lead to. */
function cutTexts(): string[] {
  const cutter = (element: Element): Element | null => {
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at)
      if (/hidden|clip/.test(`${overflowX} ${overflowY}`)) return at
      // What scrolls is read by scrolling.
      if (/auto|scroll/.test(`${overflowX} ${overflowY}`)) return null
    }
    return null
  }
  return [...document.body.querySelectorAll<HTMLElement>('*')]
    .filter((element) => {
      const ownText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '',
      )
      if (!ownText || !element.checkVisibility() || element.closest('.sr, svg, [aria-hidden=true]'))
        return false
      const box = cutter(element)
      if (box === null || getComputedStyle(box).webkitLineClamp !== 'none') return false
      const range = document.createRange()
      range.selectNodeContents(element)
      const text = range.getBoundingClientRect()
      const edge = box.getBoundingClientRect()
      // For screen readers alone, beside a sign that says the same.
      if (edge.width <= 1) return false
      return (
        text.left < edge.left - 1 ||
        text.right > edge.right + 1 ||
        text.top < edge.top - 1 ||
        text.bottom > edge.bottom + 1
      )
    })
    .map((element) => `${element.className} “${element.textContent?.trim().slice(0, 40)}”`)
}

test('on a phone every kind of goods is seen whole, in the longest words too', async ({ page }) => {
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of ['/', '/de', '/ja', '/ru', '/my']) {
      await page.goto(path)
      const cut = await page
        .locator('nav li > a:has(svg[viewBox="0 0 52 52"])')
        .evaluateAll((links) =>
          links.flatMap((link) => {
            const name = link.querySelector('span') ?? link
            const box = name.getBoundingClientRect()
            const isCut = name.scrollWidth > name.clientWidth + 1
            return box.left < 0 || box.right > innerWidth || isCut ? [name.textContent] : []
          }),
        )
      expect(cut, `${path} at ${width}`).toEqual([])
    }
  }
})

test('on a phone the header is one line where something is bought, and its sign leads to the search', async ({
  page,
}) => {
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of [CHOOSING, `/ru${CHOOSING}`, '/mobile-recharge']) {
      await page.goto(path)
      await expectNoOverflow(page)
      const header = page.locator('header').first()
      expect((await header.boundingBox())?.height, path).toBeLessThan(72)
      await expect(header.locator('a[href$="/search"]')).toBeVisible()
    }
  }
})
