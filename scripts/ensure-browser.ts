import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'
import { installPackages, isDebianRoot } from './debian-packages.ts'

const ON_PATH = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const PACKAGES = ['chromium', 'fonts-noto-core', 'fonts-noto-cjk']
/** Debian's packages put these files there; without them Thai, Burmese, Arabic, Chinese, Japanese and Korean show as boxes. */
const FONTS = ['/usr/share/fonts/truetype/noto', '/usr/share/fonts/opentype/noto']

/**
 * The browser the end-to-end tests use: CHROME_PATH, one on PATH, or the one Playwright keeps; fetched where there is none.
 * Debian's root gets the fonts of all 21 languages too. Throws an Error that names what to install.
 */
export function ensureBrowser(): string {
  const chosen = process.env.CHROME_PATH
  if (chosen) {
    if (isExecutable(chosen)) return chosen
    throw new Error(
      `CHROME_PATH is ${chosen}, and there is no program there. Point it to a Chromium or unset it.`,
    )
  }
  const missing = missingPackages()
  if (missing.length > 0 && isDebianRoot()) installPackages(missing, 'the browser tests')
  return findBrowser() ?? downloadBrowser()
}

function findBrowser(): string | undefined {
  return browserOnPath() ?? [chromium.executablePath()].find(isExecutable)
}

function browserOnPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return ON_PATH.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

function missingPackages(): string[] {
  const hasFonts = FONTS.every((folder) => existsSync(folder))
  return findBrowser() === undefined ? PACKAGES : hasFonts ? [] : PACKAGES.slice(1)
}

/** Playwright's own browser, where its download host can be reached. */
function downloadBrowser(): string {
  process.stdout.write('No Chromium on this machine; asking Playwright for its own.\n')
  const cli = join(import.meta.dirname, '..', 'node_modules', '@playwright', 'test', 'cli.js')
  spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'inherit', timeout: 600_000 })
  const found = findBrowser()
  if (found) return found
  throw new Error(
    'The browser tests need a Chromium. Install the package chromium (on Debian: apt-get install chromium fonts-noto-core fonts-noto-cjk), or set CHROME_PATH to one.',
  )
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

if (import.meta.main) {
  try {
    process.stdout.write(`${ensureBrowser()}\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
