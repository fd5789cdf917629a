/**
 * A refusal the caller must be able to name. Bugs are plain Errors and become a 500.
 * The message of a code, in every language, is `locales/<lang>/errors.json`; its envelope code and HTTP status are in
 * `src/api/envelope.ts`.
 */
export type ErrorCode =
  | 'not_found'
  | 'unauthorised'
  | 'forbidden'
  | 'invalid_input'
  | 'method_not_allowed'
  | 'too_large'
  | 'too_many_requests'
  | 'conflict'
  | 'still_running'
  | 'internal'
  | 'busy'
  | 'check_fields'
  | 'proof_needed'
  | 'sign_in_failed'
  | 'second_factor_needed'
  | 'link_expired'
  | 'ticket_expired'
  | 'not_bound'
  | 'email_taken'
  | 'last_way_in'
  | 'identity_taken'
  | 'identity_failed'
  | 'unfinished_orders'
  | 'upload_format'
  | 'upload_size'
  | 'upload_failed'
  | 'sms_unavailable'
  | 'passkey_failed'
  | 'passkey_limit'
  | 'changed_meanwhile'
  | 'insufficient_credit'
  | 'out_of_stock'
  | 'order_closed'
  | 'too_many_unpaid'
  | 'unpaid_too_often'
  | 'too_many_attempts'
  | 'payment_unavailable'
  | 'payment_unreachable'
  | 'codes_unavailable'
  | 'already_reviewed'
  | 'not_delivered'
  | 'case_open'
  | 'not_sold_here'
  | 'currency_unavailable'
  | 'cart_full'
  | 'nothing_to_buy'
  | 'price_changed'
  | 'shop_not_open'
  | 'selling_stopped'
  | 'over_limit'
  | 'lacks_permission'
  | 'needs_another'
  | 'too_many_waiting'
  | 'last_owner'
  | 'other_account'

/** What can be wrong with one field; the sentence is `error.field.<reason>` in `locales/<lang>/errors.json`. */
export type FieldReason =
  | 'required'
  | 'wrong_type'
  | 'unknown_field'
  | 'not_allowed'
  | 'too_long'
  | 'too_many'
  | 'no_mailbox'
  | 'hidden_characters'
  | 'email_format'
  | 'password_rule'
  | 'password_rule_strict'
  | 'password_common'
  | 'password_personal'
  | 'password_wrong'
  | 'password_operator'
  | 'operator_name'
  | 'operator_name_taken'
  | 'invited_already'
  | 'role_in_use'
  | 'in_use'
  | 'gone_meanwhile'
  | 'role_name_taken'
  | 'same_as_before'
  | 'user_name_rule'
  | 'user_name_taken'
  | 'nickname_rule'
  | 'code_wrong'
  | 'phone_format'
  | 'postal_code'
  | 'country_unknown'
  | 'order_unknown'
  | 'not_sold'
  | 'not_sold_here'
  | 'sold_out'
  | 'stopped'
  | 'not_enough'
  | 'digits_only'
  | 'length_between'
  | 'account_format'
  | 'account_unknown'
  | 'account_zone'
  | 'account_not_eligible'
  | 'account_unchecked'
  | 'phone_operator'
  | 'method_unavailable'
  | 'amount_between'
  | 'amount_step'
  | 'file_kind'
  | 'picture_gone'
  | 'file_broken'
  | 'file_columns'
  | 'setting_format'
  | 'refused_there'
  | 'payments_open'
  | 'purchases_open'
  | 'currency_unknown'
  | 'below_least'
  | 'number_between'
  | 'hours_format'
  | 'value_at'
  | 'not_together'
  | 'contrast'
  | 'changed_elsewhere'
  | 'not_message'
  | 'other_values'
  | 'other_cases'
  | 'above_zero'
  | 'below_price'
  | 'amount_digits'
  | 'other_currency'
  | 'number_ambiguous'
  | 'no_cost'
  | 'date_passed'
  | 'rule_overlaps'
  | 'code_taken'
  | 'code_format'
  | 'formula'

export type ErrorParams = Readonly<Record<string, string | number>>

export interface FieldProblem {
  readonly field: string
  readonly reason: FieldReason
  readonly params?: ErrorParams
}

/** What a refusal may carry beside its sentence. */
export interface ErrorDetails {
  readonly fields?: readonly FieldProblem[]
  /** For the caller, as `data` of the envelope. */
  readonly data?: unknown
  readonly cause?: unknown
}

export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly params: ErrorParams
  readonly fields: readonly FieldProblem[]
  readonly data: unknown

  constructor(code: ErrorCode, params: ErrorParams = {}, details: ErrorDetails = {}) {
    super(code, { cause: details.cause })
    this.code = code
    this.params = params
    this.fields = details.fields ?? []
    this.data = details.data ?? null
  }
}

/** Values that break a rule, each with the reason at its field. */
export function fieldError(field: string, reason: FieldReason, params?: ErrorParams): AppError {
  return new AppError(
    'check_fields',
    {},
    { fields: [{ field, reason, ...(params ? { params } : {}) }] },
  )
}

/** By shape, not instanceof: the server bundle and the worker may hold two copies of this class. */
export function isAppError(error: unknown): error is AppError {
  return error instanceof Error && error.name === 'AppError' && 'code' in error
}
