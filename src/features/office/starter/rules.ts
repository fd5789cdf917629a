/** Kinds of goods that the program brings along, in the order in which they are taken in. */
export const STARTER_KINDS = [
  'gift_card',
  'game_card',
  'top_up',
  'prepaid_card',
  'game_key',
  'subscription',
  'recharge',
] as const
export type StarterKind = (typeof STARTER_KINDS)[number]

export const STARTER_SWEEP = 'starter_goods'

/** A kind that is taken in, and whether its products are for sale at once or wait as drafts. */
export type StarterChoice = ReadonlyMap<string, { readonly isOnSale: boolean }>

export interface StarterRun {
  readonly id: string
  readonly publicId: string
  readonly operatorId: string
  readonly kinds: readonly string[]
  readonly isOnSale: boolean
  readonly state: 'waiting' | 'taking' | 'done' | 'failed'
  readonly step: number
  readonly steps: number
  readonly failure: string | null
}

/**
 * What is taken in after some kinds of a run: what earlier ones brought stays as they brought it, as a folder that does not name its goods any more
 * would take them off sale.
 * @param earlier runs that are over, oldest first
 */
export function choiceAt(
  earlier: readonly Pick<StarterRun, 'kinds' | 'isOnSale'>[],
  run: Pick<StarterRun, 'kinds' | 'isOnSale'>,
  count: number,
): StarterChoice {
  const choice = new Map<string, { readonly isOnSale: boolean }>()
  for (const { kinds, isOnSale } of [
    ...earlier,
    { kinds: run.kinds.slice(0, count), isOnSale: run.isOnSale },
  ])
    for (const kind of kinds) choice.set(kind, { isOnSale })
  return choice
}

type Json = Readonly<Record<string, unknown>>
const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : [])
const record = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {}

/** What is the demo's own and no shop's: reviews nobody wrote, its news, and legal texts that only look like some. */
const LEFT_OUT = /^(?:reviews|redirects)\.json$|^articles\//
const ABOUT_LEFT_OUT = ['article', 'article_category']

/** The shipped folder as a shop of one's own takes it: chosen kinds alone, with the games they are for, and nothing that is made up about sales. */
export function chosenDocuments(
  documents: ReadonlyMap<string, unknown>,
  choice: StarterChoice,
): ReadonlyMap<string, unknown> {
  const chosen = new Map<string, unknown>()
  const brands = new Set<string>()
  const games = new Set<string>()
  const takeBrand = (brand: Json): Json => {
    brands.add(String(brand['code']))
    if (brand['game'] !== undefined) games.add(String(brand['game']))
    const isOnSale = choice.get(String(brand['kind']))?.isOnSale === true
    return { ...brand, products: list(brand['products']).map((own) => productOf(own, isOnSale)) }
  }
  for (const [path, document] of documents) {
    if (LEFT_OUT.test(path) || path.startsWith('translations/')) continue
    const own = record(document)
    if (path.startsWith('brands/')) {
      if (choice.has(String(own['kind']))) chosen.set(path, takeBrand(own))
    } else if (path.startsWith('operators/')) {
      const operators = list(own['operators']).filter(({ kind }) => choice.has(String(kind)))
      if (operators.length > 0) chosen.set(path, { ...own, operators: operators.map(takeBrand) })
    } else chosen.set(path, document)
  }
  chosen.set('games.json', {
    games: list(record(documents.get('games.json'))['games']).filter(({ code }) =>
      games.has(String(code)),
    ),
  })
  for (const [path, document] of documents)
    if (path.startsWith('translations/'))
      chosen.set(
        path,
        path.includes('/phrases/') ? document : wordsOf(record(document), brands, games),
      )
  return chosen
}

/** Nothing of it was sold here yet, and nothing is in stock. */
function productOf(product: Json, isOnSale: boolean): Json {
  return {
    ...product,
    status: isOnSale ? (product['status'] ?? 'active') : 'suspended',
    items: list(product['items']).map(({ sold: _, stock: __, ...item }) => item),
  }
}

function wordsOf(words: Json, brands: ReadonlySet<string>, games: ReadonlySet<string>): Json {
  const kept = (entries: unknown, codes: ReadonlySet<string>) =>
    Object.fromEntries(Object.entries(record(entries)).filter(([code]) => codes.has(code)))
  return Object.fromEntries(
    Object.entries(words)
      .filter(([subject]) => !ABOUT_LEFT_OUT.includes(subject))
      .map(([subject, entries]) => [
        subject,
        subject === 'brand'
          ? kept(entries, brands)
          : subject === 'game'
            ? kept(entries, games)
            : entries,
      ]),
  )
}
