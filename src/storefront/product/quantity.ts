import { QUANTITY_MAX } from '#features/buying/order/rules.ts'

/** Most units of an item in one go. */
export function quantityLimit(stock: number | null): number {
  return Math.max(1, Math.min(QUANTITY_MAX, stock ?? QUANTITY_MAX))
}

/** What a quantity field says, kept within 1 and the limit. */
export function readQuantity(text: string, limit: number): number {
  const quantity = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 1
  return Math.min(limit, Math.max(1, quantity))
}
