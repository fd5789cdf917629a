import { toMajor } from '#kernel/money.ts'
import { minorOf } from '../kit/amount.ts'

/** Kinds of brands that are made here; mobile operators come with a folder, as each has rules of its own. */
export const BRAND_KINDS = [
  'gift_card',
  'game_card',
  'prepaid_card',
  'top_up',
  'subscription',
  'game_key',
] as const

/** What an item of a kind is counted by, beside its name. */
export const ITEM_FIGURES = {
  value: 'face',
  pack: 'units',
  pass: 'days',
  membership: 'days',
  plan: 'days',
  bundle: null,
  edition: null,
} as const
export type ItemKind = keyof typeof ITEM_FIGURES
export const ITEM_KINDS = Object.keys(ITEM_FIGURES) as readonly ItemKind[]

export const usualItemKind = (kind: string): ItemKind =>
  kind === 'top_up'
    ? 'pack'
    : kind === 'subscription'
      ? 'plan'
      : kind === 'game_key'
        ? 'edition'
        : 'value'

/** Facts that are carried along as they are: of what is copied. */
export type Facts = Readonly<Record<string, unknown>>

export interface ItemDraft {
  readonly key: string
  readonly kind: ItemKind
  readonly figure: string
  readonly name: string
  readonly price: string
  readonly stock: string
  readonly facts: Facts
}

export interface Draft {
  /** What of it is new. */
  readonly makes: 'brand' | 'product' | 'items'
  readonly name: string
  readonly brand: string
  /** The address is made of the name until somebody types another. */
  readonly isBrandTyped: boolean
  readonly kind: string
  readonly delivery: string
  readonly unit: string
  readonly categories: readonly string[]
  readonly region: string
  readonly product: string
  readonly currency: string
  readonly faceCurrency: string
  readonly items: readonly ItemDraft[]
  readonly brandFacts: Facts
  readonly productFacts: Facts
}

let serial = 0
export const newItem = (kind: ItemKind): ItemDraft => ({
  key: `item-${(serial += 1)}`,
  kind,
  figure: '',
  name: '',
  price: '',
  stock: '',
  facts: {},
})

/** Letters of the alphabet that an address may have, digits and hyphens; of other scripts nothing is guessed. */
export const addressOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)

export const productCodeOf = (draft: Draft): string =>
  draft.makes === 'items' ? draft.product : `${draft.brand}-${draft.region}`

const FAMILIES: Readonly<Record<string, string>> = { top_up: 'game', game_key: 'key' }

/** What an item is called by programs: made of where it stands and what it is. */
export function itemCodeOf(draft: Draft, item: ItemDraft): string {
  const figure = item.figure.trim().replace(',', '.')
  const last = ITEM_FIGURES[item.kind] === 'days' && figure !== '' ? `${figure}d` : figure
  const end = last === '' || !/^[0-9.]+d?$/.test(last) ? addressOf(item.name) : last
  const place = draft.makes === 'items' ? (draft.product.split('-').at(-1) ?? '') : draft.region
  const kind = item.kind === 'value' || item.kind === 'pack' ? '' : `${item.kind}-`
  return `${FAMILIES[draft.kind] ?? 'card'}:${draft.brand}:${place}:${kind}${end}`
}

/** An amount as a folder says it; what is none goes as it was typed, and is refused at its field. */
function amount(typed: string, digits: number): string {
  const minor = minorOf(typed, digits)
  return minor === null ? typed.trim() : toMajor(BigInt(minor), digits)
}

const whole = (typed: string): number | string =>
  /^\d{1,15}$/.test(typed.trim()) ? Number(typed.trim()) : typed.trim()

const said = (values: Facts): Facts =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== '' && value !== undefined),
  )

function itemOf(draft: Draft, item: ItemDraft, digits: ReadonlyMap<string, number>): Facts {
  const figure = ITEM_FIGURES[item.kind]
  const places = (code: string) => digits.get(code) ?? 2
  return said({
    ...item.facts,
    code: itemCodeOf(draft, item),
    kind: item.kind,
    name: item.name.trim(),
    ...(figure === null || item.figure.trim() === ''
      ? {}
      : {
          [figure]:
            figure === 'face'
              ? amount(item.figure, places(draft.faceCurrency || draft.currency))
              : whole(item.figure),
        }),
    price: item.price.trim() === '' ? undefined : amount(item.price, places(draft.currency)),
    stock: item.stock.trim() === '' ? undefined : whole(item.stock),
  })
}

/** A draft as the catalogue’s format says it: what is sent is checked by the rules of an import. */
export function documentOf(draft: Draft, digits: ReadonlyMap<string, number>): Facts {
  const items = draft.items.map((item) => itemOf(draft, item, digits))
  const product =
    draft.makes === 'items'
      ? { code: draft.product, items }
      : {
          ...draft.productFacts,
          ...said({
            code: productCodeOf(draft),
            region: draft.region,
            currency: draft.currency,
            face_currency: draft.faceCurrency || draft.currency,
          }),
          items,
        }
  if (draft.makes !== 'brand') return { code: draft.brand, products: [product] }
  return {
    ...draft.brandFacts,
    code: draft.brand,
    kind: draft.kind,
    name: draft.name.trim(),
    delivery: draft.delivery,
    ...(draft.unit === '' ? {} : { unit: draft.unit }),
    ...(draft.categories.length === 0 ? {} : { categories: draft.categories }),
    products: [product],
  }
}
