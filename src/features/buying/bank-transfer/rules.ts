import type { Money } from '#kernel/money.ts'

/** The longest statement that is read. */
export const STATEMENT_MAX_BYTES = 16 * 1024 * 1024

/** A transfer that money of a line may have been sent for. */
export interface TransferCandidate {
  readonly orderNumber: string
  readonly asked: Money
  /** It waits for money. */
  readonly isOpen: boolean
  /** What has come for it already. */
  readonly receivedMinor: bigint
  /** What people have noted by hand, or asked to, and no line of a statement stands for yet. */
  readonly notedByHand: readonly NotedMoney[]
}

export interface NotedMoney {
  readonly reference: string
  readonly money: Money
}

/** What was noted by hand and may be a line's money: of the same amount. */
export const notedAlike = (
  money: Money,
  { notedByHand }: Pick<TransferCandidate, 'notedByHand'>,
): NotedMoney | undefined =>
  notedByHand.find(
    ({ money: noted }) => noted.minor === money.minor && noted.currency === money.currency,
  )

export const SUGGESTION_REASONS = [
  'number',
  'near_number',
  'amount',
  'noted',
  'paid_already',
] as const
export type SuggestionReason = (typeof SUGGESTION_REASONS)[number]

export interface Suggestion extends TransferCandidate {
  /** Out of 100; a person decides whatever it is. */
  readonly score: number
  readonly reasons: readonly SuggestionReason[]
}

const SUGGESTED = 5
/** Below it a suggestion says nothing: many orders have one amount. */
const SCORE_LEAST = 40
const SCORE_MOST = 100

/** Numbers of orders that a payer may have written, with blanks and hyphens as people write them. */
export function numbersIn(text: string): readonly string[] {
  const joined = text.replaceAll(/(?<=\d)[\s.\-/]+(?=\d)/g, '')
  return [...new Set([...(text.match(/\d{13}/g) ?? []), ...windowsOf(joined)])].slice(0, 20)
}

/** Digits that stand together may be an order's number with others before or behind. */
function windowsOf(text: string): readonly string[] {
  return (text.match(/\d{13,20}/g) ?? []).flatMap((digits) =>
    Array.from({ length: digits.length - 12 }, (_, at) => digits.slice(at, at + 13)),
  )
}

/** Which transfers a line's money may be for, best first. */
export function suggestionsFor(
  line: { readonly text: string; readonly money: Money },
  candidates: readonly TransferCandidate[],
): Suggestion[] {
  const numbers = numbersIn(line.text)
  return candidates
    .map((candidate): Suggestion => {
      const { asked, orderNumber, receivedMinor, isOpen } = candidate
      const isSameAmount =
        asked.currency === line.money.currency && asked.minor === line.money.minor
      const isNamed = numbers.includes(orderNumber)
      const isNear = !isNamed && numbers.some((number) => isOneSlip(number, orderNumber))
      const isNoted = notedAlike(line.money, candidate) !== undefined
      const isPaid = !isNoted && (receivedMinor > 0n || !isOpen)
      const named = isNamed ? 60 : isNear ? 40 : 0
      const score = named + (isSameAmount ? 40 : 0) + (isNoted ? 40 : 0) - (isPaid ? 10 : 0)
      const reasons: SuggestionReason[] = [
        ...(isNamed ? (['number'] as const) : isNear ? (['near_number'] as const) : []),
        ...(isSameAmount ? (['amount'] as const) : []),
        ...(isNoted ? (['noted'] as const) : []),
        ...(isPaid ? (['paid_already'] as const) : []),
      ]
      return { ...candidate, score: Math.min(SCORE_MOST, Math.max(0, score)), reasons }
    })
    .filter(({ score }) => score >= SCORE_LEAST)
    .toSorted(
      (one, other) => other.score - one.score || (one.orderNumber < other.orderNumber ? -1 : 1),
    )
    .slice(0, SUGGESTED)
}

/** One digit wrong, or two beside each other in each other's place. */
function isOneSlip(one: string, other: string): boolean {
  const differing = [...one].flatMap((digit, at) => (digit === other[at] ? [] : [at]))
  const [first = 0, second] = differing
  if (differing.length === 1) return true
  return (
    differing.length === 2 &&
    second === first + 1 &&
    one[first] === other[second] &&
    one[second] === other[first]
  )
}

/** What the receipt of a line is called: of each line there is one at most. */
export const receiptOfLine = (publicId: string) => `line ${publicId}`

/** The line that a receipt is of; null for one that was entered by hand. */
export const lineOfReceipt = (reference: string): string | null =>
  /^line ([A-Za-z0-9_-]{22})$/.exec(reference)?.[1] ?? null

export type MatchEffect = 'pays' | 'pays_in_part' | 'too_much' | 'other_currency' | 'too_late'

/** What a line's money would do to an order: what is too much, late or of another currency is kept for a person to decide. */
export function matchEffect(
  money: Money,
  { asked, receivedMinor, isOpen }: TransferCandidate,
): { readonly effect: MatchEffect; readonly overMinor: bigint } {
  if (money.currency !== asked.currency) return { effect: 'other_currency', overMinor: money.minor }
  const together = receivedMinor + money.minor
  const over = together > asked.minor ? together - asked.minor : 0n
  if (receivedMinor >= asked.minor || over > 0n)
    return { effect: 'too_much', overMinor: over > money.minor ? money.minor : over }
  if (!isOpen && receivedMinor === 0n) return { effect: 'too_late', overMinor: 0n }
  return { effect: together < asked.minor ? 'pays_in_part' : 'pays', overMinor: 0n }
}
