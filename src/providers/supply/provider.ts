import type { Money } from '#kernel/money.ts'
import type { Secret } from '#platform/secret.ts'

/** What is bought: an account credited (a game's, a phone's), or something handed over (a card, a game key, a voucher). */
export type SupplyKind = 'topup' | 'recharge' | 'data' | 'giftcard' | 'key' | 'voucher'

export interface SupplyCapabilities {
  readonly kinds: readonly SupplyKind[]
  /**
   * What keeps a purchase from being made twice:
   * - `reference`: a reference buys once: under it a second purchase is refused, or told how the first stands; and the first is found by it.
   * - `lookup`: a purchase is found by our reference, but a second one under it would be made as well: it is never sent twice.
   * - `same_reference_asks_again`: sending the purchase again tells how the first stands. Its `lookup` does that, so that it buys
   *   what never arrived; after `lookupMayBuyAfterSeconds` it may buy what did.
   */
  readonly idempotency: 'reference' | 'lookup' | 'same_reference_asks_again'
  /** `not_found` means that nothing was bought and nothing will be, when asked so long after sending; null: it never proves that. */
  readonly notFoundIsFinalAfterSeconds: number | null
  /** Asking later than so long after sending could buy again: from then on a person decides. Null: asking never buys a second time. */
  readonly lookupMayBuyAfterSeconds: number | null
  /** `validateAccount` asks the supplier. Otherwise it answers `unchecked`. */
  readonly checksAccounts: boolean
  /** It says of an account whether this amount can go there, and not only of the account. */
  readonly checksAmounts?: boolean
  /** It sends notices, so that asking may be left for longer. */
  readonly sendsNotices: boolean
  /** `maxCost` is enforced by the supplier itself. Otherwise the price is only compared before and after. */
  readonly enforcesMaxCost: boolean
  /** The buyer's address must be told. */
  readonly needsBuyerAddress: boolean
  readonly maxQuantity: number
  readonly limits: { readonly concurrent: number; readonly perSecond: number }
  /** The longest a call may take, so that whoever holds a lease on it knows. */
  readonly answersWithinSeconds: number
}

export interface SupplyField {
  /** The supplier's name for it; `phone` is a number in E.164, `country` an ISO code. */
  readonly name: string
  readonly type: 'text' | 'number' | 'phone' | 'email' | 'select'
  readonly isRequired: boolean
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

/** A face amount and what it costs us, where the catalogue tells. */
export interface FaceAmount {
  readonly face: Money
  readonly cost: Money | null
  /** What is got for it, where that has a name of its own: "2 GB, 7 days". */
  readonly name?: string
}

/** What amounts of a range cost: as `cost` is to `face`, and a fee for each. */
export interface RangePrice {
  readonly face: Money
  readonly cost: Money
  /** In the cost's currency. */
  readonly feeMinor: bigint
}

/** Who may buy it, where the supplier tells. */
export interface SupplyLimits {
  /** ISO codes; null: anywhere. */
  readonly buyerCountries: readonly string[] | null
  readonly blockedCountries: readonly string[]
  readonly minAge: number | null
}

export type Faces =
  /** One thing: the product is the denomination. */
  | { readonly kind: 'single'; readonly face: Money | null; readonly cost: Money | null }
  | { readonly kind: 'fixed'; readonly amounts: readonly FaceAmount[] }
  | {
      readonly kind: 'range'
      readonly min: Money
      readonly max: Money
      /** From `min` on; left out: not told. */
      readonly step?: Money
      /** Left out: the catalogue does not tell. */
      readonly price?: RangePrice
    }

export interface SupplyProduct {
  /** Together with a face amount, where there are several, it says what is bought. */
  readonly id: string
  readonly kind: SupplyKind
  readonly name: string
  readonly brand: string | null
  /** ISO code, of two letters or three, of the one country where it is used; null: everywhere or unsaid. */
  readonly country: string | null
  /** Left out: the supplier says nothing of it. */
  readonly limits?: SupplyLimits
  readonly faces: Faces
  readonly fields: readonly SupplyField[]
  /** How many there are; null: not told. 0 is sold out. */
  readonly stock: number | null
}

export interface CataloguePage {
  readonly products: readonly SupplyProduct[]
  /** Products that could not be read, by the supplier's name for them; the others are listed all the same. */
  readonly unread: readonly string[]
  /** Where the next page begins; null after the last. */
  readonly next: string | null
}

/** What is to be bought. */
export interface SupplyOrder {
  readonly kind: SupplyKind
  readonly product: string
  readonly quantity: number
  /** The face amount of one, where the product has several; in the product's currency. */
  readonly face: Money | null
  /** By the supplier's names (`SupplyField.name`); `phone` is a number in E.164, `country` an ISO code. */
  readonly fields: Readonly<Record<string, string>>
}

export interface SupplyPurchase extends SupplyOrder {
  /** Ours, unique among all purchases: letters, digits and hyphens, at most 40. Recorded before the call. */
  readonly reference: string
  /** For all of the quantity. A purchase whose price is known to be above is refused with class `price`. Null: no bound. */
  readonly maxCost: Money | null
  /** Of a `validateAccount` of the same moment: adapters that need one ask for it themselves, as it may run out. */
  readonly token: string | null
  readonly buyerAddress: string | null
}

/**
 * Whose matter a definite failure is; nothing was bought.
 * - `customer`: what the shopper gave is wrong (number, player, server): they are asked to correct it.
 * - `wait`: the same may be tried again here later (`until`).
 * - `ours`: our balance, account, address or settings: the supplier rests and an operator is told.
 * - `price`: it costs more than was allowed, or its price has changed: quote again.
 * - `stock`: it is sold out or no longer offered here.
 * - `supplier`: it failed there. Another supplier may be tried.
 */
export type FailureClass = 'customer' | 'wait' | 'ours' | 'price' | 'stock' | 'supplier'

export interface SupplyFailure {
  readonly kind: 'failed'
  readonly class: FailureClass
  /** The supplier's own word; `not_sent` when nothing had left for the supplier. */
  readonly code: string
  /** Theirs, cleaned and cut; for operators. */
  readonly text: string
  readonly until?: Date
  /** The supplier's name for the purchase that failed, where there was one. */
  readonly supplierId?: string
  /** The supplier says that it had been delivered, and was taken back. */
  readonly wasDone?: true
}

/** Secrets: never in a log, an error or an audit row. */
export interface SupplyCard {
  /** The supplier's name for the card, where it has one. */
  readonly id: string | null
  readonly code: Secret | null
  readonly pin: Secret | null
  readonly serial: string | null
  /** An address that gives the goods. */
  readonly url: Secret | null
  readonly image: { readonly type: string; readonly bytes: Uint8Array } | null
  /** `YYYY-MM-DD` */
  readonly expiresOn: string | null
}

export interface SupplyDone {
  readonly kind: 'done'
  readonly supplierId: string
  /** What was taken from our balance, all told, rounded up to the minor unit; null: the supplier does not tell. */
  readonly cost: Money | null
  /** So many of what was bought will never come, and were not paid for; the others did. Left out: none. */
  readonly missing?: number
  /** Exactly as many as were bought, less those that are missing. Left out where nothing is handed over, or where `cards` is to be asked for them. */
  readonly cards?: readonly SupplyCard[]
  /** The account's name as the supplier knows it. */
  readonly accountName?: string
}

/** Under way: asked about until it is known. */
export interface SupplyAccepted {
  readonly kind: 'accepted'
  readonly supplierId: string
}

/** It may have been bought or not. Never tried again as a new purchase: it is asked about by our reference. */
export interface SupplyUnknown {
  readonly kind: 'unknown'
  /** For operators; never holds a secret. */
  readonly why: string
  readonly supplierId?: string
}

export type PurchaseOutcome = SupplyDone | SupplyAccepted | SupplyFailure | SupplyUnknown

/** The supplier answers that it has no such purchase: see `notFoundIsFinalAfterSeconds`. */
export interface SupplyNotFound {
  readonly kind: 'not_found'
}

/** `unknown` here: this could not be found out now. A `failed` after a `done` is a reversal, whatever its class. */
export type LookupOutcome = PurchaseOutcome | SupplyNotFound

/** Which purchase is asked about, and what it was: an answer about something else is no answer. */
export interface LookupRequest {
  readonly purchase: SupplyPurchase
  /** The supplier's name for it, where it gave one. */
  readonly supplierId: string | null
}

export type CardsOutcome =
  | { readonly kind: 'cards'; readonly cards: readonly SupplyCard[] }
  /** Not ready yet, not as many as were bought, or not readable: ask again. */
  | { readonly kind: 'unknown'; readonly why: string }

export type QuoteOutcome =
  | {
      readonly kind: 'quote'
      /** For all of the quantity, fees included, rounded up to the minor unit. */
      readonly cost: Money
    }
  | SupplyFailure
  | { readonly kind: 'unknown'; readonly why: string }

/** What may be wrong with an account. */
export type AccountFault =
  | 'account'
  | 'zone'
  | 'operator'
  | 'country'
  | 'not_eligible'
  | 'not_valid'

export type AccountCheck =
  | {
      readonly kind: 'valid'
      readonly displayName: string | null
      /** To be handed to `purchase`. */
      readonly token: string | null
      readonly expiresAt: Date | null
      /** The product that fits the account, where the supplier finds it (a phone's operator). */
      readonly product: string | null
    }
  | {
      readonly kind: 'invalid'
      readonly fault: AccountFault
      readonly code: string
      readonly text: string
    }
  /** The supplier does not check it, or could not be asked: buying is not kept up by that. */
  | { readonly kind: 'unchecked'; readonly why: string }

export interface SupplyBalance {
  /** Rounded down to the minor unit. */
  readonly available: Money
}

/** What a notice says happened, once it is known to be the supplier's. It is a hint: the supplier is asked before anything is done. */
export interface SupplyNotice {
  /** The same for a notice sent twice. */
  readonly eventId: string
  readonly kind: string
  readonly reference: string | null
  readonly supplierId: string | null
  /** That the purchase has failed: of use where asking could buy it again. */
  readonly says?: 'failed'
}

/** A notice that is not the supplier's own, or too old. */
export class SupplyRefusal extends Error {
  override readonly name = 'SupplyRefusal'
}

/** The supplier could not be asked: nothing is known and nothing was bought. Only reads throw it. */
export class SupplyUnavailable extends Error {
  override readonly name = 'SupplyUnavailable'
}

export type ReturnOutcome =
  | { readonly kind: 'accepted' }
  | SupplyFailure
  | { readonly kind: 'unknown'; readonly why: string }

/** A purchase as a supplier's report tells it: for comparing, never for doing anything. */
export interface ReportedPurchase {
  readonly supplierId: string
  /** Ours, where the report tells it. */
  readonly reference: string | null
  readonly state: 'done' | 'open' | 'failed'
  /** What was taken for it, rounded up to the minor unit; null: not told, or nothing. */
  readonly cost: Money | null
  readonly at: Date | null
}

export interface ReportPage {
  readonly purchases: readonly ReportedPurchase[]
  /** Entries that could not be read. */
  readonly unread: number
  readonly next: string | null
}

/** Calls never throw for what a supplier answers, unless it is said. */
export interface SupplyProvider {
  readonly code: string
  readonly capabilities: SupplyCapabilities
  /** Throws SupplyUnavailable. */
  readonly catalogue: (cursor: string | null) => Promise<CataloguePage>
  readonly quote: (order: SupplyOrder) => Promise<QuoteOutcome>
  /** With an empty `product`: which airtime fits the phone, answered as `product`. */
  readonly validateAccount: (order: SupplyOrder) => Promise<AccountCheck>
  /** Spends money. Our reference is committed before; called once for it, whatever comes back. */
  readonly purchase: (purchase: SupplyPurchase) => Promise<PurchaseOutcome>
  readonly lookup: (request: LookupRequest) => Promise<LookupOutcome>
  /** The cards of a purchase that is `done`. */
  readonly cards: (request: LookupRequest) => Promise<CardsOutcome>
  /** One for each currency; none where the supplier does not tell. Throws SupplyUnavailable. */
  readonly balances: () => Promise<readonly SupplyBalance[]>
  /** All that was bought within a while, by pages; maybe some from shortly before or after it. Throws SupplyUnavailable. Left out where none is published. */
  readonly report?: (from: Date, to: Date, cursor: string | null) => Promise<ReportPage>
  /** Throws SupplyRefusal. Left out where there are none. */
  readonly readNotice?: (body: Uint8Array, headers: Headers, now: Date) => Promise<SupplyNotice>
  /** What the supplier wants to hear when its notice was taken; an empty 204 when left out. */
  readonly noticeAnswer?: { readonly status: number; readonly body: string }
  /** Gives back what was bought, where the supplier takes it. */
  readonly returnCards?: (request: LookupRequest) => Promise<ReturnOutcome>
}

/** The suppliers a shop uses, by code. */
export type Suppliers = ReadonlyMap<string, SupplyProvider>
