import { createContext, use } from 'react'
import type { MessageKey } from '#platform/i18n/keys.ts'
import { localPath } from './local-path.ts'

/** The words of one page: the language and its translator. */
export interface Words {
  readonly language: string
  /** '' for English, otherwise '/de'. */
  readonly prefix: string
  readonly dir: 'ltr' | 'rtl'
  readonly t: (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string
}

const WordsContext = createContext<Words | null>(null)
export const WordsProvider = WordsContext.Provider

export function useWords(): Words {
  const words = use(WordsContext)
  if (!words) throw new Error('No WordsProvider above')
  return words
}

/** The translator of the page's language. */
export function useT(): Words['t'] {
  return useWords().t
}

/** Puts the page's language before a path of this shop: `/cards` → `/de/cards`. */
export function useHref(): (path: string) => string {
  const { prefix } = useWords()
  return (path) => localPath(prefix, path)
}
