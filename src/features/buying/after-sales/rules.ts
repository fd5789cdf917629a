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

/** The lists of cases that everybody has: what is open oldest first, what is closed newest first. */
export const CASE_VIEWS = ['open', 'mine', 'faulty', 'disputes', 'closed'] as const
export type CaseView = (typeof CASE_VIEWS)[number]
export const CASE_NOTE_MAX = 2_000

/** What the facts about a case say of it: for the buyer, against them, or only what is to be known. */
export interface Finding {
  readonly name:
    | 'code_shown'
    | 'code_not_shown'
    | 'batch_reports'
    | 'batch_clean'
    | 'spare'
    | 'no_spare'
    | 'replaced'
    | 'asked_before'
    | 'never_asked'
    | 'disputed'
    | 'given_back'
    | 'delivered_days'
  readonly speaks: 'for' | 'against' | 'neither'
  readonly count: number
}

/** What `findingsOf` looks at. */
export interface JudgedCase {
  readonly kind: CaseKind
  readonly openedAt: Date
  readonly isDisputed: boolean
  /** Of the same shopper, before this one; and how many of them the shop agreed to. */
  readonly before: { readonly asked: number; readonly accepted: number }
  readonly units: readonly {
    readonly delivery: string
    readonly isRefundable: boolean
    readonly deliveredAt: Date | null
    readonly shownAt: Date | null
    readonly batchReports: number | null
    readonly hasSpare: boolean
    readonly isReplaced: boolean
  }[]
}

const DAY_MS = 86_400_000

/** What the shop's rules say of a case, from stored facts alone; a person decides. */
export function findingsOf({
  kind,
  openedAt,
  isDisputed,
  before,
  units,
}: JudgedCase): readonly Finding[] {
  const keys = units.filter(({ delivery }) => delivery === 'card_key')
  const shown = keys.filter(({ shownAt }) => shownAt !== null).length
  const reports = Math.max(0, ...keys.map(({ batchReports }) => batchReports ?? 0))
  const hasBatch = keys.some(({ batchReports }) => batchReports !== null)
  const delivered = units.flatMap(({ deliveredAt }) => deliveredAt?.getTime() ?? [])
  const days =
    delivered.length === 0
      ? null
      : Math.floor((openedAt.getTime() - Math.min(...delivered)) / DAY_MS)
  const isFaulty = kind === 'faulty_key'
  const all: readonly (Finding | false)[] = [
    isDisputed && { name: 'disputed', speaks: 'against', count: 1 },
    units.length > 0 &&
      units.every(({ isRefundable }) => !isRefundable) &&
      kind !== 'dispute' && { name: 'given_back', speaks: 'against', count: units.length },
    shown > 0 && { name: 'code_shown', speaks: isFaulty ? 'neither' : 'against', count: shown },
    keys.length > 0 && shown === 0 && { name: 'code_not_shown', speaks: 'for', count: keys.length },
    isFaulty && reports > 0 && { name: 'batch_reports', speaks: 'for', count: reports },
    isFaulty && hasBatch && reports === 0 && { name: 'batch_clean', speaks: 'against', count: 0 },
    isFaulty &&
      keys.some(({ isReplaced }) => isReplaced) && {
        name: 'replaced',
        speaks: 'neither',
        count: keys.filter(({ isReplaced }) => isReplaced).length,
      },
    isFaulty && keys.length > 0 && spareOf(keys),
    days !== null && { name: 'delivered_days', speaks: 'neither', count: days },
    before.asked > 0
      ? { name: 'asked_before', speaks: 'neither', count: before.asked }
      : { name: 'never_asked', speaks: 'for', count: 0 },
  ]
  return all.filter((finding) => finding !== false)
}

function spareOf(keys: readonly { readonly hasSpare: boolean }[]): Finding {
  return keys.every(({ hasSpare }) => hasSpare)
    ? { name: 'spare', speaks: 'neither', count: keys.length }
    : { name: 'no_spare', speaks: 'neither', count: 0 }
}
