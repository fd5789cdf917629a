import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test as base, type Page } from '@playwright/test'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What a page did that it must not: filled while it is open, checked at the end of every test. */
export interface Misdeeds {
  readonly consoleErrors: string[]
  readonly foreignRequests: string[]
  /** Lines of the console that a test brings about, at whatever moment they come. */
  readonly expected: RegExp[]
}

/** Tests whose page reports console errors and requests to other hosts; a test may empty the list it expects to fill. */
export const test = base.extend<{ misdeeds: Misdeeds }>({
  baseURL: async ({}, use) => {
    await use(process.env.SHOP_URL ?? '')
  },
  misdeeds: [
    async ({ page, baseURL }, use) => {
      const misdeeds: Misdeeds = { consoleErrors: [], foreignRequests: [], expected: [] }
      page.on('console', (message) => {
        if (message.type() === 'error') misdeeds.consoleErrors.push(message.text())
      })
      page.on('pageerror', (error) =>
        misdeeds.consoleErrors.push(`${String(error)} (${page.url()})`),
      )
      page.on('request', (request) => {
        const url = request.url()
        if (!url.startsWith(baseURL ?? '') && !url.startsWith('data:') && !url.startsWith('blob:'))
          misdeeds.foreignRequests.push(url)
      })
      await page.addInitScript(() => {
        const shifts = { value: 0, what: [] as string[] }
        Object.assign(window, { layoutShift: shifts })
        type Shift = PerformanceEntry & {
          value: number
          hadRecentInput: boolean
          sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
        }
        const boxOf = ({ x, y, width, height }: DOMRectReadOnly): string =>
          `${width}×${height} at ${x},${y}`
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as Shift[]) {
            if (entry.hadRecentInput) continue
            shifts.value += entry.value
            for (const { node, previousRect, currentRect } of entry.sources)
              shifts.what.push(
                `${node instanceof Element ? node.outerHTML.slice(0, 80) : node?.textContent?.slice(0, 40)}: ${boxOf(previousRect)} → ${boxOf(currentRect)}`,
              )
          }
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await use(misdeeds)
      const unexpected = misdeeds.consoleErrors.filter(
        (line) => !misdeeds.expected.some((pattern) => pattern.test(line)),
      )
      expect(unexpected, 'errors in the console').toEqual([])
      expect(misdeeds.foreignRequests, 'requests to other hosts').toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** What Chromium itself writes of a call that was told that nobody is signed in. */
export const ASKED_AS_NOBODY = /status of 401/

/**
 * Long journeys are made in each language on the screen named beside it, and on every screen in the long run (`npm test -- --long`);
 * so are those with the tag `@desktop` or `@phone`, and the files named in `screens.ts`.
 */
export function skipOffScreen(isMobile: boolean, screen: 'phone' | 'desktop'): void {
  const isElsewhere = isMobile !== (screen === 'phone') && process.env.LONG !== '1'
  test.skip(isElsewhere, `made on the ${screen}`)
}

/** Waits until the application has taken over, brought to life by an interaction as a person would. */
export async function bringToLife(page: Page): Promise<void> {
  await page.keyboard.press('Shift')
  await page.waitForFunction(() => document.documentElement.dataset['alive'] !== undefined)
}

export async function expectNoLayoutShift(page: Page, most = 0.02): Promise<void> {
  const shift = await page.evaluate(
    () => (window as unknown as { layoutShift: { value: number; what: string[] } }).layoutShift,
  )
  expect(
    shift.value,
    `cumulative layout shift: ${shift.what.slice(0, 3).join('; ')}`,
  ).toBeLessThanOrEqual(most)
}

/** What holds of every page, at the screen's width and at 320 pixels, which it is left at. */
export async function expectSound(page: Page): Promise<void> {
  // Half a second without a request is waited for beside the longest look, not before it.
  await Promise.all([expectSteady(page), expectAccessible(page)])
  await expectFitting(page)
}

/** The same but for the longest look, that for accessibility. */
export async function expectSteadyAndFitting(page: Page): Promise<void> {
  await expectSteady(page)
  await expectFitting(page)
}

async function expectSteady(page: Page): Promise<void> {
  await expect(page.locator('h1')).toHaveCount(1)
  await expect(page).toHaveTitle(/.+ · Lukado$/)
  await page.waitForLoadState('networkidle')
  await expectNoLayoutShift(page)
  await expectEvenWhereTurned(page)
}

async function expectFitting(page: Page): Promise<void> {
  await expectNoOverflow(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoOverflow(page)
}

/**
 * What runs against the page (a price in Arabic, an address) has as much room at either side: its start is at the page's end, so
 * that room at one side of it is at the wrong one. Fields keep room for what stands in them.
 */
async function expectEvenWhereTurned(page: Page): Promise<void> {
  const found = await page.evaluate(() =>
    [...document.body.querySelectorAll('*:not(input, textarea)')]
      .filter((element) => {
        const style = getComputedStyle(element)
        const around = element.parentElement && getComputedStyle(element.parentElement)
        return (
          style.direction !== around?.direction &&
          (style.marginLeft !== style.marginRight || style.paddingLeft !== style.paddingRight)
        )
      })
      .slice(0, 5)
      .map((element) => element.outerHTML.slice(0, 160)),
  )
  expect(found, 'uneven room beside what has a direction of its own').toEqual([])
}

/** No sideways scrolling of the page, and nothing sticking out of it but what scrolls by itself. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const width = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= width) return []
    const scrolls = (element: Element): boolean => {
      for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
        const style = getComputedStyle(at)
        if (/auto|scroll|hidden|clip/.test(style.overflowX) || style.position === 'fixed')
          return true
      }
      return false
    }
    return [...document.body.querySelectorAll('*')]
      .filter((element) => {
        const box = element.getBoundingClientRect()
        return box.width > 0 && (box.right > width + 1 || box.left < -1) && !scrolls(element)
      })
      .slice(0, 5)
      .map(
        (element) =>
          `${element.tagName.toLowerCase()}.${element.className} ${element.textContent?.slice(0, 40)}`,
      )
  })
  expect(found, 'elements wider than the page').toEqual([])
}

/** Colours halfway from one to the other are nobody's: what moves and has an end has reached it. */
async function motionEnded(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const moving = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    const bound = new Promise((resolve) => setTimeout(resolve, 2_000))
    await Promise.race([Promise.allSettled(moving.map(({ finished }) => finished)), bound])
  })
}

/** No finding of axe-core: WCAG 2.2 A and AA, and what is good practice beyond; and names that say what is shown. */
export async function expectAccessible(page: Page): Promise<void> {
  // What lies far below is measured as it is once it has come near.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { content-visibility: visible !important }')
    document.adoptedStyleSheets.push(sheet)
  })
  await motionEnded(page)
  await page.evaluate(AXE)
  const findings = await page.evaluate(async () => {
    const axe = (
      window as unknown as {
        axe: {
          run(
            context: Document,
            options: object,
          ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>
        }
      }
    ).axe
    const result = await axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      resultTypes: ['violations'],
    })
    return result.violations.map(
      (violation) =>
        `${violation.id} (${violation.impact}): ${violation.nodes
          .slice(0, 3)
          .map((node) => node.html.slice(0, 160))
          .join(' | ')}`,
    )
  })
  expect(findings, 'accessibility findings').toEqual([])
  await expectNamesAsShown(page)
}

/**
 * Whoever speaks to a computer says what is written on a control: its name holds that (WCAG 2.5.3). axe-core's rule for it passes
 * over scripts other than Latin.
 */
export async function expectNamesAsShown(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const plain = (text: string) =>
      text
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
        .trim()
    const nameOf = (element: Element) =>
      element.hasAttribute('aria-labelledby')
        ? (element.getAttribute('aria-labelledby') ?? '')
            .split(' ')
            .map((id) => document.getElementById(id)?.textContent ?? '')
            .join(' ')
        : (element.getAttribute('aria-label') ?? '')
    return [
      ...document.querySelectorAll<HTMLElement>(
        ':is(a, button, summary, [role=button]):is([aria-label], [aria-labelledby])',
      ),
    ]
      .filter((element) => element.checkVisibility())
      .map((element) => ({ shown: plain(element.innerText), name: plain(nameOf(element)) }))
      .filter(({ shown, name }) => !name.includes(shown))
      .map(({ shown, name }) => `shows “${shown}”, is called “${name}”`)
  })
  expect([...new Set(found)], 'names without what is shown').toEqual([])
}

/** What has the focus, where nothing of it is in sight: outside the window, or under something else. */
export function unseenFocus(): string | null {
  const { activeElement: focused } = document
  if (!focused || focused === document.body) return null
  // What is seen of a radio button or a box to tick is its label.
  const shown = focused instanceof HTMLInputElement ? (focused.labels?.[0] ?? focused) : focused
  const box = shown.getBoundingClientRect()
  for (const across of [0.1, 0.5, 0.9])
    for (const down of [0.1, 0.5, 0.9]) {
      const at = document.elementFromPoint(
        box.left + box.width * across,
        box.top + box.height * down,
      )
      if (at && (shown.contains(at) || at.contains(focused))) return null
    }
  return `${focused.tagName} ${focused.textContent?.trim() || focused.getAttribute('aria-label') || focused.id}`
}
