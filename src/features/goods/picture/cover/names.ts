import { VOICES, type VoiceName } from './alphabet.ts'
import { measure } from './lettering.ts'

/** Words that many products share and that say nothing about this one. */
const GENERIC =
  /\b(e-?gift|gift|e-?cards?|cards?|vouchers?|codes?|karta podarunkowa|wallet|prepaid|pins?|subscription|membership|certificate|money|top-?up|e-?voucher|mobile|online|game|recharge|key)\b/gi
const SMALL_WORD = /^(of|the|and|to|by|in|for|de|la|el|le|les|&)$/i
/** Never a line of its own. */
const CLINGING = /^(\d{1,4}|[A-Z])$/i
const NUMERAL = /^(\d{1,4}|[IVX]{1,4})$/
/** A line's width in cap heights up to which words share it, and at which a title changes to narrow letters. */
const SHARED_LINE = 4.6
export const LONG_LINE = 6.2
const WORDS_OF_LONG_NAMES = 3
const LONG_NAME = 34

/** The lettering of a name: generic words dropped, at most three lines broken between words, its numeral on the last. */
export function letteringOf(name: string, voice: VoiceName): string[] {
  const words = headOf(name).split(' ').filter(Boolean)
  const numeral = words.length > 1 && NUMERAL.test(words.at(-1) ?? '') ? words.pop() : undefined
  const written = voice === 'soft' ? words : words.map((word) => word.toUpperCase())
  const lines: string[] = []
  for (const [at, word] of written.entries()) {
    const last = lines.at(-1)
    const shared = last === undefined ? '' : `${last} ${word}`
    const clings = CLINGING.test(word) || (at === 1 && CLINGING.test(last ?? ''))
    const isShort = measure(shared, VOICES[voice]) <= SHARED_LINE
    if (last !== undefined && (lines.length === 3 || clings || isShort))
      lines[lines.length - 1] = shared
    else lines.push(word)
  }
  return lines.map((line, at) => {
    const small = SMALL_WORD.test(line) && lines.length > 1 ? '~' : ''
    return small + line + (numeral !== undefined && at === lines.length - 1 ? `^${numeral}` : '')
  })
}

function headOf(name: string): string {
  const plain = name.replace(/\(.*?\)/g, ' ').replace(/[®™^~]/g, '')
  const head =
    (plain.split(/[:：] | \/ | – | - |: ?$/)[0] ?? '').replace(/\s+/g, ' ').trim() || name
  const short = head.replace(GENERIC, ' ').replace(/\s+/g, ' ').trim()
  const chosen = Array.from(short).length > 1 ? short : head
  return chosen.length > LONG_NAME
    ? chosen.split(' ').slice(0, WORDS_OF_LONG_NAMES).join(' ').slice(0, LONG_NAME)
    : chosen
}
