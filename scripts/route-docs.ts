/** Writes the table of pages in docs/routes.md from the table of routes and what each page says of itself. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROUTES } from '../src/storefront/routes.ts'
import { ROUTE_ENTRIES } from '../test/support/page-addresses.ts'

const FILE = join(import.meta.dirname, '..', 'docs', 'routes.md')
const HEAD = '| route | layout | state | note | further tests |\n|---|---|---|---|---|\n'

/** The document as it should be. */
export function withRoutes(document: string): string {
  const start = document.indexOf(HEAD) + HEAD.length
  const end = document.indexOf('\n\n', start)
  return `${document.slice(0, start)}${rows().join('\n')}${document.slice(end)}`
}

function rows(): string[] {
  const entries = new Map(ROUTE_ENTRIES.map((entry) => [entry.route, entry]))
  return [...ROUTES]
    .map(({ path, layout }) => ({ path, layout, name: path.replaceAll(/:(\w+)(\??)/g, '{$1$2}') }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, layout, name }) => {
      const { state = 'complete', note = '', tests = [] } = entries.get(path) ?? {}
      const further = tests.map((test) => `\`${test}\``).join(', ')
      return `| \`${name}\` | ${layout} | ${state} | ${note} | ${further} |`
    })
}

if (import.meta.main) writeFileSync(FILE, withRoutes(readFileSync(FILE, 'utf8')))
