import type { CartLine } from './cart.ts'
import { client } from './client.ts'
import { refusalOf } from './refusal.ts'
import { showToast } from './toasts.ts'

/** A press that has not been answered yet, or whose answer was lost: whoever presses again gets the order that it may have made. */
let unanswered: { readonly wish: string; readonly key: string } | null = null

/**
 * Orders these goods alone, past the cart. @returns the way to its payment; null when the shop refused and has said why: what is wrong
 * with the item is left to `onItemFault`, where there is one
 */
export async function orderNow(
  { item, quantity, fields }: CartLine,
  onItemFault?: (message: string) => void,
): Promise<string | null> {
  const line = { item, quantity, fields: { ...fields } }
  const wish = JSON.stringify(line)
  if (unanswered?.wish !== wish) unanswered = { wish, key: newKey() }
  try {
    const made = await client
      .get()
      ?.post(
        'order/create',
        { lines: [line] },
        { showCheckMsg: false, showErrorMsg: true, idempotencyKey: unanswered.key },
      )
    unanswered = null
    return made ? `/order/cashier?order=${made.order}` : null
  } catch (error) {
    const { isAnswer, message, isOfItem } = refusalOf(error)
    if (isAnswer) unanswered = null
    if (isOfItem && onItemFault) onItemFault(message)
    else if (message !== '') showToast('error', message)
    return null
  }
}

/** Not `randomUUID`, which browsers have under https alone. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
