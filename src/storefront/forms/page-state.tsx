import { createContext, use } from 'react'
import type { Outcome } from './form.ts'

/** What forms must know of the page they stand on. */
export interface PageState {
  /** Path and query, without language prefix. */
  readonly address: string
  /** Of a form that was posted without script. */
  readonly outcome: Outcome | undefined
}

const PageStateContext = createContext<PageState | null>(null)
export const PageStateProvider = PageStateContext.Provider

export function usePageState(): PageState {
  const state = use(PageStateContext)
  if (!state) throw new Error('No PageStateProvider above')
  return state
}
