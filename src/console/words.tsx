import { createContext, use } from 'react'
import type { MessageKey } from '#platform/i18n/keys.ts'

/** The operator's language and its translator. */
export interface ConsoleWords {
  readonly language: string
  readonly dir: 'ltr' | 'rtl'
  readonly t: (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string
}

const WordsContext = createContext<ConsoleWords | null>(null)
export const ConsoleWordsProvider = WordsContext.Provider

export function useConsoleWords(): ConsoleWords {
  const words = use(WordsContext)
  if (!words) throw new Error('No ConsoleWordsProvider above')
  return words
}

export function useT(): ConsoleWords['t'] {
  return useConsoleWords().t
}
