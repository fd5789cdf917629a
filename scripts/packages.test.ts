import { readFileSync, readdirSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}
/** Types alone go with the types that Node strips. */
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\b)(?:[^'";`]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/g
/** What the demo alone runs: `start` refuses a demo where its packages are left out. */
const ONLY_DEMO = /^sandbox\/(?:identity|mail)\//

const packageOf = (specifier: string) =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

function packagesIn(file: string): string[] {
  const found = readFileSync(join(ROOT, 'src', file), 'utf8').matchAll(IMPORT)
  return [...found]
    .map(([, from, lazily]) => from ?? lazily ?? '')
    .filter((name) => /^[@a-z]/.test(name) && !isBuiltin(name))
    .map(packageOf)
}

const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file),
)

test('a production install has every package that the shop runs with', () => {
  const left = files
    .filter((file) => !ONLY_DEMO.test(file))
    .flatMap((file) => packagesIn(file).map((name) => ({ file, name })))
    .filter(({ name }) => !(name in manifest.dependencies))
  expect(left).toEqual([])
})

test('what only the build or the demo needs is left out of a production install', () => {
  for (const name of [
    'node',
    'typescript',
    'vite',
    '@vitejs/plugin-react',
    'oidc-provider',
    'smtp-server',
  ])
    expect([name, name in manifest.devDependencies, name in manifest.dependencies]).toEqual([
      name,
      true,
      false,
    ])
})
