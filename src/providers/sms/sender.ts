/** A text message, as short as it can be: each 160 (70 outside Latin) characters cost a message. */
export interface Sms {
  /** Of our own row; no service takes it as a key, so that a message is never tried twice without knowing what became of it. */
  readonly id: string
  /** E.164. */
  readonly to: string
  readonly text: string
  /** Seconds after which it must not arrive any more. */
  readonly validSeconds: number
}

/**
 * What became of a message. `later`: it was surely not taken and may be tried again. `refused`: it never will be.
 * `unknown`: it may have been taken (no answer came), so that trying again might send it twice.
 * `reason` is for the log; it names neither the number nor the text.
 */
export type SmsOutcome =
  | { readonly kind: 'sent'; readonly reference: string }
  | { readonly kind: 'refused' | 'later' | 'unknown'; readonly reason: string }

/** A service that sends text messages. It answers every failure as an outcome and never throws. */
export interface SmsSender {
  readonly send: (sms: Sms) => Promise<SmsOutcome>
  readonly close: () => void
}
