import { chromium, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'
import { ensureBrowser } from '../../scripts/ensure-browser.ts'
import { median } from '../median.ts'
import { traceVisit, type VisitFigures } from './visit-trace.ts'

/** A phone of few means far away. */
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
}
const PAGES = { home: '/', list: '/cards', product: '/top-up/mobile-legends-global' } as const
export type MeasuredPage = keyof typeof PAGES

export interface BrowserFigures {
  /** Script until the page has come to rest, and tasks over 50 ms reckoned by processor time. */
  readonly visits: Readonly<Record<MeasuredPage, VisitFigures>>
  /** What tasks last over 50 ms each, summed, four times slower, as a page itself sees them: with whatever else the machine did. */
  readonly longTasksMs: Readonly<Record<MeasuredPage, number>>
  readonly add: AddFigures
  /** From the first tap on "Add" to the frame after it, four times slower: as soon as it is painted, and once the page has come to rest. */
  readonly tapMs: { readonly atOnce: number; readonly later: number }
}

export interface AddFigures {
  /** From the press on "Add", made as soon as it is painted, to the cart. */
  readonly inCartMs: number
  readonly most: number
  /** Of all tries those whose goods are in the cart once. */
  readonly kept: number
  readonly tries: number
}

const LONG_TASK_MS = 50
const SETTLED_MS = 1_500
const SLOWER = 4

/** What a person's browser does with the shop's pages. */
export async function measureBrowser(url: string, rounds: number): Promise<BrowserFigures> {
  const browser = await chromium.launch({
    executablePath: ensureBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const visits = await forPages((path) => measureVisits(browser, url + path, rounds))
    const longTasksMs = await forPages((path) => measureLongTasks(browser, url + path, rounds))
    const product = url + PAGES.product
    const add = await measureAdd(browser, product, rounds)
    const tapMs = {
      atOnce: await measureTap(browser, product, rounds, 0),
      later: await measureTap(browser, product, rounds, SETTLED_MS),
    }
    return { visits, longTasksMs, add, tapMs }
  } finally {
    await browser.close()
  }
}

async function forPages<T>(
  measure: (path: string) => Promise<T>,
): Promise<Record<MeasuredPage, T>> {
  return {
    home: await measure(PAGES.home),
    list: await measure(PAGES.list),
    product: await measure(PAGES.product),
  }
}

/** Medians of what traces tell of visits. */
async function measureVisits(
  browser: Browser,
  address: string,
  rounds: number,
): Promise<VisitFigures> {
  const visits: VisitFigures[] = []
  for (let round = 0; round < rounds; round += 1)
    visits.push(
      await inNewPage(browser, {}, (page) =>
        traceVisit(browser, page, {
          address,
          settledMs: SETTLED_MS,
          slower: SLOWER,
          limitMs: LONG_TASK_MS,
        }),
      ),
    )
  return {
    scriptMs: median(visits.map(({ scriptMs }) => scriptMs)),
    excessMs: median(visits.map(({ excessMs }) => excessMs)),
  }
}

async function measureLongTasks(
  browser: Browser,
  address: string,
  rounds: number,
): Promise<number> {
  const sums: number[] = []
  for (let round = 0; round < rounds; round += 1)
    sums.push(
      await inNewPage(browser, {}, async (page) => {
        const devTools = await page.context().newCDPSession(page)
        await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
        await page.addInitScript((limit) => {
          const tasks = { excess: 0 }
          Object.assign(window, { tasks })
          new PerformanceObserver((list) => {
            for (const { duration } of list.getEntries()) tasks.excess += duration - limit
          }).observe({ type: 'longtask', buffered: true })
        }, LONG_TASK_MS)
        await page.goto(address, { waitUntil: 'load' })
        await page.waitForTimeout(SETTLED_MS * 2)
        return page.evaluate(
          () => (window as unknown as { tasks: { excess: number } }).tasks.excess,
        )
      }),
    )
  return median(sums)
}

const SLOW_NET = {
  offline: false,
  latency: 400,
  downloadThroughput: 50_000,
  uploadThroughput: 50_000,
}
const SLOW_RATE = 6
const PATIENCE_MS = 30_000

async function measureAdd(browser: Browser, address: string, rounds: number): Promise<AddFigures> {
  const times: number[] = []
  let kept = 0
  for (let round = 0; round < rounds; round += 1) {
    const { ms, quantity } = await inNewPage(browser, {}, (page) => addAtOnce(page, address))
    times.push(ms)
    if (quantity === 1) kept += 1
  }
  return { inCartMs: median(times), most: Math.max(...times), kept, tries: rounds }
}

/** Chooses, types and presses "Add" in the first frame that shows it, and waits for the cart. */
async function addAtOnce(page: Page, address: string): Promise<{ ms: number; quantity: number }> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.emulateNetworkConditions', SLOW_NET)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOW_RATE })
  await page.addInitScript(pressAtOnce)
  await page.goto(address, { waitUntil: 'commit' })
  await page.waitForFunction(() => 'inCart' in window, undefined, { timeout: PATIENCE_MS })
  return page.evaluate(() => ({
    ms: (window as unknown as { inCart: number }).inCart,
    quantity: (JSON.parse(localStorage.getItem('cart') ?? '[]') as { quantity: number }[]).reduce(
      (sum, line) => sum + line.quantity,
      0,
    ),
  }))
}

/** Runs in the page. */
function pressAtOnce(): void {
  const look = (): void => {
    const add = [...document.querySelectorAll<HTMLElement>('button[form=buy]')].find((button) =>
      button.checkVisibility(),
    )
    if (!add || performance.getEntriesByType('paint').length === 0)
      return void requestAnimationFrame(look)
    document.querySelector<HTMLElement>('label:has(input[name=item])')?.click()
    for (const field of document.querySelectorAll<HTMLInputElement>('[data-field]'))
      field.value = field.dataset['field'] === 'user_id' ? '128844509' : '2204'
    const began = performance.now()
    add.click()
    const wait = (): void => {
      if (localStorage.getItem('cart')) Object.assign(window, { inCart: performance.now() - began })
      else setTimeout(wait)
    }
    wait()
  }
  requestAnimationFrame(look)
}

/** What INP would say of the first tap: the longest event of it, as the browser reports them (`PerformanceEventTiming`). */
async function measureTap(
  browser: Browser,
  address: string,
  rounds: number,
  waitMs: number,
): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1)
    times.push(await inNewPage(browser, {}, (page) => tapAdd(page, address, waitMs)))
  return median(times)
}

async function tapAdd(page: Page, address: string, waitMs: number): Promise<number> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.addInitScript(() => {
    document.cookie = 'consent=refuse; path=/'
    const seen = { longest: 0 }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration)
    }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
  })
  await page.goto(address, { waitUntil: 'commit' })
  const add = page.locator('button[form=buy]:visible').first()
  await add.waitFor()
  await page.waitForTimeout(waitMs)
  const box = await add.boundingBox()
  if (!box) throw new Error('"Add" is not to be seen')
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
  await page.waitForTimeout(SETTLED_MS)
  return page.evaluate(() => (window as unknown as { seen: { longest: number } }).seen.longest)
}

/** A browser that has never seen the shop, and has answered its banner. */
async function inNewPage<T>(
  browser: Browser,
  options: BrowserContextOptions,
  act: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ ...PHONE, ...options })
  try {
    return await act(await context.newPage())
  } finally {
    await context.close()
  }
}
