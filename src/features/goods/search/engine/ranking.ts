import { FLAG, TEXT_KINDS, type TextKind } from './search-index.ts'

/**
 * How a spelling met a term, best first. `heard` is a name written by its sound in another script, `sound` a word
 * that sounds alike in the same script: a guess, where nothing else is found.
 */
export const MEETING = {
  exact: 0,
  prefix: 1,
  innerPrefix: 2,
  heard: 3,
  oneEdit: 4,
  twoEdits: 5,
  sound: 6,
} as const
export type Meeting = (typeof MEETING)[keyof typeof MEETING]

/** Steps far enough apart that, within one language, the kind of text never lifts a match over a better kind of meeting. */
const MEETING_SCORE = [1000, 720, 600, 470, 420, 280, 200] as const
const INSIDE_EXACT = 700
const INSIDE_PREFIX = 660
const INITIALS_EXACT = 620
const TRANSLITERATED = 0.92
const FIRST_BONUS = 20

const KIND_FACTOR: Readonly<Record<TextKind, number>> = {
  name: 1,
  alias: 0.97,
  publisher: 0.86,
  category: 0.82,
  region: 0.8,
  code: 0.76,
  territory: 0.6,
}
/** A name that neither the caller nor an English reader would see. */
const FOREIGN = 0.62

const WHOLE_BONUS: Readonly<Record<TextKind, number>> = {
  name: 500,
  alias: 450,
  publisher: 100,
  category: 0,
  region: 0,
  code: 200,
  territory: 0,
}

export const FLAG_COMBINATIONS = 32

/** Score by `meeting * FLAG_COMBINATIONS + flags`. */
export const MEETING_TABLE: Uint16Array = Uint16Array.from(
  { length: MEETING_SCORE.length * FLAG_COMBINATIONS },
  (_, i) => meetingScore(Math.floor(i / FLAG_COMBINATIONS) as Meeting, i % FLAG_COMBINATIONS),
)

/** Factor by `kind * 2 + (foreign ? 1 : 0)`. */
export const KIND_TABLE: Float64Array = Float64Array.from(
  TEXT_KINDS.flatMap((kind) => [KIND_FACTOR[kind], KIND_FACTOR[kind] * FOREIGN]),
)

/** Added when the whole query is the whole text; same key as `KIND_TABLE`. */
export const WHOLE_TABLE: Uint16Array = Uint16Array.from(
  TEXT_KINDS.flatMap((kind) => [WHOLE_BONUS[kind], Math.round(WHOLE_BONUS[kind] * FOREIGN)]),
)

/** Highest score any product can reach, for the counting sort. */
export const HIGHEST_SCORE = 1000 + FIRST_BONUS + 500

function meetingScore(meeting: Meeting, flags: number): number {
  let score: number = MEETING_SCORE[meeting]
  if ((flags & FLAG.initials) !== 0) return meeting === MEETING.exact ? INITIALS_EXACT : 0
  if ((flags & FLAG.inside) !== 0) {
    if (meeting === MEETING.exact) score = INSIDE_EXACT
    else if (meeting === MEETING.prefix) score = INSIDE_PREFIX
    else if (meeting === MEETING.innerPrefix) score = INSIDE_PREFIX - 60
    else return 0
  }
  if ((flags & FLAG.transliterated) !== 0) score *= TRANSLITERATED
  return Math.round(score) + ((flags & FLAG.first) !== 0 ? FIRST_BONUS : 0)
}
