/**
 * Pictures of every page and state, on two screens, light and dark, in six languages, and sheets of them to look at:
 * `SHOP_URL=… SHOP_DATA_DIR=… npm run pictures -- --out <folder>`, beside a running demo shop without request limits.
 * `--only <pattern>` takes some pages, `--languages en,ar` some languages, `--turn 0` each language in one mode, every second of them
 * dark, and `--turn 1` the other way round. What has a sheet in the folder already is left out.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { present } from '../../src/kernel/assert.ts'
import { LANGUAGES } from '../../src/kernel/language.ts'
import { ensureBrowser } from '../../scripts/ensure-browser.ts'
import { cards, TOP_UP } from '../e2e/buying/purchase.ts'
import { newShopper, post, registerOverWire } from '../e2e/people/shopper.ts'
import { makeOrders } from './orders.ts'
import { lookAtTexts, report, type Seen } from './texts.ts'
import { layOut } from './sheet.ts'
import { shotsOf, type Shot } from './shots.ts'

const SCREENS = [
  { name: 'phone', width: 390, height: 844, shown: 240, cut: 960, columns: 6 },
  { name: 'desktop', width: 1440, height: 900, shown: 460, cut: 560, columns: 3 },
] as const
const MODES = ['light', 'dark'] as const
/** Those that a language is taken in. */
const modesOf = (language: string) =>
  MODES.filter(
    (_, index) =>
      options.turn === undefined ||
      (index + languages.indexOf(language)) % MODES.length === Number(options.turn),
  )
const TALLEST = 4_000

const { values: options } = parseArgs({
  options: {
    out: { type: 'string' },
    only: { type: 'string', default: '' },
    languages: { type: 'string', default: 'en,ar,de,ja,th,ru' },
    turn: { type: 'string' },
    screens: { type: 'string', default: 'phone,desktop' },
  },
})
const shopUrl = process.env.SHOP_URL ?? ''
if (!options.out || shopUrl === '') throw new Error('says nothing of SHOP_URL or --out')
const out = options.out
const languages = options.languages.split(',')
mkdirSync(out, { recursive: true })
const browser = await chromium.launch({
  executablePath: ensureBrowser(),
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const { state, orders, key } = await people(browser)
  const shots = shotsOf(orders, key).filter(({ name }) => new RegExp(options.only).test(name))
  for (const screen of SCREENS.filter(({ name }) => options.screens.includes(name)))
    for (const who of ['visitor', 'buyer'] as const) {
      const own = shots.filter((shot) => shot.who === who)
      const readers = await Promise.all(
        languages.map(async (language) => ({
          language,
          context: await contextOf(screen, who === 'buyer' ? state : null),
        })),
      )
      for (const shot of own) {
        if (existsSync(sheetFile(shot, screen.name))) continue
        const seen = await Promise.all(
          readers.map(({ context, language }) =>
            // A page that has gone meanwhile is looked at once more.
            take(context, shot, language, screen.name).catch(() =>
              take(context, shot, language, screen.name),
            ),
          ),
        )
        for (const [index, language] of languages.entries())
          report(`${shot.name} ${screen.name}`, language, present(seen[index], language))
        await sheetOf(browser, shot, screen)
        process.stdout.write(`${shot.name} ${screen.name}\n`)
      }
      for (const { context } of readers) await context.close()
    }
} finally {
  await browser.close()
}

/** Somebody who refused what is not needed, so that its panel lies over nothing. */
async function contextOf(
  { name, width, height }: (typeof SCREENS)[number],
  state: string | null,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height },
    baseURL: shopUrl,
    isMobile: name === 'phone',
    hasTouch: name === 'phone',
    timezoneId: 'UTC',
    // The style that ends all motion is none of the shop's.
    bypassCSP: true,
    ...(state === null ? {} : { storageState: state }),
  })
  context.setDefaultTimeout(8_000)
  await context.addCookies([{ name: 'consent', value: 'refuse', url: shopUrl }])
  return context
}

function fileOf(shot: Shot, screen: string, mode: string, language: string): string {
  return join(out, `${shot.name}.${screen}.${mode}.${language}.png`)
}

async function take(
  context: BrowserContext,
  shot: Shot,
  language: string,
  screen: string,
): Promise<Seen> {
  const page = await context.newPage()
  const prefix = LANGUAGES.find(({ code }) => code === language)?.prefix ?? ''
  await page.goto(`${prefix}${shot.path}`, { waitUntil: 'load' })
  await page.keyboard.press('Shift')
  await page
    .waitForFunction(() => document.documentElement.dataset['alive'] !== undefined)
    .catch(() => undefined)
  if (shot.act)
    await shot.act(page).catch((error: unknown) => {
      process.stdout.write(`  ${shot.name} ${screen} ${language}: ${String(error).slice(0, 160)}\n`)
    })
  await page.waitForLoadState('load')
  const seen = await page.evaluate(lookAtTexts)
  for (const mode of modesOf(language)) {
    await page.emulateMedia({ colorScheme: mode, reducedMotion: 'reduce' })
    await settle(page)
    await page.screenshot({
      path: fileOf(shot, screen, mode, language),
      ...(shot.isScreen ? {} : await wholeOf(page)),
    })
  }
  await page.close()
  return seen
}

async function wholeOf(page: Page) {
  const { width, height } = await page.evaluate(() => ({
    width: document.documentElement.clientWidth,
    height: document.documentElement.scrollHeight,
  }))
  return { fullPage: true, clip: { x: 0, y: 0, width, height: Math.min(height, TALLEST) } }
}

/** Pictures that are fetched when they come into view are fetched now. */
async function settle(page: Page): Promise<void> {
  await page.addStyleTag({
    content: '*, ::before, ::after { transition: none !important; animation: none !important }',
  })
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager'
    await Promise.race([
      Promise.all([...document.images].map((image) => image.decode().catch(() => undefined))),
      new Promise((resolve) => setTimeout(resolve, 3_000)),
    ])
  })
}

function sheetFile(shot: Shot, screen: string): string {
  return join(out, `sheet.${screen}.${shot.name}.png`)
}

/** Both modes on one sheet: where a colour is wrong in one of them, it is seen beside the other. */
async function sheetOf(browser: Browser, shot: Shot, screen: (typeof SCREENS)[number]) {
  await layOut(browser, {
    pictures: MODES.flatMap((mode) =>
      languages
        .filter((language) => modesOf(language).includes(mode))
        .map((language) => ({
          file: fileOf(shot, screen.name, mode, language),
          label: `${shot.name} ${mode} ${language}`,
        })),
    ),
    columns: screen.columns,
    width: screen.shown,
    height: screen.cut,
    file: sheetFile(shot, screen.name),
  })
}

/** Somebody with a cart and an order in each state; made once for a folder. */
async function people(browser: Browser) {
  const kept = join(out, 'people.json')
  const stateFile = join(out, 'session.json')
  if (existsSync(kept))
    return {
      state: stateFile,
      ...(JSON.parse(readFileSync(kept, 'utf8')) as {
        orders: Record<string, string>
        key: string
      }),
    }
  const context = await browser.newContext({ baseURL: shopUrl })
  const shopper = newShopper(await context.newPage(), shopUrl)
  await registerOverWire(shopper)
  const orders = await makeOrders(shopper)
  for (const line of [cards(), { ...TOP_UP, quantity: 2 }])
    await post(shopper, 'cart/add', {
      item: line.item,
      quantity: line.quantity,
      fields: 'fields' in line ? line.fields : {},
    })
  const keys = (await (await context.request.get('/api/cardpwd/index')).json()) as {
    data: { list: { id: string }[] }
  }
  const key = keys.data.list[0]?.id ?? ''
  await context.storageState({ path: stateFile })
  writeFileSync(kept, JSON.stringify({ orders, key, email: shopper.email }))
  await context.close()
  return { state: stateFile, orders, key }
}
