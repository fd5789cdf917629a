/** What the text of each kind of notice is filled with; the sentences are `notice.<kind>.…` of `locales/<lang>/notice.json`. */
export interface NoticeParams {
  readonly welcome: Nothing
  readonly password_changed: Nothing
  readonly email_changed: Nothing
  /** As the session names them: "Firefox", "Windows". */
  readonly new_device: { readonly browser: string; readonly system: string }
  /** What people call the service: "Google". */
  readonly identity_linked: { readonly platform: string }
  readonly identity_unlinked: { readonly platform: string }
  readonly factor_added: { readonly factor: NoticeFactor }
  readonly factor_removed: { readonly factor: NoticeFactor }
  readonly cancellation_undone: Nothing
  /** A product's code, its English name for when it is no longer sold, and the whole percent off its list price. */
  readonly price_drop: { readonly product: string; readonly name: string; readonly percent: number }
  readonly order_delivered: NoticeOrder
  readonly order_paid_by_hand: NoticeOrder
  readonly order_credited: NoticeOrder
  readonly order_delayed: NoticeOrder
  readonly order_refunded: NoticeOrder
  readonly order_money_returned: NoticeOrder
  readonly order_payment_problem: NoticeOrder
  readonly order_cancelled: NoticeOrder
  readonly order_failed_unit: NoticeOrder
  readonly order_input_needed: NoticeOrder
  readonly case_decided: NoticeOrder
}
/** Of an order: never a key, never an account that goods went to. */
export interface NoticeOrder {
  /** Public id, for the way to its page. */
  readonly order: string
  readonly number: string
  /** Code of the first of its products, and its English name for when it is no longer sold. */
  readonly product: string
  readonly name: string
  /** The amount that the notice is about; null where it is about none. */
  readonly amount: { readonly minor: string; readonly currency: string } | null
  /** Which of a kind's sentences: why money goes back, where to, what was decided. */
  readonly variant: string
}
type Nothing = Readonly<Record<never, never>>
export type NoticeFactor = 'passkey' | 'authenticator' | 'recovery_codes'
export type NoticeKind = keyof NoticeParams

export const ORDER_NOTICES = [
  'order_delivered',
  'order_paid_by_hand',
  'order_credited',
  'order_delayed',
  'order_refunded',
  'order_money_returned',
  'order_payment_problem',
  'order_cancelled',
  'order_failed_unit',
  'order_input_needed',
  'case_decided',
] as const
export type OrderNoticeKind = (typeof ORDER_NOTICES)[number]

/** A kind with the parameters that belong to it. */
export type NoticeContent = {
  [Kind in NoticeKind]: { readonly kind: Kind; readonly params: NoticeParams[Kind] }
}[NoticeKind]

/** Older notices go, and of each account all but the newest. */
export const NOTICE_DAYS_MAX = 365
export const NOTICES_MAX = 500
