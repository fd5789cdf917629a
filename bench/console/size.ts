import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { CONSOLE_ROUTES } from '#console/routes.ts'
import { CONSOLE_FOLDER, readConsoleAssets } from '#console/server/assets.ts'

/** What a browser fetches for each page of the console that was built, beside its HTML: `npm run build && node bench/console/size.ts`. */
const MOST = 200_000

const sizes = new Map<string, number>()

/** As the web process sends files that were built. */
function sizeOf(address: string): number {
  let size = sizes.get(address)
  if (size === undefined) {
    const file = readFileSync(join(CONSOLE_FOLDER, address))
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    size = brotliCompressSync(file, { params }).length
    sizes.set(address, size)
  }
  return size
}

const sum = (addresses: readonly string[]) =>
  addresses.reduce((total, address) => total + sizeOf(address), 0)
const kb = (bytes: number) => `${(bytes / 1_000).toFixed(1)} KB`

const { entry, styles, chunksOf } = readConsoleAssets()
const css = sum(styles)
const pages = CONSOLE_ROUTES.map(({ page }) => ({ page, js: sum([entry, ...chunksOf(page)]) }))
for (const { page, js } of pages.toSorted((one, other) => other.js - one.js))
  console.log(`| ${page} | ${kb(js)} | ${kb(js + css)} |`)
const heaviest = Math.max(...pages.map(({ js }) => js + css))
console.log(`styles ${kb(css)}, heaviest page ${kb(heaviest)}, to reach at most ${kb(MOST)}`)
if (heaviest > MOST) process.exitCode = 1
