import type { IdentityProviders } from '#features/people/identity/flows.ts'
import type { ReadUpload } from '#features/goods/upload/rules.ts'
import type { Vault } from '#features/buying/vault/engine/vault.ts'
import type { AskOperator } from '#features/supply/detection/flows.ts'
import type { DrawReceipt } from '#features/buying/receipt/rules.ts'
import type { AskAbout, PaymentServices } from '#features/buying/payment/flows.ts'
import type { CheckAccount } from '#features/supply/account-check/flows.ts'
import type { TakeShare } from '#platform/http/rate-limiter.ts'

/** What calls use beside the database; put together in `web.ts`. */
export interface Services {
  /** Origin of the shop: "https://shop.example". */
  readonly publicUrl: string
  readonly isHttps: boolean
  readonly timeZone: string
  readonly isDemo: boolean
  /** Passwords may be longer and hold any character. */
  readonly strictPasswords: boolean
  /** Whether phone numbers can be added: a service sends text messages, or the demo shows them. */
  readonly isSmsPossible: boolean
  /** Other services to sign in with, by platform, in the order they are offered. */
  readonly identityProviders: IdentityProviders
  readonly payments: Payments
  /** In a process of its own. */
  readonly drawReceipt: DrawReceipt
  /** Suppliers know whose number one is. */
  readonly askOperator: AskOperator
  /** Decodes pictures that people send, in a process of its own. */
  readonly readUpload: ReadUpload
  /** Where the keys of card keys are unwrapped: a process of its own. */
  readonly vault: Vault
  /** Asks suppliers about accounts before they are credited. */
  readonly checkAccount: CheckAccount
  /** Seconds to wait before the next call of this class; 0 when it may be made. */
  readonly takeShare: TakeShare
}

/** Providers of payments, and the way to ask one about a payment whose payer waits. */
export interface Payments extends PaymentServices {
  readonly ask: AskAbout
}
