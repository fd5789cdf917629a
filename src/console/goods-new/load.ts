import {
  findBrandDocument,
  findProducts,
  readMakingChoices,
  type FoundProduct,
  type MakingChoices,
} from '#features/goods/making/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import {
  ITEM_FIGURES,
  newItem,
  usualItemKind,
  type Draft,
  type Facts,
  type ItemDraft,
} from './draft.ts'

export interface GoodsNewData {
  readonly mayMake: boolean
  readonly choices: MakingChoices
  readonly start: Draft
  /** Of what is added to, or copied. */
  readonly of: string | null
  /** What a search has found; null where nobody searches. */
  readonly found: readonly FoundProduct[] | null
  readonly search: string
}

const FOUND_MOST = 30
const CODE = /^[a-z0-9]+(-[a-z0-9]+)*$/
const CURRENCY = 'USD'

/** An empty form; or one that adds a region to a brand, items to a product, or begins as a copy of a product. */
export async function load(context: ConsoleContext): Promise<Loaded<GoodsNewData>> {
  const { ctx, query, t, language } = context
  const search = (query.get('q') ?? '').trim().slice(0, 100)
  const choices = await readMakingChoices(ctx.db, language.code)
  const { start, of } = await startOf(context, choices)
  return {
    title: t('console.goodsNew.title'),
    data: {
      mayMake: mayDo(ctx.operator, 'price.change'),
      choices,
      start,
      of,
      found:
        search === ''
          ? null
          : await findProducts(ctx.db, search, { language: language.code, limit: FOUND_MOST }),
      search,
    },
  }
}

function emptyDraft({ regions, currencies }: MakingChoices): Draft {
  const currency = currencies.find(({ code }) => code === CURRENCY) ?? currencies[0]
  return {
    makes: 'brand',
    name: '',
    brand: '',
    isBrandTyped: false,
    kind: 'gift_card',
    delivery: 'card_key',
    unit: '',
    categories: [],
    region: regions[0]?.code ?? '',
    product: '',
    currency: currency?.code ?? '',
    faceCurrency: '',
    items: [{ ...newItem('value'), key: 'first' }],
    brandFacts: {},
    productFacts: {},
  }
}

async function startOf({ ctx, query }: ConsoleContext, choices: MakingChoices) {
  const empty = emptyDraft(choices)
  const asked = (name: string) => {
    const code = query.get(name)
    return code !== null && CODE.test(code) ? code : null
  }
  const [brand, product, copy] = [asked('brand'), asked('product'), asked('copy')]
  const by = brand === null ? { product: product ?? copy ?? '' } : { brand }
  if (brand === null && product === null && copy === null) return { start: empty, of: null }
  const document = await findBrandDocument(ctx.db, by)
  if (!document) throw new AppError('not_found')
  const products = document['products'] as readonly Facts[]
  const own = products.find(({ code }) => code === (product ?? copy)) ?? products[0]
  const there = {
    ...empty,
    name: text(document['name']),
    brand: text(document['code']),
    isBrandTyped: true,
    kind: text(document['kind']),
    delivery: text(document['delivery']),
    unit: text(document['unit']),
    currency: text(own?.['currency']) || empty.currency,
    faceCurrency: text(own?.['face_currency']),
    items: [{ ...newItem(usualItemKind(text(document['kind']))), key: 'first' }],
  }
  const of = `${there.name}${own ? ` · ${text(own['code'])}` : ''}`
  if (product !== null)
    return {
      start: { ...there, makes: 'items' as const, product, region: text(own?.['region']) },
      of,
    }
  const taken = new Set(products.map(({ region }) => region))
  const region = choices.regions.find(({ code }) => !taken.has(code))?.code ?? empty.region
  if (brand !== null)
    return { start: { ...there, makes: 'product' as const, region }, of: there.name }
  return { start: copyOf(document, own ?? {}, there), of }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const without = (facts: Facts, keys: readonly string[]): Facts =>
  Object.fromEntries(Object.entries(facts).filter(([key]) => !keys.includes(key)))

const OWN = ['code', 'status', 'source', 'picture', 'position'] as const
const OF_BRAND = ['name', 'products', 'kind', 'delivery', 'unit', 'categories', 'popularity', 'hot']
const OF_PRODUCT = ['region', 'items', 'currency', 'face_currency']
const OF_ITEM = ['kind', 'name', 'price', 'stock', 'sold', 'reference']

/** All that is said of a product and its brand but by what they are called and found, and whose they are. */
function copyOf(brand: Facts, product: Facts, there: Draft): Draft {
  return {
    ...there,
    makes: 'brand',
    name: '',
    brand: '',
    isBrandTyped: false,
    categories: (brand['categories'] as readonly string[] | undefined) ?? [],
    region: text(product['region']),
    items: ((product['items'] ?? []) as readonly Facts[]).map(itemCopy),
    brandFacts: without(brand, [...OWN, ...OF_BRAND]),
    productFacts: without(product, [...OWN, ...OF_PRODUCT]),
  }
}

function itemCopy(item: Facts, at: number): ItemDraft {
  const kind = text(item['kind'])
  const known = kind in ITEM_FIGURES ? (kind as ItemDraft['kind']) : 'bundle'
  const figure: string = ITEM_FIGURES[known] ?? ''
  const value = item[figure]
  return {
    key: `copy-${at}`,
    kind: known,
    figure: value === undefined ? '' : String(value),
    name: text(item['name']),
    price: text(item['price']),
    stock: '',
    facts: without(item, [...OWN, ...OF_ITEM, figure]),
  }
}
