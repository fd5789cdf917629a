import type { CartLine } from './cart.ts'
import { client } from './client.ts'
import { refusalOf } from './refusal.ts'
import { keepInTab, readInTab } from './store.ts'
import { showToast } from './toasts.ts'

/**
 * A press that has not been answered yet, or whose answer was lost: whoever presses again gets the order that it may have made. Kept in
 * the tab, as the page may be loaded anew meanwhile, as what was typed is.
 */
interface Press {
  readonly wish: string
  readonly key: string
}
const PRESS_KEY = 'order now'
/** For a browser that keeps nothing. */
let unanswered: Press | null = null

/**
 * Orders these goods alone, past the cart. @returns the way to its payment; null when the shop refused and has said why: what is wrong
 * with the item is left to `onItemFault`, where there is one
 */
export async function orderNow(
  { item, quantity, fields, amount }: CartLine,
  onItemFault?: (message: string) => void,
): Promise<string | null> {
  const line = { item, quantity, fields: { ...fields }, amount }
  const key = keyOfPress(JSON.stringify(line))
  try {
    const made = await client
      .get()
      ?.post(
        'order/create',
        { lines: [line] },
        { showCheckMsg: false, showErrorMsg: true, idempotencyKey: key },
      )
    answered()
    return made ? `/order/cashier?order=${made.order}` : null
  } catch (error) {
    const { isAnswer, message, isOfItem } = refusalOf(error)
    if (isAnswer) answered()
    if (isOfItem && onItemFault) onItemFault(message)
    else if (message !== '') showToast('error', message)
    return null
  }
}

function keyOfPress(wish: string): string {
  const before = unanswered ?? (readInTab(PRESS_KEY) as Partial<Press> | null)
  if (before?.wish === wish && typeof before.key === 'string') return before.key
  unanswered = { wish, key: newKey() }
  keepInTab(PRESS_KEY, unanswered)
  return unanswered.key
}

function answered(): void {
  unanswered = null
  keepInTab(PRESS_KEY, null)
}

/** Not `randomUUID`, which browsers have under https alone. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
