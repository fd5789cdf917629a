import { createStore, keep, readStored } from './store.ts'

const KEY = 'search_history'
const ENTRIES_MAX = 6
const LABEL_GRAPHEMES = 8

/** The last six searches, newest first, kept in this browser only. */
export const searchHistory = createStore<readonly string[]>([], { isPersonal: true })

export function openSearchHistory(): void {
  const kept = readStored(KEY)
  if (Array.isArray(kept))
    searchHistory.set(kept.filter((entry) => typeof entry === 'string').slice(0, ENTRIES_MAX))
}

export function rememberSearch(keyword: string): void {
  const next = [keyword, ...searchHistory.get().filter((entry) => entry !== keyword)].slice(
    0,
    ENTRIES_MAX,
  )
  searchHistory.set(next)
  keep(KEY, next)
}

export function forgetSearches(): void {
  searchHistory.set([])
  keep(KEY, [])
}

/** A search as its chip shows it: cut to 8 graphemes with an ellipsis, never through a letter or an emoji. */
export function chipLabel(keyword: string): string {
  const graphemes = [...new Intl.Segmenter().segment(keyword)]
  return graphemes.length <= LABEL_GRAPHEMES
    ? keyword
    : `${graphemes
        .slice(0, LABEL_GRAPHEMES)
        .map((part) => part.segment)
        .join('')}…`
}
