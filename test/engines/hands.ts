import type { LanguageCode } from '#kernel/language.ts'
import { getLanguage } from '#kernel/language.ts'
import { translatorOf, type Translate } from '#platform/i18n/messages.ts'
import { run, until, type Browser, type Input } from './browser.ts'

/** What is pressed or looked for: the first that is seen, with the text in it or as its name where one is given. */
export interface Wanted {
  readonly selector: string
  readonly text?: string
}

/** Somebody at a browser, who reads one language. */
export interface Hands {
  readonly browser: Browser
  readonly language: LanguageCode
  readonly t: Translate
  /** The address of a path in the language. */
  readonly at: (path: string) => string
  /** Opens a page and waits until it answers every press. */
  readonly open: (path: string) => Promise<void>
  /** Waits for a page, whoever leads there, with what its query begins with. */
  readonly arrive: (path: string) => Promise<void>
  readonly see: (wanted: Wanted) => Promise<void>
  readonly press: (wanted: Wanted, times?: number) => Promise<void>
  readonly write: (selector: string, text: string) => Promise<void>
}

interface Point {
  readonly x: number
  readonly y: number
}

export function handsOn(browser: Browser, shopUrl: string, language: LanguageCode): Hands {
  const { prefix } = getLanguage(language)
  const at = (path: string) => `${prefix}${path}`
  const press = async (wanted: Wanted, times = 1) => {
    const point = await findStill(browser, wanted)
    await browser.perform([pressesAt(point, times)])
  }
  const arrive = async (path: string) => {
    await until(path, () => run(browser, isAliveAt, at(path)))
    await lookAround(browser, language, path)
  }
  return {
    browser,
    language,
    t: translatorOf(language),
    at,
    press,
    arrive,
    async open(path) {
      // The page before is told from the one that comes, even where both have the same address.
      await run(browser, () => delete document.documentElement.dataset['alive'])
      await browser.goTo(`${shopUrl}${at(path)}`)
      await arrive(path)
    },
    async see(wanted) {
      await findStill(browser, wanted)
    },
    async write(selector, text) {
      await press({ selector })
      await browser.perform([
        {
          type: 'key',
          id: 'keys',
          actions: [...text].flatMap((value) => [
            { type: 'keyDown', value },
            { type: 'keyUp', value },
          ]),
        },
      ])
      await until(`${text} in ${selector}`, () => run(browser, holds, selector, text))
    },
  }
}

/** Where it is, once it is in sight, does not move and nothing lies over it. */
async function findStill(browser: Browser, wanted: Wanted): Promise<Point> {
  let before: Point | null = null
  return until(`${wanted.selector} ${wanted.text ?? ''}`, async () => {
    const now = await run(browser, bringInSight, wanted.selector, wanted.text ?? '')
    const isStill = now !== null && now.x === before?.x && now.y === before.y
    before = now
    return isStill ? now : null
  })
}

function pressesAt({ x, y }: Point, times: number): Input {
  const presses = Array.from({ length: times }, () => [
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ]).flat()
  return {
    type: 'pointer',
    id: 'mouse',
    parameters: { pointerType: 'mouse' },
    actions: [{ type: 'pointerMove', x, y, duration: 0, origin: 'viewport' }, ...presses],
  }
}

/** What holds of every page: its language and direction, that its header is laid out that way, and that nothing is wider than it is. */
async function lookAround(browser: Browser, language: LanguageCode, path: string): Promise<void> {
  const { tag, dir } = getLanguage(language)
  const found = await run(browser, describeLayout)
  const start = dir === 'rtl' ? 'right' : 'left'
  const expected = { tag, dir, direction: dir, logoAt: start, tooWide: 0, headings: 1 }
  for (const [name, value] of Object.entries(expected)) {
    const seen = found[name as keyof typeof found]
    if (seen !== value) throw new Error(`${path}: ${name} is ${seen}, not ${value}`)
  }
}

// What follows runs in the page.

function isAliveAt(address: string): true | null {
  const isThere =
    location.pathname === address || `${location.pathname}${location.search}`.startsWith(address)
  return isThere && document.documentElement.dataset['alive'] !== undefined ? true : null
}

function bringInSight(selector: string, text: string): Point | null {
  const isWanted = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    `${element.textContent} ${element.getAttribute('aria-label') ?? ''}`.includes(text)
  const element = [...document.querySelectorAll(selector)].find(isWanted)
  if (!element) return null
  const inView = ({ top, bottom }: DOMRect) => top >= 0 && bottom <= innerHeight
  if (!inView(element.getBoundingClientRect()))
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { left, top, width, height } = element.getBoundingClientRect()
  const [x, y] = [Math.floor(left + width / 2), Math.floor(top + height / 2)]
  const over = document.elementFromPoint(x, y)
  return over && (element.contains(over) || over.contains(element)) ? { x, y } : null
}

function holds(selector: string, text: string): true | null {
  return [...document.querySelectorAll<HTMLInputElement>(selector)].some(
    (field) => field.value === text,
  )
    ? true
    : null
}

function describeLayout() {
  const root = document.documentElement
  const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
  const logo = boxOf('header a[href]')
  const cart = boxOf('header [data-cart]')
  return {
    tag: root.lang,
    dir: root.dir,
    direction: getComputedStyle(document.body).direction,
    logoAt: (logo?.left ?? 0) < (cart?.left ?? 0) ? 'left' : 'right',
    tooWide: Math.max(0, root.scrollWidth - root.clientWidth),
    headings: document.querySelectorAll('h1').length,
  }
}
