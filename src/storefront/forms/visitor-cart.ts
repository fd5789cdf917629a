import { QUANTITY_MAX } from '#features/buying/order/rules.ts'

/** The cart that a visitor's browser keeps where no script runs: a cookie, which the pages of cart and sign-in read. */
export const VISITOR_CART = 'cart'
export const VISITOR_CART_SECONDS = 30 * 86_400
/** It goes along with every request to the shop. */
export const VISITOR_LINES_MAX = 20
/** Of the cookie, percent-encoded. */
export const VISITOR_LENGTH_MAX = 3_000

export interface VisitorLine {
  /** Code of the item. */
  readonly item: string
  readonly quantity: number
  /** Account fields of a direct charge. */
  readonly fields: Readonly<Record<string, string>>
  /** Of goods that are sold at any amount, in minor units of their face currency. */
  readonly amount?: number | undefined
}

/** What a form makes of the lines. */
export interface VisitorChange {
  readonly lines: readonly VisitorLine[]
  /** The line that was added or changed: the shop says whether it can be bought like that. */
  readonly asked: VisitorLine | null
}

/** What goods are one line by. */
export function lineName({
  item,
  fields,
  amount,
}: Pick<VisitorLine, 'item' | 'fields' | 'amount'>): string {
  return JSON.stringify([
    item,
    ...Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ...(amount === undefined ? [] : [amount]),
  ])
}

/** Lines as the cookie has them, with no more of each than a cart takes; whatever else stands there is left out. */
export function readVisitorCart(text: string | null): readonly VisitorLine[] {
  if (text === null || text.length > VISITOR_LENGTH_MAX) return []
  try {
    const lines: unknown = JSON.parse(text)
    return Array.isArray(lines)
      ? lines.flatMap((line) => lineOf(line) ?? []).slice(0, VISITOR_LINES_MAX)
      : []
  } catch {
    return []
  }
}

/** As the cookie has it: short, as it is sent so often. Null for more than it holds. */
export function writeVisitorCart(lines: readonly VisitorLine[]): string | null {
  const text = JSON.stringify(
    lines.map(({ item, quantity, fields, amount }) => {
      if (amount !== undefined) return [item, quantity, fields, amount]
      return Object.keys(fields).length === 0 ? [item, quantity] : [item, quantity, fields]
    }),
  )
  return lines.length > VISITOR_LINES_MAX || encodeURIComponent(text).length > VISITOR_LENGTH_MAX
    ? null
    : text
}

/** More of a line that is there, or a new one, first. */
export function withLine<Line extends VisitorLine>(
  lines: readonly Line[],
  added: Line,
  most: number,
): Line[] {
  const name = lineName(added)
  const same = lines.find((line) => lineName(line) === name)
  if (!same) return [added, ...lines]
  const quantity = Math.min(most, same.quantity + added.quantity)
  return lines.map((line) => (line === same ? { ...line, quantity } : line))
}

/** A line as it was changed, in its place; it is one with another that is the same by it. */
export function withChange<Line extends VisitorLine>(
  lines: readonly Line[],
  line: Line,
  changed: Line,
  most: number,
): Line[] {
  const name = lineName(changed)
  const others = lines.filter((each) => each !== line)
  return others.some((each) => lineName(each) === name)
    ? withLine(others, changed, most)
    : lines.map((each) => (each === line ? changed : each))
}

function lineOf(value: unknown): VisitorLine | null {
  if (!Array.isArray(value)) return null
  const [item, quantity, fields = {}, amount] = value as unknown[]
  return typeof item === 'string' &&
    typeof quantity === 'number' &&
    Number.isInteger(quantity) &&
    quantity >= 1 &&
    typeof fields === 'object' &&
    fields !== null &&
    Object.values(fields).every((field) => typeof field === 'string') &&
    (amount === undefined || Number.isSafeInteger(amount))
    ? {
        item,
        quantity: Math.min(QUANTITY_MAX, quantity),
        fields: fields as Record<string, string>,
        ...(amount === undefined ? {} : { amount: amount as number }),
      }
    : null
}
