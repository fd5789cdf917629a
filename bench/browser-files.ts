import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { LANGUAGE_CODES } from '#kernel/language.ts'
import { livelinessOf } from '#storefront/islands.ts'
import { ROUTES } from '#storefront/routes.ts'
import { CLIENT_FOLDER, readClientAssets } from '#storefront/server/assets.ts'
import { wordsJson } from '#storefront/server/words.ts'

/** What a page fetches of script before anybody touches anything. */
export interface PageScripts {
  readonly files: number
  /** In brotli. */
  readonly bytes: number
}

export interface BrowserFiles {
  /** Pages that are HTML alone: home, lists, games, articles. */
  readonly still: PageScripts
  readonly product: PageScripts
  /** The page of a person with most script. */
  readonly most: PageScripts & { readonly page: string }
  /** What the first touch of search fetches on a still page. */
  readonly search: PageScripts
  /** The texts of the living parts in the HTML of a product, in the language whose texts weigh most, compressed alone. */
  readonly words: { readonly language: string; readonly bytes: number }
  readonly styles: number
}

/** Sums up what a browser fetches for a page: what the server names in its HTML. */
export function measureBrowserFiles(): BrowserFiles {
  const assets = readClientAssets()
  const scriptsOf = (page: string) =>
    sum([assets.entry, ...assets.chunksOf(page, livelinessOf(page))])
  const pages = [...new Set(ROUTES.map((route) => route.page))].map((page) => ({
    page,
    ...scriptsOf(page),
  }))
  const words = LANGUAGE_CODES.map((language) => ({
    language,
    bytes: compressed(Buffer.from(wordsJson(language, 'product', 'islands', []))),
  }))
  return {
    still: scriptsOf('home'),
    product: scriptsOf('product'),
    most: pages.reduce((most, next) => (next.bytes > most.bytes ? next : most)),
    search: sum(assets.chunksOf('live-search', 'islands')),
    words: words.reduce((most, next) => (next.bytes > most.bytes ? next : most)),
    styles: sum(assets.styles).bytes,
  }
}

function sum(addresses: readonly string[]): PageScripts {
  const files = new Set(addresses)
  return {
    files: files.size,
    bytes: [...files].reduce(
      (total, file) => total + compressed(readFileSync(join(CLIENT_FOLDER, file))),
      0,
    ),
  }
}

/** At the quality the server compresses its files with. */
function compressed(bytes: Buffer): number {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length
}
