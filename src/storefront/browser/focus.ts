/**
 * Keeps the place of who goes by keys or hears the page: where what had the focus goes away and nothing else takes it (a line is
 * removed, a form gives way to its result, the server's newer page has no such button), the page's heading takes it and is read.
 * The browser would begin again at the top of the document, in silence.
 */
export function keepFocus(main: HTMLElement): void {
  let last: Element | null = main.contains(document.activeElement) ? document.activeElement : null
  main.addEventListener('focusin', ({ target }) => {
    last = target as Element
  })
  main.addEventListener('focusout', ({ target }) => {
    // Left by the person, not taken away: then it is still there once whoever changes the page is done.
    queueMicrotask(() => {
      if (target === last && last?.isConnected) last = null
    })
  })
  new MutationObserver(() => {
    if (last === null || last.isConnected) return
    last = null
    if (document.activeElement === document.body) focusHeading(main)
  }).observe(main, { childList: true, subtree: true })
}

function focusHeading(main: HTMLElement): void {
  const heading = main.querySelector('h1') ?? main
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
