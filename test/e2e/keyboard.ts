import type { CDPSession, Locator, Page } from '@playwright/test'
import { bringToLife, expect, unseenFocus } from './page-checks.ts'

/** More stops than any page has on the way to what is looked for. */
const MOST_STOPS = 160

/** Somebody who has no pointer: goes from stop to stop, sees where they are, and presses what they have reached. */
export interface Keyboard {
  /** Goes on with the Tab key until the control has the focus; at every stop on the way the focus is seen. */
  readonly reach: (control: Locator, key?: 'Tab' | 'Shift+Tab') => Promise<void>
  /** Reaches it and presses a key on it; assistive technology calls it what it shows. */
  readonly press: (
    control: Locator,
    key?: 'Enter' | 'Space',
    direction?: 'Tab' | 'Shift+Tab',
  ) => Promise<void>
  readonly type: (field: Locator, text: string) => Promise<void>
  /** What has the focus is seen, and is called what it shows. */
  readonly look: () => Promise<void>
}

export async function keyboardOf(page: Page): Promise<Keyboard> {
  const tree = await page.context().newCDPSession(page)
  const reach: Keyboard['reach'] = async (control, key = 'Tab') => {
    for (let stop = 0; stop < MOST_STOPS; stop += 1) {
      await page.keyboard.press(key)
      expect(await page.evaluate(FAULT_OF_STOP), 'a stop that is not seen').toBeNull()
      if (await hasFocus(control)) return
    }
    throw new Error(`not reached by ${key}: ${String(control)}`)
  }
  const look = async (): Promise<void> => {
    await expectRingPainted(page)
    await expectNamedAsShown(page, tree)
  }
  return {
    reach,
    look,
    async press(control, key = 'Enter', direction = 'Tab') {
      await reach(control, direction)
      await look()
      await page.keyboard.press(key)
    },
    async type(field, text) {
      await reach(field)
      await look()
      await page.keyboard.type(text)
    },
  }
}

/** Both at once: a journey has hundreds of stops. */
const FAULT_OF_STOP = `(${String(unseenFocus)})() ?? (${String(ringlessFocus)})()`

/** The page that a key has led to, brought to life. */
export async function expectArrived(page: Page, path: string | RegExp): Promise<void> {
  await expect(page).toHaveURL(path)
  await bringToLife(page)
}

function hasFocus(control: Locator): Promise<boolean> {
  return control.evaluateAll((all) => all.some((element) => element === document.activeElement))
}

/** What has the focus, where no outline tells of it: on itself, on what is drawn before or after it, or on its label. */
function ringlessFocus(): string | null {
  const { activeElement: focused } = document
  if (!focused || focused === document.body) return null
  const places = [focused, ...((focused as HTMLInputElement).labels ?? [])]
  const hasRing = places.some((place) =>
    [null, '::before', '::after'].some((part) => {
      const { outlineStyle, outlineWidth, content } = getComputedStyle(place, part)
      const isDrawn = part === null || content !== 'none'
      return isDrawn && outlineStyle === 'solid' && Number.parseFloat(outlineWidth) >= 2
    }),
  )
  return hasRing ? null : focused.outerHTML.slice(0, 160)
}

/** Without its outlines the place looks different: nothing cuts them off, and they are not of the ground's colour. */
async function expectRingPainted(page: Page): Promise<void> {
  const clip = await page.evaluate(() => {
    const focused = document.activeElement as HTMLInputElement
    const { x, y, width, height } = (focused.labels?.[0] ?? focused).getBoundingClientRect()
    const [left, top] = [Math.max(0, x - 8), Math.max(0, y - 8)]
    return {
      x: left,
      y: top,
      width: Math.min(innerWidth, x + width + 8) - left,
      height: Math.min(innerHeight, y + height + 8) - top,
    }
  })
  const seen = await page.screenshot({ clip, animations: 'disabled' })
  await page.evaluate(() => {
    // Of the document, not in it: the shop's rules for content allow no style of a stranger's.
    const without = new CSSStyleSheet()
    without.replaceSync('*, *::before, *::after { outline-color: transparent !important }')
    document.adoptedStyleSheets = [without]
  })
  const bare = await page.screenshot({ clip, animations: 'disabled' })
  await page.evaluate(() => {
    document.adoptedStyleSheets = []
  })
  expect(seen.equals(bare), 'a ring that is not painted').toBe(false)
}

/** The name in the accessibility tree, computed by the browser, holds what is seen on the control or on its label. */
async function expectNamedAsShown(page: Page, tree: CDPSession): Promise<void> {
  const { result } = await tree.send('Runtime.evaluate', { expression: 'document.activeElement' })
  const { nodes } = await tree.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId ?? '',
    fetchRelatives: false,
  })
  const shown = await page.evaluate(() => {
    const focused = document.activeElement as HTMLInputElement
    return (focused.labels?.[0] ?? focused).innerText
  })
  const name = plain(String(nodes[0]?.name?.value ?? ''))
  expect(name, `the name of what shows “${shown}”`).not.toBe('')
  expect(name).toContain(plain(shown))
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}
