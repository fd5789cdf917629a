import { LINES_MAX, QUANTITY_MAX } from '#features/buying/order/rules.ts'
import { VISITOR_CART } from '../forms/visitor-cart.ts'
import { writeBrowserCookie } from './browser-cookies.ts'
import { client } from './client.ts'
import { isSignedIn, person, rememberPerson } from './session.ts'
import { refusalOf } from './refusal.ts'
import { createStore, keep, readStored } from './store.ts'
import { showToast } from './toasts.ts'

/** A line of the visitor's cart, kept in this browser until the account takes it over. */
export interface CartLine {
  /** Code of the item. */
  readonly item: string
  readonly product: string
  readonly quantity: number
  /** Account fields of a direct charge. */
  readonly fields: Readonly<Record<string, string>>
  /** Of goods that are sold at any amount, in minor units of their face currency. */
  readonly amount?: number | undefined
}

const KEY = 'cart'

export const cart = createStore<readonly CartLine[]>([], { isPersonal: true })

/** Reads the kept cart; also when another tab has changed it. */
export function openCart(): void {
  const read = () => cart.set(parseCart(readStored(KEY)))
  addEventListener('storage', (event) => {
    if (event.key === KEY) read()
  })
  read()
}

/**
 * Puts goods into the account's cart, for a visitor into the browser's. 'full' when there is no room; 'refused' when the shop
 * has said why not: what is wrong with the item is left to `onItemFault`, where there is one.
 */
export async function addToCart(
  { item, product, quantity, fields, amount }: CartLine,
  onItemFault?: (message: string) => void,
): Promise<'added' | 'full' | 'refused'> {
  if (!isSignedIn()) return addHere({ item, product, quantity, fields, amount }) ? 'added' : 'full'
  try {
    const answer = await client
      .get()
      ?.post(
        'cart/add',
        { item, quantity, fields: { ...fields }, amount },
        { showCheckMsg: false, showErrorMsg: true },
      )
    if (answer) showCount(answer.cart_num)
    return answer ? 'added' : 'refused'
  } catch (error) {
    const { message, isOfItem } = refusalOf(error)
    if (isOfItem && onItemFault) onItemFault(message)
    else if (message !== '') showToast('error', message)
    return 'refused'
  }
}

/** Takes over what the browser kept while no script ran; the greater quantity of a line counts. */
export function takeOverCart(lines: readonly CartLine[]): void {
  if (lines.length === 0) return
  for (const line of lines) holdHere(line)
  writeBrowserCookie(VISITOR_CART, '', 0)
}

/** Shows how many units the account's cart holds. */
export function showCount(units: number): void {
  const known = person.get()
  if (known) rememberPerson({ ...known, cartCount: units })
}

/**
 * Gives the browser's cart to the account of who has signed in, then forgets it. Until that has gone well it stays, and is
 * offered again at the next page. @returns whether the account's cart has changed
 */
export async function handOverCart(): Promise<boolean> {
  const lines = cart.get()
  if (lines.length === 0 || !isSignedIn()) return false
  try {
    const answer = await client.get()?.post(
      'cart/merge',
      {
        lines: lines.map(({ item, quantity, fields, amount }) => ({
          item,
          quantity,
          fields: { ...fields },
          amount,
        })),
      },
      { showCheckMsg: false },
    )
    if (!answer) return false
    // What another tab has added meanwhile goes the next time.
    keepLines(cart.get().filter((line) => !lines.includes(line)))
    showCount(answer.cart_num)
    return true
  } catch {
    return false
  }
}

/** Has at least as many of a line in the visitor's cart: what is there already is not put there again. False where there is no room. */
export function holdHere(line: CartLine): boolean {
  const own = cart.get().find((other) => isSameLine(other, line))
  if (!own) return addHere(line)
  if (own.quantity < line.quantity) setQuantity(own, line.quantity)
  return true
}

function addHere(line: CartLine): boolean {
  const lines = cart.get()
  const index = lines.findIndex((other) => isSameLine(other, line))
  if (index < 0 && lines.length >= LINES_MAX) return false
  const next =
    index < 0
      ? [...lines, line]
      : lines.map((other, at) =>
          at === index
            ? { ...other, quantity: Math.min(QUANTITY_MAX, other.quantity + line.quantity) }
            : other,
        )
  keepLines(next)
  return true
}

export function setQuantity(line: CartLine, quantity: number): void {
  keepLines(
    cart
      .get()
      .map((other) =>
        isSameLine(other, line)
          ? { ...other, quantity: Math.min(QUANTITY_MAX, Math.max(1, quantity)) }
          : other,
      ),
  )
}

export function removeFromCart(line: CartLine): void {
  keepLines(cart.get().filter((other) => !isSameLine(other, line)))
}

/** How many pieces lines are of: what every count of a cart says. */
export function unitsOf(lines: readonly Pick<CartLine, 'quantity'>[]): number {
  return lines.reduce((sum, line) => sum + line.quantity, 0)
}

/** Number shown at the cart: units, '99+' above 99. */
export function cartBadge(count: number): string | null {
  return count === 0 ? null : count > 99 ? '99+' : String(count)
}

function isSameLine(a: CartLine, b: CartLine): boolean {
  return a.item === b.item && a.amount === b.amount && isSameAccount(a.fields, b.fields)
}

export function isSameAccount(a: CartLine['fields'], b: CartLine['fields']): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort())
}

export function keepLines(lines: readonly CartLine[]): void {
  cart.set(lines)
  keep(KEY, lines)
}

function parseCart(kept: unknown): readonly CartLine[] {
  if (!Array.isArray(kept)) return []
  return kept.filter(isCartLine).slice(0, LINES_MAX)
}

function isCartLine(value: unknown): value is CartLine {
  const line = value as CartLine | null
  return (
    typeof line === 'object' &&
    line !== null &&
    typeof line.item === 'string' &&
    typeof line.product === 'string' &&
    Number.isInteger(line.quantity) &&
    line.quantity >= 1 &&
    line.quantity <= QUANTITY_MAX &&
    (line.amount === undefined || Number.isSafeInteger(line.amount)) &&
    typeof line.fields === 'object' &&
    line.fields !== null &&
    Object.values(line.fields).every((field) => typeof field === 'string')
  )
}
