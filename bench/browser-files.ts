import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { LANGUAGE_CODES } from '#kernel/language.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { ROUTES } from '#storefront/routes.ts'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

type Manifest = Readonly<Record<string, Chunk>>

export interface BrowserFiles {
  /** Bytes in brotli; the language whose messages weigh most. */
  readonly productScript: number
  readonly heaviestLanguage: string
  /** The page with most script, for comparison. */
  readonly largestScript: { readonly page: string; readonly bytes: number }
  readonly styles: number
}

const CLIENT = join(PROJECT_ROOT, 'build', 'client')
const ENTRY = 'src/storefront/browser/entry.tsx'
/** Areas every page needs beside its own (see the router's table). */
const COMMON_AREAS = ['shell', 'goods', 'title']

/** Sums up what a browser fetches for a page: the entry, what it imports, the page's own files and its messages in one language. */
export function measureBrowserFiles(): BrowserFiles {
  const manifest = JSON.parse(
    readFileSync(join(CLIENT, '.vite', 'manifest.json'), 'utf8'),
  ) as Manifest
  const product = LANGUAGE_CODES.map((language) => ({
    language,
    bytes: scriptBytes(manifest, 'product', language),
  }))
  const heaviest = product.reduce((most, next) => (next.bytes > most.bytes ? next : most))
  const pages = [...new Set(ROUTES.map((route) => route.page))].map((page) => ({
    page,
    bytes: scriptBytes(manifest, page, heaviest.language),
  }))
  const styles = new Set(
    Object.values(manifest).flatMap((chunk) => [
      ...(chunk.css ?? []),
      ...(chunk.file.endsWith('.css') ? [chunk.file] : []),
    ]),
  )
  return {
    productScript: heaviest.bytes,
    heaviestLanguage: heaviest.language,
    largestScript: pages.reduce((most, next) => (next.bytes > most.bytes ? next : most)),
    styles: [...styles].reduce((sum, file) => sum + brotliBytes(file), 0),
  }
}

function scriptBytes(manifest: Manifest, page: string, language: string): number {
  const areas = new Set([
    ...COMMON_AREAS,
    ...ROUTES.filter((route) => route.page === page).flatMap((route) => [...route.areas]),
  ])
  const roots = [
    ENTRY,
    `src/storefront/${page}/page.tsx`,
    ...[...areas].map((area) => messagesOf(manifest, language, area)),
  ]
  const files = new Set<string>()
  for (const root of roots) addFiles(manifest, root, files)
  return [...files].reduce((sum, file) => sum + brotliBytes(file), 0)
}

/** English stands in for an area that a language lacks, as in the browser. */
function messagesOf(manifest: Manifest, language: string, area: string): string {
  const own = `locales/${language}/${area}.json`
  return own in manifest ? own : `locales/en/${area}.json`
}

function addFiles(manifest: Manifest, name: string, files: Set<string>): void {
  const chunk = manifest[name]
  if (!chunk || files.has(chunk.file)) return
  files.add(chunk.file)
  for (const imported of chunk.imports ?? []) addFiles(manifest, imported, files)
}

const sizes = new Map<string, number>()

/** At the quality the server compresses its files with. */
function brotliBytes(file: string): number {
  let size = sizes.get(file)
  if (size === undefined) {
    size = brotliCompressSync(readFileSync(join(CLIENT, file)), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
    }).length
    sizes.set(file, size)
  }
  return size
}
