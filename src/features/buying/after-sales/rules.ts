/** What a case is about: money back, a key that does not work, or a dispute the payer's bank has begun. */
export type CaseKind = 'refund_request' | 'faulty_key' | 'dispute'
export type CaseStatus = 'open' | 'accepted' | 'declined' | 'withdrawn'
export type CaseDestination = 'original' | 'store_credit'

/** What a buyer may give as the reason. */
export const CASE_REASONS = [
  'not_delivered',
  'code_invalid',
  'code_used',
  'wrong_goods',
  'mistake',
  'other',
] as const
export type CaseReason = (typeof CASE_REASONS)[number]

export const CASE_TEXT_MAX = 2_000
/** Questions that an account may ask the shop in a day, those taken back included. */
export const CASES_A_DAY = 30

export interface ServiceCase {
  readonly id: string
  readonly publicId: string
  readonly kind: CaseKind
  readonly orderId: string
  readonly accountId: string
  readonly reason: CaseReason | 'disputed'
  readonly text: string
  readonly hasPicture: boolean
  readonly destination: CaseDestination
  readonly status: CaseStatus
  readonly decidedBy: string | null
  /** What the shop says about its decision. */
  readonly note: string
  readonly createdAt: Date
  readonly decidedAt: Date | null
}
