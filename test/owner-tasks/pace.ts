/**
 * How long a person takes, by the keystroke-level model: S. K. Card, T. P. Moran and A. Newell, “The keystroke-level model for user
 * performance time with interactive systems”, Communications of the ACM 23 (7), 1980, pages 396–410. Its operators in seconds, for an
 * average typist who is no secretary. Beyond the model, which has none: what has to be read before a press (an effect, a fault) is read at
 * 238 words a minute (M. Brysbaert, “How many words do we read per minute?”, Journal of Memory and Language 109, 2019). The
 * machine's answers are no part of it: they are measured, in a column of their own.
 */
export const PACE = {
  /** K: a key. */
  key: 0.28,
  /** P: to point at something with the mouse; and K for its button. */
  point: 1.1,
  button: 0.28,
  /** H: the hand from the mouse to the keys, or back. */
  home: 0.4,
  /** M: to think what comes next, and to find it on the page. */
  think: 1.35,
  wordsPerMinute: 238,
} as const

/** Where the hand is. */
type Hand = 'mouse' | 'keys'

export interface Pace {
  /** Thinks, points at it, and presses the mouse's button. */
  readonly point: () => void
  /** Types so many keys, without a thought between them. */
  readonly type: (keys: number) => void
  /** Thinks, and presses so many keys as a command. */
  readonly command: (keys: number) => void
  readonly read: (words: number) => void
  readonly seconds: () => number
}

export function openPace(): Pace {
  let seconds = 0
  let hand: Hand = 'mouse'
  const move = (to: Hand) => {
    if (hand !== to) seconds += PACE.home
    hand = to
  }
  return {
    point() {
      seconds += PACE.think
      move('mouse')
      seconds += PACE.point + PACE.button
    },
    type(keys) {
      move('keys')
      seconds += keys * PACE.key
    },
    command(keys) {
      seconds += PACE.think
      move('keys')
      seconds += keys * PACE.key
    },
    read(words) {
      seconds += (words * 60) / PACE.wordsPerMinute
    },
    seconds: () => seconds,
  }
}
