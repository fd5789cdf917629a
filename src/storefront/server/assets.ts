import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from '#platform/project.ts'
import { FIRST_PAGE, type Liveliness } from '../islands.ts'

/** Addresses of the built browser files. */
export interface ClientAssets {
  readonly entry: string
  readonly styles: readonly string[]
  /** What a page needs beside the entry as soon as it is there; nothing for one that stays HTML. */
  readonly chunksOf: (page: string, liveliness: Liveliness) => readonly string[]
}

interface ManifestChunk {
  readonly file: string
  readonly name?: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

type Manifest = Readonly<Record<string, ManifestChunk>>

export const CLIENT_FOLDER = join(PROJECT_ROOT, 'build', 'client')
const ENTRY = 'src/storefront/browser/entry.ts'

/** Reads what the build wrote: one entry and one stylesheet for the whole shop, and the chunks of what comes alive. */
export function readClientAssets(): ClientAssets {
  const manifest = JSON.parse(
    readFileSync(join(CLIENT_FOLDER, '.vite', 'manifest.json'), 'utf8'),
  ) as Manifest
  const entry = manifest[ENTRY]
  if (!entry) throw new Error(`The build has no ${ENTRY}`)
  const styles = new Set(
    Object.values(manifest).flatMap((chunk) => [
      ...(chunk.css ?? []),
      ...(chunk.file.endsWith('.css') ? [chunk.file] : []),
    ]),
  )
  const kept = new Map<string, readonly string[]>()
  return {
    entry: `/${entry.file}`,
    styles: [...styles].map((file) => `/${file}`),
    chunksOf: (page, liveliness) => {
      let chunks = kept.get(page)
      if (!chunks) kept.set(page, (chunks = readChunks(manifest, page, liveliness)))
      return chunks
    },
  }
}

/** The files of a living page: those of its own module and of what brings it to life, with all they import. */
export function readChunks(manifest: Manifest, page: string, liveliness: Liveliness): string[] {
  if (liveliness === 'still') return []
  const chunks = new Set<ManifestChunk>()
  const add = (chunk: ManifestChunk | undefined) => {
    if (!chunk) throw new Error(`The build has no chunk for ${page}`)
    if (chunks.has(chunk)) return
    chunks.add(chunk)
    for (const imported of chunk.imports ?? []) add(manifest[imported])
  }
  // As scripts/vite-chunks.ts names them.
  const named = (name: string) => Object.values(manifest).find((chunk) => chunk.name === name)
  if (liveliness === 'whole') add(named('whole'))
  if (liveliness === 'whole' && page !== FIRST_PAGE) add(named('page-list'))
  add(named(page))
  return [...chunks].filter(({ isEntry }) => !isEntry).map(({ file }) => `/${file}`)
}
