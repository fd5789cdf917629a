/**
 * `npm run test:engines`: the journeys that engines differ in, in Debian's Firefox and in WebKitGTK, in English on a wide screen and in
 * Arabic on a narrow one. Chromium makes them, and all others, in test/e2e. Root on Debian gets the packages. SHOP_URL names a running
 * shop; names of engines or journeys (`firefox`, `back`) run those alone.
 */
import { spawnSync } from 'node:child_process'
import type { LanguageCode } from '#kernel/language.ts'
import { installPackages, isDebianRoot } from '../../scripts/debian-packages.ts'
import startShop from '../e2e/shop.ts'
import { run as runInPage, until, type Engine, type Screen } from './browser.ts'
import { startFirefox } from './firefox.ts'
import { handsOn } from './hands.ts'
import { JOURNEYS, type Journey } from './journeys.ts'
import { register } from './person.ts'
import { startRelay, type Relay } from './relay.ts'
import { miniBrowser, startWebkit } from './webkit.ts'

interface Kind {
  /** Packages of Debian that hold what is not on this machine. */
  readonly missing: () => readonly string[]
  readonly start: (proxyPort: number) => Promise<Engine>
}

const KINDS: Readonly<Record<string, Kind>> = {
  firefox: {
    missing: () => (isThere('firefox-esr') ? [] : ['firefox-esr']),
    start: startFirefox,
  },
  webkit: {
    missing: () => [
      ...(isThere('WebKitWebDriver') && miniBrowser() ? [] : ['webkit2gtk-driver']),
      ...(isThere('Xvfb') ? [] : ['xvfb']),
    ],
    start: startWebkit,
  },
}

const SCREENS: readonly (readonly [LanguageCode, Screen])[] = [
  ['en', { width: 1280, height: 900 }],
  ['ar', { width: 390, height: 844 }],
]

interface Ground {
  readonly shopUrl: string
  readonly relay: Relay
}

const kinds = chosen(KINDS)
const journeys = chosen(JOURNEYS)
const faults = await run()
say(`${kinds.length} engines, ${faults} faults`)
process.exitCode = faults === 0 ? 0 : 1

async function run(): Promise<number> {
  const lacking = kinds.flatMap(([, { missing }]) => missing())
  if (lacking.length > 0 && isDebianRoot()) installPackages(lacking, 'the test of engines')
  const stop = await startShop()
  const shopUrl = process.env.SHOP_URL ?? ''
  const relay = await startRelay(shopUrl)
  let count = 0
  try {
    for (const [name, kind] of kinds) count += await tryKind(name, kind, { shopUrl, relay })
  } finally {
    await relay.stop()
    await stop?.()
  }
  return count
}

/** @returns how many faults were found; an engine that cannot be tried is one. */
async function tryKind(name: string, { missing, start }: Kind, ground: Ground): Promise<number> {
  const lacking = missing()
  if (lacking.length > 0) {
    say(`${name}: FAULT not tried: on Debian, apt-get install ${lacking.join(' ')}`)
    return 1
  }
  const engine = await start(ground.relay.port).catch((error: unknown) => {
    say(`${name}: FAULT not tried: ${String(error)}`)
    return null
  })
  if (!engine) return 1
  say(`${name} ${engine.version}${engine.hearsConsole ? '' : ', without its console'}`)
  try {
    await expectToHear(engine, ground)
    let count = 0
    for (const [language, screen] of SCREENS)
      for (const [title, make] of journeys) {
        const { told, found } = await tryJourney(engine, ground, { language, screen, make })
        count += found.length
        for (const line of [...told, ...found.map((fault) => `FAULT ${fault}`)])
          say(`  ${title}, ${language}: ${line}`)
      }
    return count
  } catch (error) {
    say(`  FAULT ${String(error)}`)
    return 1
  } finally {
    await engine.stop()
  }
}

/** An engine whose net, or console where it tells of one, is not heard would pass whatever it finds. */
async function expectToHear(engine: Engine, { shopUrl, relay }: Ground): Promise<void> {
  const browser = await engine.openWindow({ width: 800, height: 600 })
  const foreign = 'http://elsewhere.example/'
  await browser.goTo(foreign)
  await until(`a request to ${foreign}`, async () => relay.takeForeign().includes(foreign) || null)
  if (engine.hearsConsole) {
    await browser.goTo(`${shopUrl}/robots.txt`)
    await until('robots.txt', () => runInPage(browser, makeErrors))
    await until('an error of each kind in the console', async () => {
      const heard = browser.errors().join(' ')
      return (heard.includes('written') && heard.includes('thrown')) || null
    })
  }
  await browser.close()
}

async function tryJourney(
  engine: Engine,
  { shopUrl, relay }: Ground,
  plan: Readonly<{ language: LanguageCode; screen: Screen; make: Journey }>,
): Promise<Readonly<{ told: readonly string[]; found: readonly string[] }>> {
  const { language, screen, make } = plan
  const browser = await engine.openWindow(screen)
  const hands = handsOn(browser, shopUrl, language)
  const told: string[] = []
  const found: string[] = []
  relay.takeForeign()
  try {
    // The banner would lie over what is pressed.
    await browser.goTo(`${shopUrl}/robots.txt`)
    await until('the choice of cookies', () => runInPage(browser, refuseCookies))
    told.push(await make({ hands, shopUrl, relay, register: () => register(shopUrl, language) }))
  } catch (error) {
    found.push(String(error))
  }
  relay.releaseScripts()
  found.push(...browser.errors(), ...relay.takeForeign().map((url) => `asked for ${url}`))
  await browser.close()
  return { told, found }
}

/** Those named on the command line, or all where none of these is. */
function chosen<T>(all: Readonly<Record<string, T>>): readonly (readonly [string, T])[] {
  const entries = Object.entries(all)
  const named = entries.filter(([name]) => process.argv.slice(2).includes(name))
  return named.length > 0 ? named : entries
}

function isThere(program: string): boolean {
  return !spawnSync(program, ['--version'], { stdio: 'ignore' }).error
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

// What follows runs in the page.

function makeErrors(): true | null {
  if (!location.pathname.endsWith('robots.txt')) return null
  console.error('written')
  setTimeout(() => {
    throw new Error('thrown')
  })
  return true
}

function refuseCookies(): true | null {
  if (!location.pathname.endsWith('robots.txt')) return null
  document.cookie = 'consent=refuse; path=/'
  return true
}
