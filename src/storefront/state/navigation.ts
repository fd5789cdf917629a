import { createStore } from './store.ts'

/** Moving between pages from code; null on the server and until the application is alive. Paths are without language prefix. */
export interface Navigation {
  readonly go: (path: string) => void
  /** Fetches the data of the page shown anew. */
  readonly reload: () => void
}

export const navigation = createStore<Navigation | null>(null)
