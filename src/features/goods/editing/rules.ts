import type { FieldReason } from '#kernel/error.ts'

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

export const CHANGE_KINDS = ['inline', 'bulk', 'editor', 'undo', 'import'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** Goods whose fields are edited. */
export const EDITED = ['brand', 'product', 'item'] as const
export type Edited = (typeof EDITED)[number]
/** What goods are put in order by, and is edited alike. */
export const LISTED = ['category', 'game', 'region', 'platform'] as const
export type Listed = (typeof LISTED)[number]
export const SUBJECTS = [...EDITED, ...LISTED] as const
export type Subject = Edited | Listed

export const isListed = (subject: string): subject is Listed =>
  (LISTED as readonly string[]).includes(subject)

/** Lists of the catalogue that the console has a page of; mobile operators are brands of their own kind. */
export const ENTRY_LISTS = [
  'categories',
  'games',
  'brands',
  'regions',
  'platforms',
  'operators',
] as const
export type EntryList = (typeof ENTRY_LISTS)[number]

/** What the fields of a list's entries are of. */
export const SUBJECT_OF = {
  categories: 'category',
  games: 'game',
  brands: 'brand',
  regions: 'region',
  platforms: 'platform',
  operators: 'brand',
} as const satisfies Readonly<Record<EntryList, Listed | 'brand'>>

/** Whether one of a list is there at all: with it one is made, and taken away. */
export const THERE = 'there'

/** One field of one brand, product or item, or of what they are put in order by. */
export interface Place {
  readonly subject: Subject
  readonly code: string
  readonly field: string
}

/** What somebody wants a field to say. */
export interface Edit extends Place {
  /** What it said when they looked; where it says something else by now, nothing is overwritten. Undefined: whatever it says. */
  readonly from?: Json
  readonly to: Json
}

/** A field that changes, as a change keeps it. */
export interface ChangedField extends Place {
  readonly before: Json
  readonly after: Json
  /** Imports and syncs leave it alone from then on, and did not until then. */
  readonly hasLocked: boolean
}

export interface EditFault extends Place {
  readonly reason: FieldReason
  /** In plain English, where an import has a sentence for it. */
  readonly why: string | null
}

/** A field that somebody else has changed since. */
export interface Conflict extends Place {
  readonly from: Json
  readonly present: Json
  readonly to: Json
}

/** A code that became another: in the history alone, since going back is a rename of its own. */
export const RENAMED_FIELD = 'code'

/** Between a text of goods and the language that says it as well: `redeem.steps.0:de`. */
export const TEXT_MARK = ':'

/** Fields of one change, and rows that one rule may reach. */
export const EDITS_MAX = 20_000
/** As many goods as have each its own line in the audit trail; of more there is one line, and the change tells the rest. */
export const AUDITED_EACH = 50

export const placeText = ({ subject, code, field }: Place): string => `${subject} ${code} ${field}`

/** One text a value, equal exactly when the values are: the order of keys does not count. */
export function valueText(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(valueText).join()}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value as Readonly<Record<string, Json>>)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, entry]) => `${JSON.stringify(key)}:${valueText(entry)}`)
    .join()}}`
}

export const isSameValue = (one: Json, other: Json): boolean => valueText(one) === valueText(other)

/** What is done to every item of a list: one field said anew, or a price made of what is there. */
export type BulkRule =
  | { readonly by: 'set'; readonly field: string; readonly to: Json }
  /** Hundredths of a percent of the price there is; less than nothing takes off. */
  | { readonly by: 'percent'; readonly basisPoints: number }
  /** The cost with so much on it, in the price's currency, rounded as its prices are. */
  | { readonly by: 'over_cost'; readonly basisPoints: number }

/** A price of an item that moves: what a limit of prices looks at. */
export interface PriceMove {
  /** Its id. */
  readonly item: string
  /** `*` for the price that all others are made of; else its currency, and `@level` behind it where it is a customer level's. */
  readonly price: string
  /** Minor units of one currency. */
  readonly before: bigint
  readonly after: bigint
}

/** How prices move, in hundredths of a percent of what they were. */
export interface PriceMoves {
  readonly count: number
  readonly up: number
  readonly down: number
  readonly least: number
  readonly median: number
  readonly most: number
}

/** Some of a kind, and by whom. */
export interface GoodsCount {
  readonly count: number
  /** The first of them. */
  readonly codes: readonly string[]
}

/** What would happen, told before it does. */
export interface GoodsEffect {
  /** Of all that is told here: what is made is what was seen. */
  readonly hash: string
  /** Brands, products and items that change. */
  readonly goods: number
  /** Fields that change, by name. */
  readonly fields: Readonly<Record<string, number>>
  readonly prices: PriceMoves | null
  readonly belowCost: GoodsCount
  /** What would not be sold: a price that was set stays, and too little of it remains over the cost. */
  readonly belowFloor: GoodsCount
  /** Their price is made of their cost by a margin rule: the one that is set is not asked for. */
  readonly byRule: GoodsCount
  readonly faults: readonly EditFault[]
  readonly conflicts: readonly Conflict[]
  /** The first of what changes. */
  readonly samples: readonly ChangedField[]
}

const TOLD_CODES = 20

export const countOf = (codes: readonly string[]): GoodsCount => ({
  count: codes.length,
  codes: codes.slice(0, TOLD_CODES),
})

/** @param shares in hundredths of a percent */
export function movesOf(shares: readonly number[]): PriceMoves | null {
  const sorted = shares.toSorted((a, b) => a - b)
  const [least, most] = [sorted[0], sorted.at(-1)]
  if (least === undefined || most === undefined) return null
  return {
    count: sorted.length,
    up: sorted.filter((share) => share > 0).length,
    down: sorted.filter((share) => share < 0).length,
    least,
    median: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0,
    most,
  }
}
