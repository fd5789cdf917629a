const SCAN_MS = 500
/** Pictures are fetched when they come within 1.33 screens (specification §9). */
const AHEAD = '33% 0px'

/**
 * Makes lazy pictures load 1.33 screens ahead and tries each failed one once more. The browser's own laziness works
 * without this, from a distance of its own choosing.
 */
export function watchPictures(): void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue
        ;(entry.target as HTMLImageElement).loading = 'eager'
        observer.unobserve(entry.target)
      }
    },
    { rootMargin: AHEAD },
  )
  // One that is observed already is not observed twice.
  const scan = () => {
    for (const picture of document.querySelectorAll('img[loading=lazy]')) observer.observe(picture)
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  new MutationObserver(() => {
    timer ??= setTimeout(() => {
      timer = undefined
      scan()
    }, SCAN_MS)
  }).observe(document.body, { childList: true, subtree: true })
  scan()
  document.addEventListener('error', (event) => retryOnce(event.target), true)
}

function retryOnce(target: EventTarget | null): void {
  if (!(target instanceof HTMLImageElement) || target.dataset['retried'] !== undefined) return
  target.dataset['retried'] = ''
  const source = target.src
  target.src = ''
  target.src = source
}
