import type { Product } from '#features/goods/catalogue/rules.ts'

/** Kept by one person. */
export const SAVED_MAX = 50
export const LABEL_MAX = 40

/** The field set of every operator. */
export const PHONES = 'phone'

/** What asks for the same fields: a brand, whatever its region, or for a phone every operator. */
export function fieldSetOf({ brand }: Pick<Product, 'brand'>): string {
  return brand.recharge ? PHONES : brand.code
}
