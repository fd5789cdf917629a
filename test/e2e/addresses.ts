import { ROUTE_ENTRIES } from '../support/page-addresses.ts'

export interface SampleAddress {
  /** Without language prefix. */
  readonly path: string
  readonly status?: number
}

/** At least one address for each page, with real codes of the demo catalogue, and some that name nothing. */
export const SAMPLE_ADDRESSES: readonly SampleAddress[] = [
  ...ROUTE_ENTRIES.flatMap(({ visitor }) => visitor.map((path) => ({ path }))),
  ...ROUTE_ENTRIES.flatMap(({ missing }) => missing.map((path) => ({ path, status: 404 }))),
  { path: '/no-such-page', status: 404 },
]

/** Pages of somebody signed in; visitors are led to the login page. */
export const PERSONAL_PATHS: readonly string[] = ROUTE_ENTRIES.flatMap(({ person }) => person)
