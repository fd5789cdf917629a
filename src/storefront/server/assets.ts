import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from '#platform/project.ts'

/** Addresses of the built browser files. */
export interface ClientAssets {
  readonly entry: string
  readonly styles: readonly string[]
}

interface ManifestChunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly css?: readonly string[]
}

export const CLIENT_FOLDER = join(PROJECT_ROOT, 'build', 'client')
const ENTRY = 'src/storefront/browser/entry.tsx'

/** Reads what the build wrote: one entry and one stylesheet for the whole shop. */
export function readClientAssets(): ClientAssets {
  const manifest = JSON.parse(
    readFileSync(join(CLIENT_FOLDER, '.vite', 'manifest.json'), 'utf8'),
  ) as Record<string, ManifestChunk>
  const entry = manifest[ENTRY]
  if (!entry) throw new Error(`The build has no ${ENTRY}`)
  const styles = new Set(
    Object.values(manifest).flatMap((chunk) => [
      ...(chunk.css ?? []),
      ...(chunk.file.endsWith('.css') ? [chunk.file] : []),
    ]),
  )
  return { entry: `/${entry.file}`, styles: [...styles].map((file) => `/${file}`) }
}
