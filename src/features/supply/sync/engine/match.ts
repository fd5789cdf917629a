import { toMajor } from '#kernel/money.ts'
import { faceKey, isOfKind, type KnownItem, type Listed } from '../rules.ts'

/** Names that are less alike than that are not taken to be the same, nor those of which another is nearly as much. */
export const SCORE_LEAST = 0.85
const SCORE_AHEAD = 0.05
/** Words that so many items share find none of them. */
const COMMON_WORD = 400

export interface Match {
  readonly item: KnownItem
  readonly by: 'id' | 'name'
  /** In hundredths. */
  readonly score: number
}

export interface Matcher {
  /** Null where nothing is, or two are, alike enough. */
  readonly find: (listed: Listed) => Match | null
}

/** Words of a name: lower case, without accents, numbers without separators. */
export function wordsOf(text: string): readonly string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/(\d)[.,'’\s](?=\d{3}(?!\d))/gu, '$1')
  return [...new Set(plain.match(/\d+(?:\.\d+)?|\p{L}+/gu) ?? [])]
}

const isNumber = (word: string) => /^\d/.test(word)
const numbersOf = (words: readonly string[]) =>
  words
    .filter(isNumber)
    .map((word) => word.replace(/\.0+$/, ''))
    .toSorted()
    .join(' ')

interface Indexed {
  readonly item: KnownItem
  readonly words: readonly string[]
  readonly numbers: string
  readonly weight: number
}

/** Finds items by what identifies them, then by how alike names are; numbers must be the same, and a country must fit. */
export function createMatcher(
  items: readonly KnownItem[],
  digits: ReadonlyMap<string, number>,
): Matcher {
  const byId = new Map<string, KnownItem>()
  for (const item of items) {
    if (item.reference !== null) byId.set(item.reference, item)
    byId.set(item.code, item)
  }
  const byOffer = new Map(
    items.flatMap((item) =>
      item.offer ? [[`${item.offer.product}\n${faceKey(item.offer.face)}`, item] as const] : [],
    ),
  )
  const names = indexNames(items, digits)
  return {
    find(listed) {
      const known =
        byOffer.get(`${listed.product}\n${faceKey(listed.face)}`) ?? byId.get(listed.product)
      if (known && isOfKind(listed.kind, known)) return { item: known, by: 'id', score: 100 }
      return names(listed)
    },
  }
}

function indexNames(
  items: readonly KnownItem[],
  digits: ReadonlyMap<string, number>,
): (listed: Listed) => Match | null {
  const words = items.map(({ brandName, name, units }) =>
    wordsOf(`${brandName} ${name === '' ? (units ?? '') : name}`),
  )
  const counts = new Map<string, number>()
  for (const list of words) for (const word of list) counts.set(word, (counts.get(word) ?? 0) + 1)
  const weightOf = (word: string) => Math.log(1 + items.length / (counts.get(word) ?? 1))
  const sum = (list: readonly string[]) => list.reduce((all, word) => all + weightOf(word), 0)
  const places = new Map<string, Indexed[]>()
  items.forEach((item, index) => {
    const list = words[index] ?? []
    const indexed = { item, words: list, numbers: numbersOf(list), weight: sum(list) }
    for (const word of list) {
      const known = places.get(word)
      if (known) known.push(indexed)
      else places.set(word, [indexed])
    }
  })
  return (listed) => {
    const own = wordsOf(`${listed.brand ?? ''} ${listed.name} ${amountOf(listed, digits)}`)
    const [numbers, weight] = [numbersOf(own), sum(own)]
    const near = new Set<Indexed>()
    for (const word of own) {
      const found = places.get(word) ?? []
      if (found.length <= COMMON_WORD) for (const one of found) near.add(one)
    }
    const scored = [...near]
      .filter((one) => one.numbers === numbers && isOfKind(listed.kind, one.item))
      .filter(({ item }) => fitsCountry(listed, item) && fitsFace(listed, item))
      .map(({ item, words: others, weight: other }) => {
        const common = sum(others.filter((word) => own.includes(word)))
        return { item, score: (2 * common) / (weight + other) }
      })
      .toSorted((one, another) => another.score - one.score)
    const [best, second] = scored
    if (!best || best.score < SCORE_LEAST) return null
    if (second && best.score - second.score < SCORE_AHEAD) return null
    return { item: best.item, by: 'name', score: Math.min(100, Math.floor(best.score * 100)) }
  }
}

/** What a denomination is worth as names say it: "10 USD". */
function amountOf({ face }: Pick<Listed, 'face'>, digits: ReadonlyMap<string, number>): string {
  if (face === null) return ''
  return `${toMajor(face.minor, digits.get(face.currency) ?? 0).replace(/\.0+$/, '')} ${face.currency}`
}

/** What works in one country alone is no item that is sold to the whole world, however alike the names are. */
const fitsCountry = ({ country }: Listed, { countries }: KnownItem) =>
  country === null || (countries?.includes(country.toUpperCase()) ?? false)

/** Ten dollars are not ten euros, however alike the names: where both are known they are the same. */
const fitsFace = ({ face }: Listed, { face: own }: KnownItem) =>
  face === null || own === null || (face.currency === own.currency && face.minor === own.minor)
