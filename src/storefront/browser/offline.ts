import { whenLoaded } from './loaded.ts'

/**
 * Has the browser keep the page that it shows while the shop cannot be reached: once, and after everything that this page needs has come.
 * A browser that keeps it already looks for a newer one by itself.
 */
export function keepOfflinePage(worker: string): void {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (!workers || workers.controller) return
  // A browser may refuse it for reasons of its own (a private window, no room): the shop does without.
  whenLoaded(() => void workers.register(worker).catch(() => undefined))
}
