import type { FailureClass } from '../provider.ts'

/** The words of the shop's own protocol: README.md beside this file is the contract. */
export const HOOK_CLASSES: readonly FailureClass[] = [
  'customer',
  'wait',
  'ours',
  'price',
  'stock',
  'supplier',
]
