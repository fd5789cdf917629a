import type { FieldReason } from '#kernel/error.ts'

/** Characters, counted as people count them: an emoji is one. */
const LENGTH_MIN = 8
const LENGTH_MAX = 20
const STRICT_LENGTH_MAX = 128
/** Shorter names would refuse too much by chance. */
const PERSONAL_MIN = 4
/** Fewer than this many different things to remember is a pattern, whatever the length. */
const THINGS_MIN = 5
const RUN_MIN = 3
/** Beside a word of the shop. */
const SHOP_WORD_REST_MIN = 6
/** Of the common keyboards, and down their columns; both ways. */
const KEYBOARD_ROWS = [
  'qwertyuiop',
  'qwertzuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  '1234567890',
  'qazwsxedcrfvtgbyhnujm',
  '1qaz2wsx3edc4rfv5tgb6yhn',
].flatMap((row) => [row, [...row].reverse().join('')])

/**
 * The shop's rule: 8 to 20 of A–Z, a–z and 0–9, all three kinds (specification §5). Strict: 8 to 128 of any characters that
 * can be seen, all three kinds among them.
 */
export function passwordRuleProblem(text: string, strict: boolean): FieldReason | null {
  const hasAllKinds = /[A-Z]/.test(text) && /[a-z]/.test(text) && /[0-9]/.test(text)
  if (!strict)
    return hasAllKinds &&
      text.length >= LENGTH_MIN &&
      text.length <= LENGTH_MAX &&
      /^[A-Za-z0-9]*$/.test(text)
      ? null
      : 'password_rule'
  // Two UTF-16 units a character at most: nobody's megabyte is taken apart to be counted.
  const length = text.length > 2 * STRICT_LENGTH_MAX ? Infinity : [...text].length
  const isPrintable = !/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u.test(text)
  return hasAllKinds && isPrintable && length >= LENGTH_MIN && length <= STRICT_LENGTH_MAX
    ? null
    : 'password_rule_strict'
}

/**
 * Whether a name of the person stands in it, whatever its case and punctuation: the whole name or a part of it, from four
 * characters on. Of an e-mail address the part before the @ counts.
 */
export function isPersonalPassword(text: string, personal: readonly string[]): boolean {
  const bare = bareOf(text)
  const names = personal.map((name) =>
    fold(name.includes('@') ? name.slice(0, name.lastIndexOf('@')) : name),
  )
  return names
    .flatMap((name) => [bareOf(name), ...name.split(/[^\p{L}\p{N}]+/u)])
    .some((part) => part.length >= PERSONAL_MIN && bare.includes(part))
}

/** Of the shop and its trade: what whoever guesses at accounts of such a shop tries first. `docs/security/design.md` lists them. */
export const SHOP_WORDS = [
  'lukado',
  'giftcard',
  'gamecard',
  'cardkey',
  'topup',
  'prepaid',
  'voucher',
]

/** Whether what is left of it without a word of the shop is too little to be a password. */
export function isShopPassword(text: string): boolean {
  const bare = bareOf(text)
  return SHOP_WORDS.some(
    (word) => bare.includes(word) && bare.length - word.length < SHOP_WORD_REST_MIN,
  )
}

/** Whether it is made of too little: a repeated part, few different characters, rows of the alphabet or of a keyboard. */
export function isSimplePassword(text: string): boolean {
  const lower = fold(text)
  return new Set(lower).size < THINGS_MIN || isRepeated(lower) || thingsIn(lower) < THINGS_MIN
}

/** Without case and width, as people take two texts for the same. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

function bareOf(text: string): string {
  return fold(text).replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** "abcd1abcd1", "xyzxyzxy": a part said at least twice. A text with a period stands in its own double before the end. */
function isRepeated(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period += 1) {
    if (text.startsWith(text.slice(period))) return true
  }
  return false
}

/** Each run of three or more neighbours ("abcd", "4321", "aaa", "qwer") is one thing to remember; so is every other character. */
function thingsIn(text: string): number {
  let things = 0
  for (let start = 0; start < text.length; things += 1) {
    const length = runLength(text, start)
    start += length >= RUN_MIN ? length : 1
  }
  return things
}

function runLength(text: string, start: number): number {
  return Math.max(alphabetRun(text, start), ...KEYBOARD_ROWS.map((row) => rowRun(text, start, row)))
}

function alphabetRun(text: string, start: number): number {
  const step = text.charCodeAt(start + 1) - text.charCodeAt(start)
  if (!(Math.abs(step) <= 1)) return 1
  let end = start + 1
  while (end < text.length && text.charCodeAt(end) - text.charCodeAt(end - 1) === step) end += 1
  return end - start
}

function rowRun(text: string, start: number, row: string): number {
  const at = row.indexOf(text.charAt(start))
  if (at < 0) return 1
  let length = 1
  while (
    start + length < text.length &&
    at + length < row.length &&
    text[start + length] === row[at + length]
  )
    length += 1
  return length
}
