import { createStore } from './store.ts'

/** Whether the browser is connected; starts as true, so that the server renders nothing about it. */
export const online = createStore(true)

export function watchConnection(): void {
  const update = () => online.set(navigator.onLine)
  addEventListener('online', update)
  addEventListener('offline', update)
  update()
}
