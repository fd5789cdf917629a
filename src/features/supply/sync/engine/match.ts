import { toMajor } from '#kernel/money.ts'
import { faceKey, isElsewhere, isOfKind, type KnownItem, type Listed } from '../rules.ts'
import { createBrands, itemOf, type Brands } from './brands.ts'
import { SCORE_AHEAD, SCORE_LEAST, wordsOf } from './words.ts'

/** Words that so many items share find none of them. */
const COMMON_WORD = 400

export interface Match {
  readonly item: KnownItem
  readonly by: 'id' | 'name'
  /** In hundredths. */
  readonly score: number
}

export interface Matcher extends Brands {
  /** Null where nothing is, or two are, alike enough. */
  readonly find: (listed: Listed) => Match | null
  /** Whether what identifies it names an item that works elsewhere. */
  readonly isNamedElsewhere: (listed: Listed) => boolean
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

/** What a matcher knows of currencies and places. */
export interface MatchGround {
  /** Of the minor unit by currency. */
  readonly digits: ReadonlyMap<string, number>
  readonly countries: ReadonlyMap<string, { readonly name: string; readonly alpha3: string }>
}

/**
 * Finds items by what identifies them, then operators and cards by brand and denomination, then by how alike names are; numbers must be the
 * same, and places must not contradict each other.
 */
export function createMatcher(items: readonly KnownItem[], ground: MatchGround): Matcher {
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
  const names = indexNames(items, ground.digits)
  const brands = createBrands(items, ground.countries)
  const named = (listed: Listed) => {
    // Of several amounts of one product it is none in particular.
    const known = listed.face === null ? byId.get(listed.product) : undefined
    return known && isOfKind(listed.kind, known) && isOfRange(listed, known) ? known : undefined
  }
  return {
    ...brands,
    isNamedElsewhere(listed) {
      const known = named(listed)
      return known !== undefined && isElsewhere(listed, known, 'id')
    },
    find(listed) {
      const bought = byOffer.get(`${listed.product}\n${faceKey(listed.face)}`)
      // An owner has said so, or a sync before: only what says another country is something else.
      if (
        bought &&
        isOfKind(listed.kind, bought) &&
        isOfRange(listed, bought) &&
        (listed.country === null || !isElsewhere(listed, bought, 'id'))
      )
        return { item: bought, by: 'id', score: 100 }
      const known = named(listed)
      if (known)
        return isElsewhere(listed, known, 'id') ? null : { item: known, by: 'id', score: 100 }
      const brand = brands.brandOf(listed)
      const item = brand && itemOf(listed, brand.items)
      if (brand && item) return { item, by: 'name', score: brand.score }
      return listed.range === null ? names(listed) : null
    },
  }
}

/** What any amount may be bought of is no single denomination. */
const isOfRange = ({ range }: Listed, { free }: KnownItem) => range === null || free !== null

function indexNames(
  items: readonly KnownItem[],
  digits: ReadonlyMap<string, number>,
): (listed: Listed) => Match | null {
  const words = items.map(({ brandName, name, units, face }) =>
    wordsOf(`${brandName} ${name === '' ? (units ?? amountOf({ worth: face }, digits)) : name}`),
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
      .filter(({ item }) => item.free === null && !isElsewhere(listed, item, 'name'))
      .filter(({ item }) => fitsFace(listed, item))
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
function amountOf({ worth }: Pick<Listed, 'worth'>, digits: ReadonlyMap<string, number>): string {
  if (worth === null) return ''
  return `${toMajor(worth.minor, digits.get(worth.currency) ?? 0).replace(/\.0+$/, '')} ${worth.currency}`
}

/** Ten dollars are not ten euros, however alike the names: where both are known they are the same. */
const fitsFace = ({ worth }: Listed, { face: own }: KnownItem) =>
  worth === null || own === null || (worth.currency === own.currency && worth.minor === own.minor)
