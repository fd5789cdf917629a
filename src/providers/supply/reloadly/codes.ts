import type { CodeTable } from '../wire/outcome.ts'

/**
 * Error codes as Reloadly documents them. Those of its connection to an operator are not here: the top-up may go through after all,
 * and is looked for by our reference.
 */
export const RELOADLY_CODES: CodeTable = {
  TOKEN_EXPIRED: 'ours',
  INVALID_TOKEN: 'ours',
  INVALID_CREDENTIALS: 'ours',
  INVALID_RECIPIENT_PHONE: 'customer',
  INVALID_PHONE_NUMBER: 'customer',
  INVALID_SENDER_PHONE: 'ours',
  COULD_NOT_AUTO_DETECT_OPERATOR: 'customer',
  INVALID_AMOUNT_FOR_OPERATOR: 'price',
  INVALID_AMOUNT: 'price',
  PHONE_RECENTLY_RECHARGED: 'wait',
  RECIPIENT_HAS_PENDING_TRANSACTION: 'wait',
  INSUFFICIENT_BALANCE: 'ours',
  INACTIVE_ACCOUNT: 'ours',
  ACCOUNT_NOT_FOUND: 'ours',
  MAX_DAILY_TRANSACTION_COUNT_REACHED: 'ours',
  MAX_DAILY_TRANSACTION_AMOUNT_REACHED: 'ours',
  COUNTRY_NOT_SUPPORTED: 'ours',
  OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE: 'supplier',
  OPERATOR_NOT_IN_SERVICE: 'supplier',
  TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT: 'supplier',
  TOPUP_TRANSACTION_FAILED: 'supplier',
  TRANSACTION_FAILED_ON_OPERATOR: 'supplier',
  PROVIDER_INTERNAL_ERROR: 'unknown',
  REQUEST_FAILED_ON_PROVIDER: 'unknown',
  CUSTOM_IDENTIFIER_ALREADY_USED: 'unknown',
}

/** Some errors come without a code; these messages are published. */
export const RELOADLY_MESSAGES: CodeTable = {
  'Invalid price, please ensure you selected the right price.': 'price',
}

/** Until a number may be recharged again. */
export const RECHARGED_WAIT_MS = 2 * 60_000
/** Of another top-up that is on its way. */
export const PENDING_WAIT_MS = 5 * 60_000
