import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from '#platform/project.ts'

/** Addresses of the console's built browser files. */
export interface ConsoleAssets {
  readonly entry: string
  readonly styles: readonly string[]
  /** What a page's own module brings along, to be fetched beside the entry. */
  readonly chunksOf: (page: string) => readonly string[]
}

type Manifest = Readonly<
  Record<
    string,
    {
      readonly file: string
      readonly imports?: readonly string[]
      readonly css?: readonly string[]
    }
  >
>

export const CONSOLE_FOLDER = join(PROJECT_ROOT, 'build', 'console')
const ENTRY = 'src/console/browser/entry.tsx'

export function readConsoleAssets(): ConsoleAssets {
  const manifest = JSON.parse(
    readFileSync(join(CONSOLE_FOLDER, '.vite', 'manifest.json'), 'utf8'),
  ) as Manifest
  const entry = manifest[ENTRY]
  if (!entry) throw new Error(`The build has no ${ENTRY}`)
  const atStart = filesOf(manifest, ENTRY)
  return {
    entry: `/${entry.file}`,
    styles: [...new Set(Object.values(manifest).flatMap(({ css }) => css ?? []))].map(
      (file) => `/${file}`,
    ),
    chunksOf: (page) =>
      [...filesOf(manifest, `src/console/${page}/page.tsx`)]
        .filter((file) => !atStart.has(file))
        .concat([...atStart].filter((file) => file !== entry.file))
        .map((file) => `/${file}`),
  }
}

function filesOf(manifest: Manifest, source: string): Set<string> {
  const files = new Set<string>()
  const add = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) add(imported)
  }
  add(source)
  return files
}
