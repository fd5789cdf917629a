import type { KeyFormat, KeyLine } from '../rules.ts'
import { makeText, readPattern, type Draw } from './made-up-text.ts'

/** Seen at once not to be real: a word where letters are taken, else noughts, with which no card begins. */
const MARKS = ['DEMO', '0000', '000', '00', '0']
/** Characters that stay drawn, so that thousands of keys of one item differ. */
const DRAWN_LEAST = 8
const EXPIRY = /^(?:0[1-9]|1[0-2])\/\d{2}$/

/** Makes keys that look like a brand's and redeem nothing. `year` is the one now; keys with a month of expiry last until the years after it. */
export function keyMaker(format: KeyFormat, draw: Draw, year: number): () => KeyLine {
  const parts = format.parts.map(({ name, pattern }) => ({
    name,
    test: new RegExp(pattern, 'u'),
    pieces: readPattern(pattern),
  }))
  return () => {
    let expiresOn: string | null = null
    const values = parts.map(({ name, test, pieces }) => {
      const drawn = makeText(pieces, draw)
      if (name === 'expiry' && EXPIRY.test(drawn)) {
        const [month, of] = [1 + draw(12), year + 1 + draw(3)]
        expiresOn = new Date(Date.UTC(of, month, 0)).toISOString().slice(0, 10)
        return [
          name,
          `${String(month).padStart(2, '0')}/${String(of % 100).padStart(2, '0')}`,
        ] as const
      }
      return [name, marked(drawn, test)] as const
    })
    return { parts: Object.fromEntries(values), expiresOn }
  }
}

function marked(text: string, test: RegExp): string {
  const mark = MARKS.find(
    (each) => text.length - each.length >= DRAWN_LEAST && test.test(each + text.slice(each.length)),
  )
  return mark === undefined ? text : mark + text.slice(mark.length)
}

/** Draws from random bytes, many at a time. `end` is at most 65,536; the little favour to small numbers is nothing to made-up keys. */
export function drawFrom(random: (bytes: number) => Uint8Array): Draw {
  const bytes = 16_384
  let pool = random(bytes)
  let at = 0
  return (end) => {
    if (end <= 1) return 0
    if (at + 2 > bytes) {
      pool = random(bytes)
      at = 0
    }
    const drawn = (pool[at] ?? 0) * 256 + (pool[at + 1] ?? 0)
    at += 2
    return drawn % end
  }
}
