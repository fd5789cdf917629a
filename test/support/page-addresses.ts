import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const PAGES = join(import.meta.dirname, '..', '..', 'src', 'storefront')
const FILE = 'addresses.json'

const paths = z.array(z.string().startsWith('/')).default([])
const entry = z.strictObject({
  /** A first version says what will be there and what works already. */
  state: z.literal('first version').optional(),
  note: z.string().default(''),
  /** What tests open of it as a visitor, with real codes of the demo catalogue; a visitor may be led to the login page. */
  visitor: paths,
  /** … and as somebody signed in. */
  person: paths,
  /** … and what answers 404. */
  missing: paths,
  /** Further tests of it. */
  tests: z.array(z.string()).default([]),
})

/** What a page says of one of its routes, for tests and documents. */
export type RouteEntry = z.infer<typeof entry> & { readonly page: string; readonly route: string }

/** Every entry of every page, read from `src/storefront/<page>/addresses.json`. */
export const ROUTE_ENTRIES: readonly RouteEntry[] = readdirSync(PAGES, {
  recursive: true,
  encoding: 'utf8',
})
  .filter((file) => file.endsWith(`/${FILE}`))
  .sort()
  .flatMap((file) => {
    const page = file.slice(0, -FILE.length - 1)
    const entries = z
      .record(z.string(), entry)
      .parse(JSON.parse(readFileSync(join(PAGES, file), 'utf8')))
    return Object.entries(entries).map(([route, told]) => ({ ...told, page, route }))
  })
