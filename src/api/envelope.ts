import { isAppError, type ErrorCode, type ErrorParams } from '#kernel/error.ts'
import type { Translate } from '#platform/i18n/messages.ts'

/** What every call answers (specification §7). */
export interface Envelope<Data = unknown> {
  readonly code: number
  /** In the caller's language. */
  readonly msg: string
  readonly data: Data
}

export const SUCCESS = 1

/**
 * Envelope code and HTTP status of each refusal. Failures of business keep HTTP 200 with a code of their own, which the
 * clients of the contract expect; what is wrong with the call itself shows in the status as well.
 */
export const REFUSALS: Readonly<
  Record<ErrorCode, { readonly code: number; readonly status: number }>
> = {
  unauthorised: { code: 401, status: 401 },
  forbidden: { code: 403, status: 403 },
  not_found: { code: 404, status: 404 },
  method_not_allowed: { code: 405, status: 405 },
  conflict: { code: 409, status: 409 },
  still_running: { code: 409, status: 409 },
  too_large: { code: 413, status: 413 },
  invalid_input: { code: 422, status: 422 },
  too_many_requests: { code: 429, status: 429 },
  internal: { code: 500, status: 500 },
  busy: { code: 503, status: 503 },
  ticket_expired: { code: 2401, status: 200 },
  proof_needed: { code: 2403, status: 200 },
  not_bound: { code: 2404, status: 200 },
  second_factor_needed: { code: 2405, status: 200 },
  sign_in_failed: { code: 2406, status: 200 },
  email_taken: { code: 2407, status: 200 },
  last_way_in: { code: 2408, status: 200 },
  identity_taken: { code: 2409, status: 200 },
  link_expired: { code: 2410, status: 200 },
  unfinished_orders: { code: 2411, status: 200 },
  identity_failed: { code: 2412, status: 200 },
  upload_format: { code: 2413, status: 200 },
  upload_size: { code: 2414, status: 200 },
  upload_failed: { code: 2415, status: 200 },
  passkey_failed: { code: 2416, status: 200 },
  passkey_limit: { code: 2417, status: 200 },
  changed_meanwhile: { code: 2418, status: 200 },
  sms_unavailable: { code: 2419, status: 200 },
  insufficient_credit: { code: 2420, status: 200 },
  out_of_stock: { code: 2421, status: 200 },
  check_fields: { code: 2422, status: 200 },
  order_closed: { code: 2423, status: 200 },
  too_many_unpaid: { code: 2424, status: 200 },
  unpaid_too_often: { code: 2438, status: 200 },
  too_many_attempts: { code: 2439, status: 200 },
  payment_unavailable: { code: 2425, status: 200 },
  payment_unreachable: { code: 2436, status: 200 },
  codes_unavailable: { code: 2437, status: 200 },
  already_reviewed: { code: 2431, status: 200 },
  not_delivered: { code: 2432, status: 200 },
  case_open: { code: 2433, status: 200 },
  not_sold_here: { code: 2426, status: 200 },
  currency_unavailable: { code: 2427, status: 200 },
  cart_full: { code: 2429, status: 200 },
  nothing_to_buy: { code: 2430, status: 200 },
  price_changed: { code: 2435, status: 200 },
  shop_not_open: { code: 2440, status: 200 },
  selling_stopped: { code: 2446, status: 200 },
  over_limit: { code: 2441, status: 200 },
  lacks_permission: { code: 2450, status: 403 },
  needs_another: { code: 2451, status: 200 },
  too_many_waiting: { code: 2454, status: 200 },
  last_owner: { code: 2452, status: 200 },
  other_account: { code: 2453, status: 200 },
}

/** A field at fault, of a call answered with 422. */
export interface FieldFault {
  readonly field: string
  readonly msg: string
}

export function success<Data>(data: Data, t: Translate): Envelope<Data> {
  return { code: SUCCESS, msg: t('api.success'), data }
}

export function refusal(
  code: ErrorCode,
  t: Translate,
  params: ErrorParams = {},
  data: unknown = null,
): Envelope {
  return { code: REFUSALS[code].code, msg: t(`error.${code}`, params), data }
}

/** 422 with what is wrong with each field. */
export function invalidFields(
  faults: readonly FieldFault[],
  t: Translate,
): Envelope<{ fields: readonly FieldFault[] }> {
  return {
    code: REFUSALS.invalid_input.code,
    msg: t('error.invalid_input'),
    data: { fields: faults },
  }
}

/** The refusal that an error stands for; null for a bug, which becomes a 500 with an id to quote. */
export function refusalOf(
  error: unknown,
  t: Translate,
): { readonly status: number; readonly envelope: Envelope } | null {
  if (!isAppError(error)) return null
  const { code, params, fields, data } = error
  const isIncomplete = fields.length > 0 && fields.every(({ reason }) => reason === 'required')
  const told =
    fields.length === 0
      ? data
      : {
          fields: fields.map(({ field, reason, params: words }) => ({
            field,
            msg: t(`error.field.${reason}`, words),
          })),
        }
  const envelope = refusal(code, t, params, told)
  return {
    status: REFUSALS[code].status,
    envelope: isIncomplete ? { ...envelope, msg: t('error.fields_missing') } : envelope,
  }
}
