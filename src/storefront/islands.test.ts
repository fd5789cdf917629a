import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT_ROOT } from '#platform/project.ts'
import { FIRST_PAGE, STILL_PAGES } from './islands.ts'
import { ROUTES } from './routes.ts'

const STOREFRONT = join(PROJECT_ROOT, 'src', 'storefront')
/** Come alive by themselves wherever they stand. */
const ISLANDS = new Set([join(STOREFRONT, 'shell', 'live-search.tsx')])
const NEEDS_LIFE = /\buse(?:State|Effect|LayoutEffect|Ref|Reducer|Store)\(|\son[A-Z]\w*=\{/

test('nothing in a still page waits for a browser that brings it to life', () => {
  const found = [...STILL_PAGES].flatMap((page) =>
    filesOf(join(STOREFRONT, page, 'page.tsx'))
      .filter((file) => NEEDS_LIFE.test(readFileSync(file, 'utf8')))
      .map((file) => `${page}: ${file.slice(PROJECT_ROOT.length + 1)}`),
  )
  expect(found).toEqual([])
})

test('the browser is built with every page that comes alive whole, and with no other', () => {
  const source = readFileSync(join(STOREFRONT, 'browser', 'page-list.ts'), 'utf8')
  const left = /'!\.\.\/\{([^}]*)\}\/page\.tsx'/.exec(source)?.[1]?.split(',') ?? []
  const withIslands = [...new Set(ROUTES.map(({ page }) => page))].filter((page) =>
    existsSync(join(STOREFRONT, page, 'islands.tsx')),
  )
  expect(left.sort()).toEqual([...STILL_PAGES, ...withIslands, FIRST_PAGE].sort())
})

/** A module of ours and all that it imports for more than types, as far as no island begins. */
function filesOf(start: string): string[] {
  const files = new Set<string>()
  const add = (file: string) => {
    if (files.has(file) || ISLANDS.has(file) || !existsSync(file)) return
    files.add(file)
    const source = readFileSync(file, 'utf8')
    for (const [, path = ''] of source.matchAll(
      /^(?:import|export) (?!type )[^;]*?from '([^']+\.tsx)'/gms,
    ))
      add(
        path.startsWith('#') ? join(PROJECT_ROOT, 'src', path.slice(1)) : join(dirname(file), path),
      )
  }
  add(start)
  return [...files]
}
