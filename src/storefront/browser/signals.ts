import { online } from '../state/online.ts'
import { progress } from '../state/progress.ts'

/**
 * What a page says of itself without React, which may be out of reach then: that the browser is offline, and how far a call is.
 * Their places are in the HTML, so that screen readers announce what comes.
 */
export function showSignals(): void {
  const banner = document.querySelector<HTMLElement>('[data-offline]')
  const bar = document.querySelector<HTMLProgressElement>('progress[data-progress]')
  online.subscribe(() => {
    if (banner) banner.hidden = online.get()
  })
  progress.subscribe(() => {
    const now = progress.get()
    if (!bar) return
    bar.hidden = now === null
    bar.value = now?.percent ?? 0
    bar.dataset['progress'] = now?.state ?? ''
  })
}
