/** A row in the form the database driver reads it: big integers and decimals as text, instants as Date, JSON parsed. */
export type Row = Readonly<Record<string, unknown>>

export interface TableSpec {
  readonly name: TableName
  readonly key: readonly string[]
  /** The other columns a folder maintains. */
  readonly columns: readonly string[]
  /** Has `source` and `status`: what its folder no longer names is suspended. */
  readonly isMaintained: boolean
  /** Written when the row is made and left alone afterwards. */
  readonly initial?: readonly string[]
  /** Has `locked_fields`; a lock on the name at the left holds the columns at the right. A column's own name works as well. */
  readonly locks?: Readonly<Record<string, readonly string[]>>
}

export type TableName =
  | 'currency'
  | 'currency_rate'
  | 'country'
  | 'region'
  | 'platform'
  | 'picture'
  | 'category'
  | 'unit'
  | 'game'
  | 'brand'
  | 'brand_category'
  | 'product'
  | 'item'
  | 'item_level_price'
  | 'code_redirect'
  | 'article_category'
  | 'article'
  | 'review'
  | 'translation'

const UPKEEP = ['status', 'source'] as const

/** In the order in which rows are written: what is referred to comes first. */
export const TABLES: readonly TableSpec[] = [
  {
    name: 'currency',
    key: ['code'],
    isMaintained: false,
    columns: [
      'numeric_code',
      'name',
      'symbol',
      'minor_units',
      'rounding_increment',
      'rounding_mode',
      'margin_basis_points',
      'is_checkout',
      'position',
    ],
    locks: {},
  },
  {
    name: 'currency_rate',
    key: ['currency', 'observed_at'],
    isMaintained: false,
    columns: ['per_usd'],
    initial: ['source'],
  },
  {
    name: 'country',
    key: ['code'],
    isMaintained: false,
    columns: [
      'alpha3',
      'numeric_code',
      'name',
      'continent',
      'dial_code',
      'currency',
      'store_currency',
      'language',
      'is_on_sale',
      'phone',
      'position',
    ],
  },
  { name: 'region', key: ['code'], isMaintained: false, columns: ['name', 'position'] },
  { name: 'platform', key: ['code'], isMaintained: false, columns: ['name', 'position'] },
  {
    name: 'picture',
    key: ['code'],
    isMaintained: false,
    columns: ['kind', 'recipe', 'design', 'short', 'path', 'crop'],
  },
  {
    name: 'category',
    key: ['id'],
    isMaintained: true,
    columns: ['code', 'parent_id', 'name', 'icon', 'path', 'picture', 'position', ...UPKEEP],
  },
  { name: 'unit', key: ['key'], isMaintained: false, columns: ['name', 'is_proper'] },
  {
    name: 'game',
    key: ['code'],
    isMaintained: true,
    columns: [
      'name',
      'publisher',
      'aliases',
      'platforms',
      'category_id',
      'released_year',
      'picture',
      'popularity',
      'is_hot',
      ...UPKEEP,
    ],
  },
  {
    name: 'brand',
    key: ['code'],
    isMaintained: true,
    columns: [
      'kind',
      'type',
      'name',
      'publisher',
      'aliases',
      'game',
      'platforms',
      'picture',
      'delivery',
      'typical_minutes',
      'unit',
      'fields',
      'account_check',
      'redeem_at',
      'redeem_steps',
      'key_format',
      'validity',
      'recharge',
      'released_year',
      'popularity',
      'is_hot',
      ...UPKEEP,
    ],
    locks: {
      redeem: ['redeem_at', 'redeem_steps', 'key_format', 'validity'],
      minutes: ['typical_minutes'],
      check: ['account_check'],
      hot: ['is_hot'],
    },
  },
  {
    name: 'product',
    key: ['code'],
    isMaintained: true,
    columns: [
      'brand',
      'region',
      'region_name',
      'countries',
      'lock',
      'lock_note',
      'seo_title',
      'seo_description',
      'min_age',
      'typical_minutes',
      'face_currency',
      'face_min_minor',
      'face_max_minor',
      'picture',
      'position',
      ...UPKEEP,
    ],
    locks: {
      free_amount: ['face_min_minor', 'face_max_minor'],
      minutes: ['typical_minutes'],
    },
  },
  {
    name: 'item',
    key: ['code'],
    isMaintained: true,
    columns: [
      'product',
      'kind',
      'name',
      'units',
      'bonus',
      'days',
      'data_mb',
      'face_minor',
      'face_min_minor',
      'face_max_minor',
      'face_step_minor',
      'price_minor',
      'price_currency',
      'market_minor',
      'own_prices',
      'cost_minor',
      'cost_currency',
      'stock',
      'buyer_countries',
      'blocked_countries',
      'position',
      'source_reference',
      ...UPKEEP,
    ],
    initial: ['sold'],
    locks: {
      price: ['price_minor', 'price_currency', 'market_minor', 'own_prices'],
      market: ['market_minor'],
      cost: ['cost_minor', 'cost_currency'],
      face: ['face_minor'],
      free_amount: ['face_min_minor', 'face_max_minor', 'face_step_minor'],
      reference: ['source_reference'],
    },
  },
  { name: 'code_redirect', key: ['kind', 'old_code'], isMaintained: false, columns: ['new_code'] },
  {
    name: 'article_category',
    key: ['kind', 'code'],
    isMaintained: false,
    columns: ['name', 'position'],
  },
  {
    name: 'article',
    key: ['kind', 'code'],
    isMaintained: true,
    columns: [
      'category',
      'title',
      'summary',
      'sections',
      'related',
      'picture',
      'published_at',
      'position',
      ...UPKEEP,
    ],
  },
  {
    name: 'review',
    key: ['id'],
    isMaintained: true,
    columns: [
      'brand',
      'language',
      'country',
      'rating',
      'text',
      'nickname',
      'helpful',
      'published_at',
      ...UPKEEP,
    ],
  },
]

/** Rows that belong to one owner and are compared as a whole. */
export interface SetSpec {
  readonly name: TableName
  readonly owner: string
  /** Whose change the audit trail tells, and under which field. */
  readonly subject: TableName
  readonly field: string
  readonly columns: readonly string[]
}
export const CATEGORIES_OF_BRAND: SetSpec = {
  name: 'brand_category',
  owner: 'brand',
  subject: 'brand',
  field: 'categories',
  columns: ['category_id'],
}
export const LEVELS_OF_ITEM: SetSpec = {
  name: 'item_level_price',
  owner: 'item',
  subject: 'item',
  field: 'levels',
  columns: ['level', 'price_minor', 'price_currency'],
}

export function keyOf(spec: Pick<TableSpec, 'key'>, row: Row): string {
  return spec.key.map((column) => textOf(row[column])).join(' ')
}

/** One text a value, equal exactly when the values are: key order inside JSON does not count. */
export function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'string') return value
  return stable(value)
}

function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join()}]`
  if (value instanceof Date) return JSON.stringify(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  return `{${Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, entry]) => `${JSON.stringify(key)}:${stable(entry)}`)
    .join()}}`
}

export function isSame(one: unknown, other: unknown): boolean {
  return one === other || stable(one ?? null) === stable(other ?? null)
}
