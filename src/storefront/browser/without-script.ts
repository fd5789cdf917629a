import {
  VISITOR_CART,
  VISITOR_CART_SECONDS,
  VISITOR_LENGTH_MAX,
  VISITOR_LINES_MAX,
} from '../forms/visitor-cart.ts'
import { readBrowserCookie, writeBrowserCookie } from '../state/browser-cookies.ts'
import { cart, keepLines, type CartLine } from '../state/cart.ts'
import { isSignedIn } from '../state/session.ts'

/**
 * Shows the page as it is where no script runs, as soon as it is fetched: another file of the page is out of reach for good, and what it
 * would have drawn is there for those without script anyway. A visitor's cart first goes where the server sees it (decision 036); the way
 * back is the living cart's.
 */
if (location.pathname.endsWith('/shop-cart') && !isSignedIn() && moveCart()) location.reload()
else {
  delete document.documentElement.dataset['js']
  for (const part of document.querySelectorAll('#main noscript')) part.outerHTML = part.textContent
}

/** As many lines as the cookie holds; the others stay where they are. @returns whether any went */
function moveCart(): boolean {
  // What is there already would be written over: it is shown first, and taken over by the living cart.
  if (readBrowserCookie(VISITOR_CART)) return false
  const lines = cart.get()
  for (let count = Math.min(lines.length, VISITOR_LINES_MAX); count > 0; count -= 1) {
    const text = written(lines.slice(0, count))
    if (text.length > VISITOR_LENGTH_MAX) continue
    writeBrowserCookie(VISITOR_CART, text, VISITOR_CART_SECONDS)
    // Refused where the browser's owner wants no cookies: the lines stay.
    if (!readBrowserCookie(VISITOR_CART)) return false
    keepLines(lines.slice(count))
    return true
  }
  return false
}

/** As `writeVisitorCart` does on the server, which knows each line's product by its item. */
function written(lines: readonly CartLine[]): string {
  return encodeURIComponent(
    JSON.stringify(
      lines.map(({ item, quantity, fields, amount }) => [
        item,
        quantity,
        fields,
        ...(amount === undefined ? [] : [amount]),
      ]),
    ),
  )
}
