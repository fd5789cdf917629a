import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One line of the fixed mix `search-words.json`. */
export interface SearchWord {
  readonly q: string
  readonly lang: string
  /** Code of the brand or game that must be among the first five brands; null where nothing is expected. */
  readonly expect: string | null
  readonly why: string
}

export const SEARCH_WORDS = JSON.parse(
  readFileSync(join(import.meta.dirname, 'search-words.json'), 'utf8'),
) as readonly SearchWord[]
