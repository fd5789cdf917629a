/**
 * Names for copies of the catalogue: the same name in other letters of the same script, so that the vocabulary grows as it would
 * with new goods. Words that many names share ("gift", "card") stay: in a larger shop they would be shared as well.
 */

type Alphabet = readonly string[]

const letters = (from: number, to: number): Alphabet =>
  Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at))

const VOWELS: Alphabet = [...'aeiou']
const CONSONANTS: readonly Alphabet[] = [
  [...'bcdfghjklmnpqrstvwxyz'],
  [...'бвгджзклмнпрстфхцчш'],
  [...'بتثجحخدذرزسشصضطظعغفقكلمنه'],
  letters(0x0e01, 0x0e2e),
  letters(0x0915, 0x0939),
  letters(0x1000, 0x1020),
  letters(0x304b, 0x3062),
  letters(0x30ab, 0x30c2),
]
const HAN = [0x4e00, 0x9fa5] as const
const HANGUL = [0xac00, 0xd7a3] as const
/** Syllables that differ in their final consonant alone lie within so many. */
const HANGUL_FINALS = 28

/** Copies beyond this many would begin to repeat names. */
export const COPIES_MAX = CONSONANTS[0] === undefined ? 0 : CONSONANTS[0].length * VOWELS.length - 1

/** The respelling of the n-th copy, n from 1. */
export function respeller(copy: number, kept: ReadonlySet<string>): (name: string) => string {
  const turned = new Map<string, string>()
  for (const alphabet of CONSONANTS) turn(turned, alphabet, copy % (CONSONANTS[0]?.length ?? 1))
  turn(turned, VOWELS, Math.floor(copy / (CONSONANTS[0]?.length ?? 1)))
  const letter = (character: string) => {
    const code = character.codePointAt(0) ?? 0
    if (code >= HAN[0] && code <= HAN[1]) return within(HAN, code + copy * 7)
    if (code >= HANGUL[0] && code <= HANGUL[1]) return within(HANGUL, code + copy * HANGUL_FINALS)
    return turned.get(character) ?? character
  }
  return (name) =>
    name.replace(/[\p{L}\p{M}]+/gu, (word) =>
      kept.has(word.toLowerCase()) ? word : Array.from(word, letter).join(''),
    )
}

function turn(turned: Map<string, string>, alphabet: Alphabet, by: number): void {
  alphabet.forEach((character, at) => {
    const other = alphabet[(at + by) % alphabet.length] ?? character
    turned.set(character, other)
    turned.set(character.toUpperCase(), other.toUpperCase())
  })
}

function within([from, to]: readonly [number, number], code: number): string {
  return String.fromCodePoint(from + ((code - from) % (to - from + 1)))
}

/** Words that at least `times` of the names hold. */
export function sharedWords(names: readonly string[], times: number): Set<string> {
  const counts = new Map<string, number>()
  for (const name of names)
    for (const word of new Set(name.toLowerCase().match(/[\p{L}\p{M}]+/gu)))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count >= times).map(([word]) => word))
}
