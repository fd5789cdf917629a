import { z } from 'zod'
import { designOf } from '#features/goods/picture/cover/cover.ts'
import { readStoredCover, type CoverColumns } from '#features/goods/picture/cover/stored.ts'
import { FIGURE_PREFIX } from '#features/goods/picture/queries.ts'
import { saidPicture } from '#features/goods/picture/schema.ts'
import type { GoodsKind } from '#features/goods/transfer/engine/goods-edit.ts'
import type { Permission } from '#features/team/operator/rules.ts'
import { toMajor } from '#kernel/money.ts'
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

const minor = z.string().regex(/^\d{1,18}$/)
const currency = z.string().regex(/^[A-Z]{3}$/)
export const moneyShape = z.strictObject({ minor, currency })
const texts = z.array(z.string().max(4_000)).max(300)
const whole = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

type MoneyValue = z.infer<typeof moneyShape>

const amountText = (
  { minor: value, currency: code }: MoneyValue,
  digits: ReadonlyMap<string, number>,
) => `${code} ${toMajor(BigInt(value), digits.get(code) ?? 0)}`

/** Nothing, an empty text and an empty list are the same to a folder. */
function plain(value: unknown): Json {
  if (value === undefined || value === null || value === '') return null
  if (Array.isArray(value) && value.length === 0) return null
  return value as Json
}

const PRODUCT: Permission = 'product.change'
const PRICE: Permission = 'price.change'

function column(
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

const text = (name: string, lock = name) => column('text', name, z.string().max(4_000), { lock })
const code = (name: string) => column('code', name, z.string().max(160))
const list = (kind: 'texts' | 'countries' | 'codes', name: string) => column(kind, name, texts)
const choice = (name: string, choices: readonly string[], lock = name): GoodsField => ({
  ...column('choice', name, z.enum(choices as [string, ...string[]]), { lock }),
  choices,
})

/** Wide integers come from the database as text. */
function integer(name: string, lock = name, isZeroNothing = false): GoodsField {
  const read = (row: Row): Json => {
    const value = row[name]
    return value === null || value === undefined || (isZeroNothing && Number(value) === 0)
      ? null
      : Number(value)
  }
  return { ...column('integer', name, whole, { lock }), read }
}

function money(
  name: string,
  currencyOf: (row: Row, around: Around) => unknown,
  rest: { columns?: readonly string[]; needs?: Permission; lock: string },
): GoodsField {
  return {
    kind: 'money',
    needs: rest.needs ?? PRICE,
    columns: rest.columns ?? [name],
    lock: rest.lock,
    shape: moneyShape,
    read: (row, around) =>
      row[name] === null || row[name] === undefined
        ? null
        : { minor: String(row[name]), currency: String(currencyOf(row, around)) },
    said: (value, digits) => (value === null ? undefined : amountText(value as MoneyValue, digits)),
  }
}

/** From and to of an amount that shoppers choose, and where it says them the steps between. */
function range(columns: readonly string[], isStepped: boolean): GoodsField {
  const keys = isStepped ? (['min', 'max', 'step'] as const) : (['min', 'max'] as const)
  return {
    kind: 'range',
    needs: PRODUCT,
    columns,
    lock: 'free_amount',
    shape: z.strictObject({
      currency,
      min: minor,
      max: minor,
      ...(isStepped ? { step: minor } : {}),
    }),
    read: (row, { face }) =>
      row[columns[0] ?? ''] === null || row[columns[0] ?? ''] === undefined
        ? null
        : {
            currency: face ?? '',
            ...Object.fromEntries(keys.map((key, at) => [key, String(row[columns[at] ?? ''])])),
          },
    said: (value, digits) => {
      if (value === null) return undefined
      const given = value as Readonly<Record<string, string>>
      return Object.fromEntries(
        keys.map((key) => [
          key,
          amountText({ minor: given[key] ?? '', currency: given['currency'] ?? '' }, digits),
        ]),
      )
    },
  }
}

const OWN_PRICES: GoodsField = {
  kind: 'amounts',
  needs: PRICE,
  columns: ['own_prices'],
  lock: 'own_prices',
  shape: z.record(currency, minor),
  read: (row) => {
    const own = (row['own_prices'] ?? {}) as Readonly<Record<string, string>>
    const entries = Object.entries(own).toSorted(([a], [b]) => (a < b ? -1 : 1))
    return entries.length === 0 ? null : Object.fromEntries(entries)
  },
  said: (value, digits) =>
    value === null
      ? undefined
      : Object.fromEntries(
          Object.entries(value as Readonly<Record<string, string>>).map(([own, amount]) => [
            own,
            amountText({ minor: amount, currency: own }, digits),
          ]),
        ),
}

const LEVELS: GoodsField = {
  kind: 'levels',
  needs: PRICE,
  columns: [],
  lock: 'levels',
  shape: z.record(z.string().regex(/^[1-9]\d{0,2}$/), moneyShape),
  read: (_row, { levels }) =>
    levels.length === 0
      ? null
      : Object.fromEntries(
          levels.map((level) => [
            String(level['level']),
            { minor: String(level['price_minor']), currency: String(level['price_currency']) },
          ]),
        ),
  said: (value, digits) =>
    value === null
      ? undefined
      : Object.fromEntries(
          Object.entries(value as Readonly<Record<string, MoneyValue>>).map(([level, amount]) => [
            level,
            amountText(amount, digits),
          ]),
        ),
}

const CATEGORIES: GoodsField = {
  kind: 'codes',
  needs: PRODUCT,
  columns: [],
  lock: 'categories',
  shape: texts,
  read: (_row, { categories }) => (categories.length === 0 ? null : [...categories].toSorted()),
  said: (value) => plain(value) ?? undefined,
}

/** What is kept as JSON and said in the same shape. */
const parts = (name: string, lock = name) =>
  column('parts', name, z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]), {
    lock,
  })

const REDEEM: GoodsField = {
  kind: 'parts',
  needs: PRODUCT,
  columns: ['redeem_at', 'redeem_steps', 'key_format', 'validity'],
  lock: 'redeem',
  shape: z.record(z.string(), z.unknown()),
  read: (row) => {
    const all = {
      at: plain(row['redeem_at']),
      steps: plain(row['redeem_steps']),
      key_format: plain(row['key_format']),
      validity: plain(row['validity']),
    }
    const said = Object.entries(all).filter(([, value]) => value !== null)
    return said.length === 0 ? null : Object.fromEntries(said)
  },
  said: (value) => value ?? undefined,
}

/** A picture beside an account field as a folder says it; that of a file is what it is. */
function figureOf(picture: Row | undefined): Row | null {
  if (!picture) return null
  const code = String(picture['code'])
  return code.startsWith(FIGURE_PREFIX)
    ? { figure: code.slice(FIGURE_PREFIX.length), alt: picture['alt'] }
    : picture
}

/** Every key is kept; a folder says those that say something. */
const ACCOUNT_FIELDS: GoodsField = {
  ...parts('fields'),
  read: (row) => {
    const fields = (row['fields'] ?? []) as readonly Row[]
    if (fields.length === 0) return null
    return fields.map((field) =>
      Object.fromEntries(
        Object.entries({ ...field, picture: figureOf(field['picture'] as Row | undefined) }).filter(
          ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
        ),
      ),
    ) as Json
  },
}

/** A cover says all of itself, and leaves to nobody what it does not say: what a brand's has, a product's own then does not. */
const ofBrand = { color: null, tag: null, short: null, design: null }

/** A picture of their own, whole: a file with what is shown of it, or the recipe of a cover. */
const picture = (of: 'brand' | 'product'): GoodsField => ({
  ...column('picture', 'picture', saidPicture),
  read: (_row, { picture: own }) => (own ? pictureOf(own) : null),
  said: (value) => {
    const said = value as z.infer<typeof saidPicture> | null
    if (said === null) return undefined
    if (!('cover' in said)) return said
    // What its design leaves out is chosen once.
    const cover = { ...said.cover, design: { ...designOf(said.cover) } }
    return { cover: of === 'product' ? { ...ofBrand, ...cover } : cover }
  },
})

function pictureOf(row: Row): Json {
  const said =
    row['kind'] === 'cover'
      ? { cover: readStoredCover(row as unknown as CoverColumns) }
      : { file: row['path'], ...(row['crop'] ? { crop: row['crop'] } : {}) }
  // As the wire and a change have it: what is not said is not there.
  return JSON.parse(JSON.stringify(said)) as Json
}

const RECHARGE: GoodsField = {
  ...parts('recharge'),
  read: (row) => {
    const recharge = row['recharge'] as Row | null
    if (!recharge) return null
    const airtime = Object.entries((recharge['airtime'] ?? {}) as Row)
    const said = Object.entries(recharge).filter(([, value]) => value !== null)
    return {
      ...Object.fromEntries(said),
      airtime: Object.fromEntries(airtime.filter(([, value]) => value !== null)),
    } as Json
  },
}

const STATUS = choice('status', ['active', 'suspended'])

/**
 * THE table of what operators edit of goods. Names are the keys of the catalogue's format (docs/catalogue-format.md); kinds of goods, codes and what
 * stands above what are no fields: those make other goods.
 */
export const GOODS_FIELDS: Readonly<Record<GoodsKind, Readonly<Record<string, GoodsField>>>> = {
  brand: {
    name: text('name'),
    picture: picture('brand'),
    publisher: text('publisher'),
    aliases: list('texts', 'aliases'),
    game: code('game'),
    platforms: list('codes', 'platforms'),
    categories: CATEGORIES,
    minutes: integer('typical_minutes', 'minutes'),
    unit: code('unit'),
    fields: ACCOUNT_FIELDS,
    check: choice('account_check', ['none', 'wish', 'must'], 'check'),
    redeem: REDEEM,
    recharge: RECHARGE,
    released: integer('released_year'),
    popularity: integer('popularity', 'popularity', true),
    hot: { ...column('flag', 'is_hot', z.boolean(), { lock: 'hot' }), said: (value) => value },
    status: STATUS,
  },
  product: {
    region: code('region'),
    region_name: text('region_name'),
    picture: picture('product'),
    countries: list('countries', 'countries'),
    lock: choice('lock', ['country', 'currency', 'zone', 'none']),
    lock_note: text('lock_note'),
    seo_title: text('seo_title'),
    seo_description: text('seo_description'),
    min_age: integer('min_age'),
    minutes: integer('typical_minutes', 'minutes'),
    face_currency: code('face_currency'),
    free_amount: range(['face_min_minor', 'face_max_minor'], false),
    position: integer('position'),
    status: STATUS,
  },
  item: {
    name: text('name'),
    units: integer('units'),
    bonus: integer('bonus'),
    days: integer('days'),
    data_mb: integer('data_mb'),
    face: money('face_minor', (_row, { face }) => face, { needs: PRODUCT, lock: 'face' }),
    free_amount: range(['face_min_minor', 'face_max_minor', 'face_step_minor'], true),
    price: money('price_minor', (row) => row['price_currency'], {
      columns: ['price_minor', 'price_currency'],
      lock: 'price',
    }),
    prices: OWN_PRICES,
    // It stands beside the price and is never below it: who locks one locks both.
    market: money('market_minor', (row) => row['price_currency'], { lock: 'price' }),
    cost: money('cost_minor', (row) => row['cost_currency'], {
      columns: ['cost_minor', 'cost_currency'],
      lock: 'cost',
    }),
    levels: LEVELS,
    stock: integer('stock'),
    buyer_countries: list('countries', 'buyer_countries'),
    blocked_countries: list('countries', 'blocked_countries'),
    reference: text('source_reference', 'reference'),
    position: integer('position'),
    status: STATUS,
  },
}

/** The field of that name, or one that is locked by it. */
export function lockOf(subject: GoodsKind, name: string): GoodsField | null {
  const fields = Object.values(GOODS_FIELDS[subject])
  return fieldOf(subject, name) ?? fields.find(({ lock }) => lock === name) ?? null
}

export function fieldOf(subject: GoodsKind, name: string): GoodsField | null {
  const fields = GOODS_FIELDS[subject]
  return Object.hasOwn(fields, name) ? (fields[name] ?? null) : null
}
