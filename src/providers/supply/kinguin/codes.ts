import type { CodeTable } from '../wire/outcome.ts'

/**
 * The kinds of errors as Kinguin's documentation names them. That an order refused as `ConstraintViolation` was made by us wrongly, or
 * that its price has changed, cannot be told apart: see `violationOf`. The rest of the list is not read.
 */
export const KINGUIN_KINDS: CodeTable = {
  ConstraintViolation: 'ours',
  InsufficientBalance: 'ours',
  ProductUnavailable: 'stock',
  OrderFailed: 'supplier',
  Preorder: 'stock',
  ResourceLock: 'unknown',
  Authorization: 'ours',
  OrderNotFound: 'unknown',
  NoKeysToReturn: 'supplier',
  OrderNotSupported: 'supplier',
  Error: 'unknown',
  HttpClient: 'unknown',
  Http: 'unknown',
}
