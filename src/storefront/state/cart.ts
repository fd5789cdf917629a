import { createStore, keep, readKept } from './store.ts'

/** A line of the visitor's cart, kept in this browser until the account takes it over. */
export interface CartLine {
  /** Code of the item. */
  readonly item: string
  readonly product: string
  readonly quantity: number
  /** Account fields of a direct charge. */
  readonly fields: Readonly<Record<string, string>>
}

const KEY = 'cart'
const LINES_MAX = 50
export const QUANTITY_MAX = 99

export const cart = createStore<readonly CartLine[]>([])

/** Reads the kept cart; also when another tab has changed it. */
export function openCart(): void {
  const read = () => cart.set(parseCart(readKept(KEY)))
  addEventListener('storage', (event) => {
    if (event.key === KEY) read()
  })
  read()
}

/** Adds to the line of the same item and account, or makes one. False when the cart is full. */
export function addToCart(line: CartLine): boolean {
  const lines = cart.get()
  const index = lines.findIndex((other) => isSameLine(other, line))
  if (index < 0 && lines.length >= LINES_MAX) return false
  const next =
    index < 0
      ? [...lines, line]
      : lines.map((other, at) => (at === index ? { ...other, quantity: Math.min(QUANTITY_MAX, other.quantity + line.quantity) } : other))
  store(next)
  return true
}

export function setQuantity(line: CartLine, quantity: number): void {
  store(cart.get().map((other) => (isSameLine(other, line) ? { ...other, quantity: Math.min(QUANTITY_MAX, Math.max(1, quantity)) } : other)))
}

export function removeFromCart(line: CartLine): void {
  store(cart.get().filter((other) => !isSameLine(other, line)))
}

/** Number shown at the cart: units, '99+' above 99. */
export function cartBadge(lines: readonly CartLine[]): string | null {
  const count = lines.reduce((sum, line) => sum + line.quantity, 0)
  return count === 0 ? null : count > 99 ? '99+' : String(count)
}

function isSameLine(a: CartLine, b: CartLine): boolean {
  return a.item === b.item && JSON.stringify(Object.entries(a.fields).sort()) === JSON.stringify(Object.entries(b.fields).sort())
}

function store(lines: readonly CartLine[]): void {
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
    typeof line === 'object' && line !== null && typeof line.item === 'string' && typeof line.product === 'string' &&
    Number.isInteger(line.quantity) && line.quantity >= 1 && line.quantity <= QUANTITY_MAX &&
    typeof line.fields === 'object' && line.fields !== null && Object.values(line.fields).every((field) => typeof field === 'string')
  )
}
