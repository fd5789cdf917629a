import { endProgress, startProgress } from '../state/progress.ts'
import type { createShopRouter } from './router.tsx'

/** Shows the progress bar for navigations of the router, red when one fails; the title follows the page. */
export function showNavigationProgress(router: ReturnType<typeof createShopRouter>): void {
  let isRunning = false
  router.subscribe((state) => {
    const runs = state.navigation.state !== 'idle'
    if (runs === isRunning) return
    isRunning = runs
    if (runs) startProgress()
    else endProgress(state.errors ? 'failed' : 'done')
  })
}
