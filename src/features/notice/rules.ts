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
}
type Nothing = Readonly<Record<never, never>>
export type NoticeFactor = 'passkey' | 'authenticator' | 'recovery_codes'
export type NoticeKind = keyof NoticeParams

/** A kind with the parameters that belong to it. */
export type NoticeContent = { [Kind in NoticeKind]: { readonly kind: Kind; readonly params: NoticeParams[Kind] } }[NoticeKind]

/** Older notices go, and of each account all but the newest. */
export const NOTICE_DAYS_MAX = 365
export const NOTICES_MAX = 500
