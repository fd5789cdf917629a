import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { translatorOf } from '#platform/i18n/messages.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { withRoutes } from '../../scripts/route-docs.ts'
import { ROUTE_ENTRIES } from '../../test/support/page-addresses.ts'
import { ROOMS } from './later/rooms.ts'
import { ROUTES } from './routes.ts'
import { matchRoute } from './server/match.ts'

const entryOf = (path: string) => ROUTE_ENTRIES.find(({ route }) => route === path)

test.each(ROUTES)('$path has a page, which says what tests open of it', ({ path, page }) => {
  const folder = join(PROJECT_ROOT, 'src', 'storefront', page)
  expect(existsSync(join(folder, 'load.ts')) && existsSync(join(folder, 'page.tsx'))).toBe(true)
  const { visitor = [], person = [], page: owner } = entryOf(path) ?? {}
  expect(owner).toBe(page)
  expect([...visitor, ...person]).not.toEqual([])
})

test('what pages say is of routes there are, and of addresses of those routes', () => {
  for (const { route, visitor, person, missing } of ROUTE_ENTRIES) {
    expect(ROUTES.map(({ path }) => path)).toContain(route)
    for (const address of [...visitor, ...person, ...missing])
      expect(matchRoute(address.split('?')[0] ?? '')?.route.path).toBe(route)
  }
})

test.each(ROUTES.filter(({ path }) => path.endsWith('?')))(
  '$path may do without its last part',
  ({ path }) => {
    expect(matchRoute(path.replace(/\/:\w+\?$/, ''))?.route.path).toBe(path)
  },
)

test('fixed addresses win over codes', () => {
  expect(matchRoute('/news/search')?.route.path).toBe('/news/search')
  expect(matchRoute('/news/anything')?.params).toEqual({ code: 'anything' })
})

test.each([
  '/unknown',
  '/user/unknown',
  '/order',
  '/article',
  '/news/a/b',
  '/cards/a/b',
  '/loading/a/b',
  '/USER',
])('%s has none', (address) => {
  expect(matchRoute(address)).toBeNull()
})

test('docs/routes.md says what the pages say of themselves (npm run docs:routes writes it)', () => {
  const document = readFileSync(join(PROJECT_ROOT, 'docs', 'routes.md'), 'utf8')
  expect(document).toBe(withRoutes(document))
})

describe('first versions', () => {
  const t = translatorOf('en')

  test('say each their own', () => {
    const texts = Object.entries(ROOMS)
      // Another address of `/sales/66`.
      .filter(([path]) => path !== '/66')
      .map(([, room]) => t(room.text))
    expect(new Set(texts).size).toBe(texts.length)
  })

  test('lead on to pages of the shop', () => {
    for (const { path } of Object.values(ROOMS).flatMap((room) => room.links))
      expect(matchRoute(path)).not.toBeNull()
  })
})
