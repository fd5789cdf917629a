import { latinDigits } from '#kernel/digits.ts'
import { isSoldIn } from '#features/buying/offer/rules.ts'

/** Why an order is held for a closer look, or refused. */
export const GATE_REASONS = [
  'country',
  'age',
  'phone_limit',
  'player_limit',
  'shopper_limit',
  'listed_name',
  'listed_email',
  /** The screening service has not answered. */
  'screening',
  'screening_match',
] as const
export type GateReason = (typeof GATE_REASONS)[number]

/** Whom a limit counts for: the phone that is recharged, the player's account that is credited, or who pays. */
export const COUNTED = ['phone', 'player', 'shopper'] as const
export type Counted = (typeof COUNTED)[number]

/** The longest that a limit may look back. */
export const LIMIT_HOURS_MAX = 31 * 24
/** What went to whom is forgotten then. */
export const USE_KEPT_DAYS = 32

/** At most so much may go to one of them within so many hours. */
export interface GateLimit {
  readonly per: Counted
  readonly hours: number
  readonly units: number | null
  /** In US cents. */
  readonly usdMinor: bigint | null
  readonly verdict: 'hold' | 'refuse'
}

export interface GateSettings {
  /** An outside service is asked about every shopper. */
  readonly screening: boolean
  /** Its answer holds so long. */
  readonly screeningHours: number
  /** The shop's own keys are looked at as well: paying then takes the slower way. */
  readonly ownKeys: boolean
  readonly limits: readonly GateLimit[]
}

export const DEFAULT_GATE: GateSettings = {
  screening: false,
  screeningHours: 24,
  ownKeys: false,
  limits: [],
}

/** A service that is at work is waited for so long before an order is held for it. */
export const SCREENING_WAIT_MS = 30_000
/** How long after a try that failed it is asked again; the last holds for all that follow. */
export const SCREENING_RETRY_MS = [10_000, 30_000, 120_000, 600_000] as const
/** What a service has said is kept for so long. */
export const SCREENING_KEPT_DAYS = 32

/** `wait`: it is being asked. `silent`: it was, and gave no answer. */
export type ScreeningState = 'clear' | 'match' | 'wait' | 'silent'

export function screeningStateOf(
  check: {
    readonly state: 'asked' | 'clear' | 'match'
    readonly fault: string | null
    readonly wantedAt: Date
  },
  now: Date,
): ScreeningState {
  if (check.state !== 'asked') return check.state
  const isWaiting = now.getTime() - check.wantedAt.getTime() < SCREENING_WAIT_MS
  return check.fault === null && isWaiting ? 'wait' : 'silent'
}

/** A line of an order, with what its goods allow. */
export interface GateLine {
  readonly minAge: number | null
  readonly buyerCountries: readonly string[] | null
  readonly blockedCountries: readonly string[]
}

/** What went, and now goes, to one of whom limits count. */
export interface GateUse {
  readonly per: Counted
  readonly units: number
  /** Null where something was paid in a currency that no rate was ever known of. */
  readonly usdMinor: bigint | null
}

export interface GateFacts {
  readonly lines: readonly GateLine[]
  readonly country: { readonly code: string; readonly isOnSale: boolean } | null
  /** How old the buyer is at least, as far as anybody has seen. */
  readonly provenAge: number | null
  readonly isNameListed: boolean
  readonly isEmailListed: boolean
  /** Null where no service is asked. */
  readonly screening: ScreeningState | null
  /** By limit, what comes together within its hours, this order counted. */
  readonly uses: readonly { readonly limit: GateLimit; readonly use: GateUse }[]
}

export type GateVerdict = 'pass' | 'hold' | 'refuse'

export interface Judged {
  readonly verdict: GateVerdict
  readonly reasons: readonly GateReason[]
}

/**
 * Whether goods may be delivered that nobody can take back. What may not be sold there is refused; who is on a list, or young for all
 * anybody knows, is held, as people share names; of limits their owner says which.
 */
export function judge(facts: GateFacts): Judged {
  const refused = new Set<GateReason>()
  const held = new Set<GateReason>()
  for (const line of facts.lines) {
    if (!isSoldIn(line, facts.country)) refused.add('country')
    if (line.minAge !== null && (facts.provenAge ?? 0) < line.minAge) held.add('age')
  }
  if (facts.isNameListed) held.add('listed_name')
  if (facts.isEmailListed) held.add('listed_email')
  if (facts.screening === 'match') held.add('screening_match')
  // Without an answer nothing passes, and nothing goes back.
  else if (facts.screening !== null && facts.screening !== 'clear') held.add('screening')
  for (const { limit, use } of facts.uses)
    if (isOver(limit, use) || isUnknown(limit, use)) {
      const reason = `${limit.per}_limit` as const
      if (limit.verdict === 'refuse' && isOver(limit, use)) refused.add(reason)
      else held.add(reason)
    }
  const reasons = GATE_REASONS.filter((reason) => refused.has(reason) || held.has(reason))
  return { verdict: refused.size > 0 ? 'refuse' : held.size > 0 ? 'hold' : 'pass', reasons }
}

const isOver = (limit: GateLimit, use: GateUse): boolean =>
  (limit.units !== null && use.units > limit.units) ||
  (limit.usdMinor !== null && use.usdMinor !== null && use.usdMinor > limit.usdMinor)

/** What nobody can count is nobody's nothing: a person looks. */
const isUnknown = (limit: GateLimit, use: GateUse): boolean =>
  limit.usdMinor !== null && use.usdMinor === null

const WORDS_MOST = 8
const WORDS_LEAST = 2

/** The words of a name without marks, case and signs, each once, in order: "Müller, José" and "jose MULLER" are the same. */
export function nameWords(name: string): string[] {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
  return [...new Set(plain.match(/[\p{L}\p{N}]+/gu) ?? [])].toSorted().slice(0, WORDS_MOST)
}

export const nameKey = (name: string): string => nameWords(name).join(' ')

/** Every entry that somebody's name could stand for: all of its words, or at least two of them, as lists leave middle names out. */
export function nameKeys(name: string): string[] {
  const words = nameWords(name)
  if (words.length === 0) return []
  const keys = new Set([words.join(' ')])
  for (let choice = 1; choice < 1 << words.length; choice += 1) {
    const chosen = words.filter((_, index) => (choice & (1 << index)) !== 0)
    if (chosen.length >= WORDS_LEAST) keys.add(chosen.join(' '))
  }
  return [...keys]
}

/** Whom something goes to, however it was typed: digits of any script, no spaces and signs. */
export function plainAccount(values: readonly string[]): string {
  return values
    .map((value) =>
      latinDigits(value.normalize('NFKC'))
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}@]+/gu, ''),
    )
    .join('/')
}

export interface ScreeningRow {
  readonly reference: string
  readonly name: string | null
  readonly email: string | null
}

export interface ScreeningFile {
  readonly rows: readonly ScreeningRow[]
  /** Lines that say nothing of anybody. */
  readonly faults: readonly number[]
}

const REFERENCE_MAX = 100

/** A list as a file: one entry a line, `reference, name, email` between tabs; either of the last two may be left out. */
export function readScreeningFile(text: string): ScreeningFile {
  const rows: ScreeningRow[] = []
  const faults: number[] = []
  text.split(/\r?\n/).forEach((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return
    const [reference = '', name = '', email = ''] = line.split('\t').map((cell) => cell.trim())
    const key = nameKey(name)
    const isEmail = /^[^\s@]{1,100}@[^\s@]{1,150}$/.test(email)
    const isReadable =
      reference !== '' &&
      reference.length <= REFERENCE_MAX &&
      key.length <= 400 &&
      (key !== '' || isEmail) &&
      (email === '' || isEmail)
    if (!isReadable) faults.push(index + 1)
    else
      rows.push({
        reference,
        name: key === '' ? null : key,
        email: isEmail ? email.toLowerCase() : null,
      })
  })
  return { rows, faults }
}
