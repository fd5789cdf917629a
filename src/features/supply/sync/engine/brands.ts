import { countriesOf, isCredited, type KnownItem, type Listed } from '../rules.ts'
import { areTaken } from './range.ts'
import { SCORE_AHEAD, SCORE_LEAST, wordsOf } from './words.ts'

/** Words that say what is sold and not whose it is. */
const GENERIC = new Set(
  'airtime bundle bundles card cards code codes data digital egift gift mobile pin pins plan plans prepaid recharge the top topup up voucher vouchers wallet'.split(
    ' ',
  ),
)

type Family = 'phone' | 'card'

interface KnownBrand {
  readonly code: string
  readonly words: readonly string[]
  readonly items: KnownItem[]
}

export interface FoundBrand {
  readonly items: readonly KnownItem[]
  /** In hundredths. */
  readonly score: number
}

export interface Brands {
  /** Whose it is: an operator or a card of the same country, by how alike its name is. Null where nothing is, or two are, alike enough. */
  readonly brandOf: (listed: Listed) => FoundBrand | null
}

function familyOf(kind: Listed['kind']): Family | null {
  if (kind === 'recharge' || kind === 'data') return 'phone'
  return kind === 'giftcard' || kind === 'voucher' ? 'card' : null
}

function familyOfItem({ delivery, brandKind }: KnownItem): Family | null {
  if (delivery === 'card_key') return brandKind === 'game_key' ? null : 'card'
  return brandKind === 'recharge' ? 'phone' : null
}

/** @param names of countries by code: an operator is often called by its country as well */
export function createBrands(
  items: readonly KnownItem[],
  names: ReadonlyMap<string, { readonly name: string; readonly alpha3: string }>,
): Brands {
  const placeWords = (country: string | null) => {
    const { name = '', alpha3 = '' } = names.get(country ?? '') ?? {}
    return new Set(wordsOf(`${name} ${country ?? ''} ${alpha3}`))
  }
  const ownWords = (name: string, country: string | null) => {
    const all = wordsOf(name)
    const places = placeWords(country)
    const own = all.filter((word) => !GENERIC.has(word) && !places.has(word))
    return own.length === 0 ? all : own
  }
  const places = new Map<string, Map<string, KnownBrand>>()
  for (const item of items) {
    const family = familyOfItem(item)
    const countries = countriesOf(item)
    if (family === null || (countries !== null && countries.length !== 1)) continue
    const country = countries?.[0] ?? null
    const key = `${family} ${country ?? ''}`
    const brands = places.get(key) ?? new Map<string, KnownBrand>()
    places.set(key, brands)
    const known = brands.get(item.brand)
    if (known) known.items.push(item)
    else
      brands.set(item.brand, {
        code: item.brand,
        words: ownWords(item.brandName, country),
        items: [item],
      })
  }
  return {
    brandOf(listed) {
      const family = familyOf(listed.kind)
      if (family === null || (family === 'phone' && listed.country === null)) return null
      const own = ownWords(listed.brand ?? listed.name, listed.country)
      const [best, second] = [...(places.get(`${family} ${listed.country ?? ''}`)?.values() ?? [])]
        .map(({ words, items: goods }) => {
          const common = words.filter((word) => own.includes(word)).length
          return { items: goods, score: (2 * common) / (own.length + words.length) }
        })
        .toSorted((one, another) => another.score - one.score)
      if (!best || best.score < SCORE_LEAST) return null
      if (second && best.score - second.score < SCORE_AHEAD) return null
      return { items: best.items, score: Math.floor(best.score * 100) }
    },
  }
}

/** Which item of a brand a denomination is; null where none is, or two are. */
export function itemOf(listed: Listed, items: readonly KnownItem[]): KnownItem | null {
  const fitting = items.filter((item) => isDenomination(listed, item))
  return fitting.length === 1 ? (fitting[0] ?? null) : null
}

function isDenomination(listed: Listed, item: KnownItem): boolean {
  const { range, worth, kind } = listed
  if (isCredited(kind) && (kind === 'data') !== (item.kind === 'data')) return false
  if (range !== null)
    return (
      item.free !== null && item.faceCurrency === range.min.currency && areTaken(range, item.free)
    )
  if (item.free !== null) return false
  if (kind === 'data') return isBundle(listed.name, item)
  return (
    worth !== null &&
    item.face !== null &&
    worth.currency === item.face.currency &&
    worth.minor === item.face.minor
  )
}

export interface Bundle {
  readonly megabytes: number
  readonly days: number | null
}

const VOLUME = /(\d+(?:[.,]\d+)?)\s*(gb|mb|gib|mib)\b/gi
const TERM = /(\d+)[\s-]*(days?|weeks?|months?|d)\b/gi
const DAYS: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30 }

/** What a name says of a bundle, where it says one volume and at most one term: "2 GB, 7 days". */
export function bundleOf(name: string): Bundle | null {
  const [volumes, terms] = [[...name.matchAll(VOLUME)], [...name.matchAll(TERM)]]
  const [, amount = '', unit = ''] = volumes[0] ?? []
  if (volumes.length !== 1 || terms.length > 1) return null
  const megabytes = Number(amount.replace(',', '.')) * (/^g/i.test(unit) ? 1_000 : 1)
  if (!Number.isInteger(megabytes) || megabytes <= 0) return null
  const [, count = '', term = ''] = terms[0] ?? []
  const days = terms.length === 0 ? null : Number(count) * (DAYS[term.charAt(0).toLowerCase()] ?? 1)
  return { megabytes, days: days === 0 ? null : days }
}

/** Some count a gigabyte as 1,024 megabytes. */
function isBundle(name: string, { dataMb, days }: KnownItem): boolean {
  const told = bundleOf(name)
  if (!told || dataMb === null || told.days !== days) return false
  return told.megabytes === dataMb || told.megabytes * 1_024 === dataMb * 1_000
}
