import type { CartLine } from './cart.ts'
import { client } from './client.ts'
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

/** Orders these goods alone, past the cart. @returns the way to its payment; null when the shop refused and has said why */
export async function orderNow({ item, quantity, fields }: CartLine): Promise<string | null> {
  const line = { item, quantity, fields: { ...fields } }
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
    const { isAnswer, message } = refusalOf(error)
    if (isAnswer) answered()
    if (message !== '') showToast('error', message)
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

/** Envelope codes of refusals lie above those of HTTP, which tell nothing of what has become of the order. */
const BUSINESS_CODES = 1_000

/** The sentence of the first field at fault says more than that of the whole; network errors are told by the client. */
function refusalOf(error: unknown): { readonly isAnswer: boolean; readonly message: string } {
  const {
    message = '',
    data,
    code = 0,
  } = error as {
    readonly message?: string
    readonly data?: { readonly fields?: readonly { readonly msg: string }[] } | null
    readonly code?: number
  }
  const isAnswer = code > BUSINESS_CODES
  return { isAnswer, message: data?.fields?.[0]?.msg ?? (isAnswer ? message : '') }
}
