import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { InlineConfig } from 'vite'

const ROOT = join(import.meta.dirname, '..')
const STAMP = join(ROOT, 'build', 'stamp')
/** Everything the bundles are made from. A path that does not exist is skipped. */
const SOURCES = [
  'src',
  'locales',
  'public',
  'vite.config.ts',
  'tsconfig.json',
  'package-lock.json',
  'scripts/build.ts',
  'scripts/vite-chunks.ts',
  'scripts/vite-messages.ts',
]
const TESTS = /\.(?:test|e2e)\.tsx?$/

/**
 * Builds the browser's files into build/client and the web process into build/server, unless they were made from the very
 * same sources. Throws an Error with one sentence when that fails.
 */
export async function buildApplication(options: {
  onlyIfStale: boolean
}): Promise<'built' | 'fresh'> {
  // A production image carries what was built, and no bundler.
  if (options.onlyIfStale && isBuilt() && !existsSync(join(ROOT, 'node_modules', 'vite')))
    return 'fresh'
  const hash = hashOfSources()
  if (options.onlyIfStale && isBuilt() && readFileSync(STAMP, 'utf8') === hash) return 'fresh'
  makeRoom()
  process.stdout.write(
    'Building the shop. This takes a moment on the first start and after each change of the program.\n',
  )
  // React chooses its development or production files by this when the bundles are made.
  process.env.NODE_ENV = 'production'
  await bundle({})
  await bundle({}, 'console')
  await bundle({ ssr: 'src/server.ts' })
  writeFileSync(STAMP, hash)
  return 'built'
}

function isBuilt(): boolean {
  return existsSync(STAMP) && existsSync(join(ROOT, 'build', 'server', 'server.js'))
}

/** An interrupted build must not pass for a finished one, so the stamp goes first and comes back last. */
function makeRoom(): void {
  try {
    rmSync(STAMP, { force: true })
    mkdirSync(join(ROOT, 'build'), { recursive: true })
    const probe = join(ROOT, 'build', `probe-${process.pid}`)
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    throw new Error(
      `The shop must be built, and this user may not write to ${join(ROOT, 'build')}. Run npm run build once as the owner of that folder.`,
      { cause: error },
    )
  }
}

/** In this very process, so that nothing is left running when the build is cut off. */
async function bundle(
  build: NonNullable<InlineConfig['build']>,
  mode = 'production',
): Promise<void> {
  const { build: buildWithVite } = await importVite()
  await buildWithVite({ root: ROOT, mode, configLoader: 'native', logLevel: 'warn', build })
}

/** Only now: most starts find a fresh build and need no bundler, and a production install has none. */
async function importVite(): Promise<typeof import('vite')> {
  try {
    return await import('vite')
  } catch (error) {
    throw new Error(
      `The shop must be built, and what builds it is not installed here. Run npm ci and npm run build where all packages are, and bring the folder ${join(ROOT, 'build')} along.`,
      { cause: error },
    )
  }
}

function hashOfSources(): string {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0] ?? '')
  for (const source of SOURCES) {
    for (const file of filesUnder(join(ROOT, source)))
      hash.update(`\0${file.slice(ROOT.length)}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function filesUnder(path: string): string[] {
  const status = statSync(path, { throwIfNoEntry: false })
  if (!status) return []
  if (status.isFile()) return TESTS.test(path) ? [] : [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesUnder(join(path, name)))
}

if (import.meta.main) {
  try {
    const outcome = await buildApplication({ onlyIfStale: process.argv.includes('--if-stale') })
    if (!process.argv.includes('--if-stale'))
      process.stdout.write(outcome === 'built' ? 'Built.\n' : '')
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
