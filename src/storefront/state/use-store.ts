import { useSyncExternalStore } from 'react'
import type { Store } from './store.ts'

/** What a store holds now; on the server, and while React takes over, what it holds from the start. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, () => store.initial)
}
