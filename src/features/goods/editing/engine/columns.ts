import { z } from 'zod'
import type { Permission } from '#features/team/operator/rules.ts'
import type { Json } from '../rules.ts'

type Row = Readonly<Record<string, unknown>>

/** What stands around a row that its values are told by. */
export interface Around {
  /** Currency of the face of what is sold: its product's. */
  readonly face: string | null
  readonly categories: readonly string[]
  readonly levels: readonly Row[]
  /** Its own picture; undefined where it has none, or nobody has looked. */
  readonly picture: Row | undefined
}

/** What sort of value a field has, as forms and tables show it. */
export type FieldKind =
  | 'text'
  | 'money'
  | 'integer'
  | 'choice'
  | 'flag'
  | 'code'
  | 'texts'
  | 'countries'
  | 'codes'
  | 'amounts'
  | 'levels'
  | 'range'
  | 'parts'
  | 'picture'

/** One field of goods that operators edit. */
export interface GoodsField {
  readonly kind: FieldKind
  readonly needs: Permission
  /** Columns of its table; none where it is a set of rows of its own. */
  readonly columns: readonly string[]
  /** Its name in `locked_fields`, by which imports and syncs leave it alone. */
  readonly lock: string
  /** What may be chosen of a choice. */
  readonly choices?: readonly string[]
  /** The shape of its value where it is not nothing; the rules are the import's. */
  readonly shape: z.ZodType
  /** Its value as it stands; null for nothing. */
  readonly read: (row: Row, around: Around) => Json
  /** The same as a folder says it; undefined where it says nothing. @param digits of each currency's minor unit */
  readonly said: (value: Json, digits: ReadonlyMap<string, number>) => unknown
}

const texts = z.array(z.string().max(4_000)).max(300)
const whole = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

/** Nothing, an empty text and an empty list are the same to a folder. */
export function plain(value: unknown): Json {
  if (value === undefined || value === null || value === '') return null
  if (Array.isArray(value) && value.length === 0) return null
  return value as Json
}

export const PRODUCT: Permission = 'product.change'

export function column(
  kind: FieldKind,
  name: string,
  shape: z.ZodType,
  { needs = PRODUCT, lock = name }: { needs?: Permission; lock?: string } = {},
): GoodsField {
  return {
    kind,
    needs,
    columns: [name],
    lock,
    shape,
    read: (row) => plain(row[name]),
    said: (value) => plain(value) ?? undefined,
  }
}

export const text = (name: string, lock = name) =>
  column('text', name, z.string().max(4_000), { lock })
export const code = (name: string) => column('code', name, z.string().max(160))
export const list = (kind: 'texts' | 'countries' | 'codes', name: string) =>
  column(kind, name, texts)
export const choice = (name: string, choices: readonly string[], lock = name): GoodsField => ({
  ...column('choice', name, z.enum(choices as [string, ...string[]]), { lock }),
  choices,
})

/** Wide integers come from the database as text. */
export function integer(name: string, lock = name, isZeroNothing = false): GoodsField {
  const read = (row: Row): Json => {
    const value = row[name]
    return value === null || value === undefined || (isZeroNothing && Number(value) === 0)
      ? null
      : Number(value)
  }
  return { ...column('integer', name, whole, { lock }), read }
}
