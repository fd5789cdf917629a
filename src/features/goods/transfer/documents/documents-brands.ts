import {
  amountOf,
  byPosition,
  byText,
  compareTexts,
  countOr,
  dropDefaults,
  pictureValue,
  place,
  productPictureValue,
  textOr,
  upkeep,
  type ExportContext,
} from './document-parts.ts'
import { FIGURE_PREFIX } from '#features/goods/picture/queries.ts'
import { derivedItemName } from '../folder/names.ts'
import type { StoredRows } from '../queries.ts'
import { faceText } from '../rows/rows-products.ts'
import type { Item } from '../schema/goods.ts'
import type { Row } from '../rows/tables.ts'

interface Parts {
  readonly categories: ReadonlyMap<unknown, readonly Row[]>
  readonly products: ReadonlyMap<unknown, readonly Row[]>
  readonly items: ReadonlyMap<unknown, readonly Row[]>
  readonly levels: ReadonlyMap<unknown, readonly Row[]>
}

/** brands/<kind>/<code>.json, one a brand, and operators/<country>.json. */
export function brandDocument(
  rows: Pick<StoredRows, 'brand' | 'brand_category' | 'product' | 'item' | 'item_level_price'>,
  context: ExportContext,
): ReadonlyMap<string, unknown> {
  const parts: Parts = {
    categories: Map.groupBy(rows.brand_category, (row) => row['brand']),
    products: Map.groupBy(rows.product, (row) => row['brand']),
    items: Map.groupBy(rows.item, (row) => row['product']),
    levels: Map.groupBy(rows.item_level_price, (row) => row['item']),
  }
  const documents = new Map<string, unknown>()
  const operators = new Map<string, Row[]>()
  for (const row of byText(rows.brand, 'code')) {
    const value = brandValue(row, parts, context)
    const recharge = row['recharge'] as Row | null
    if (row['kind'] !== 'recharge' || !recharge)
      documents.set(`brands/${String(row['kind'])}/${String(row['code'])}.json`, value)
    else {
      const file = `operators/${String(recharge['country']).toLowerCase()}.json`
      operators.set(file, [...(operators.get(file) ?? []), value])
    }
  }
  for (const [file, list] of operators) documents.set(file, { operators: list })
  return documents
}

function brandValue(row: Row, parts: Parts, context: ExportContext): Row {
  const categories = [...(parts.categories.get(row['code']) ?? [])].sort(
    (a, b) => Number(a['category_id']) - Number(b['category_id']),
  )
  const unit = context.known.units.get(String(row['unit'])) ?? null
  const redeem = dropDefaults({
    at: row['redeem_at'],
    steps: row['redeem_steps'],
    key_format: keyFormatValue(row['key_format'] as Row | null),
    validity: row['validity'],
  })
  return {
    ...dropDefaults({
      code: row['code'],
      kind: row['kind'],
      name: row['name'],
      publisher: textOr(row['publisher']),
      aliases: row['aliases'],
      game: row['game'],
      platforms: row['platforms'],
      categories: categories.map((entry) => context.categoryCodes.get(entry['category_id'])),
      delivery: row['delivery'],
      minutes: row['typical_minutes'],
      unit: row['unit'],
      fields: (row['fields'] as Row[]).map((field) => fieldValue(field, context)),
      check: row['account_check'] === 'wish' ? undefined : row['account_check'],
      redeem: Object.keys(redeem).length > 0 ? redeem : undefined,
      recharge: rechargeValue(row['recharge'] as Row | null),
      released: row['released_year'],
      popularity: countOr(row['popularity']),
      hot: row['is_hot'],
      picture: pictureValue(row['picture'], context),
      ...upkeep(row, context),
    }),
    products: byPosition(parts.products.get(row['code']) ?? [], 'code').map((product, index) =>
      productValue(product, row, index, unit, parts, context),
    ),
  }
}

const FIELD_KEYS = [
  'key',
  'kind',
  'label',
  'required',
  'help',
  'picture',
  'pattern',
  'min',
  'max',
  'placeholder',
  'options',
]

/** Limits of 0 and a field that is not required are said; what is null or an empty list is not. */
function fieldValue(field: Row, context: ExportContext): Row {
  const options = (field['options'] as Row[]).map((option) => ({
    value: option['value'],
    label: option['label'],
  }))
  const value: Row = {
    ...field,
    options: options.length > 0 ? options : null,
    picture: fieldPictureValue(field['picture'] as Row | undefined, context),
  }
  return Object.fromEntries(
    FIELD_KEYS.filter((key) => value[key] !== null).map((key) => [key, value[key]]),
  )
}

function fieldPictureValue(picture: Row | undefined, context: ExportContext): Row | null {
  if (!picture) return null
  const { code, alt } = picture
  if (String(code).startsWith(FIGURE_PREFIX))
    return { figure: String(code).slice(FIGURE_PREFIX.length), alt }
  const fileOf = (own: unknown) => context.pictures.get(String(own))?.['path']
  const languages = Object.entries(picture['languages'] as Row)
  return {
    file: fileOf(code),
    ...(languages.length === 0
      ? {}
      : {
          languages: Object.fromEntries(
            languages
              .toSorted(([a], [b]) => compareTexts(a, b))
              .map(([language, own]) => [language, fileOf(own)]),
          ),
        }),
    alt,
  }
}

function keyFormatValue(format: Row | null): Row | null {
  if (!format) return null
  const parts = (format['parts'] as Row[]).map((part) => ({
    name: part['name'],
    pattern: part['pattern'],
    example: part['example'],
  }))
  return { type: format['type'], text: format['text'], parts }
}

function rechargeValue(recharge: Row | null): Row | null {
  if (!recharge) return null
  const airtime = recharge['airtime'] as Row
  return {
    country: recharge['country'],
    calling_code: recharge['calling_code'],
    prefixes: recharge['prefixes'],
    prefixes_note: recharge['prefixes_note'] ?? undefined,
    airtime: dropDefaults({ kind: airtime['kind'], min: airtime['min'], max: airtime['max'] }),
    portability: recharge['portability'],
  }
}

function productValue(
  row: Row,
  brand: Row,
  index: number,
  unit: string | null,
  parts: Parts,
  context: ExportContext,
): Row {
  const items = byPosition(parts.items.get(row['code']) ?? [], 'code')
  const currency = String(
    items[0]?.['price_currency'] ?? row['face_currency'] ?? anyCurrency(context),
  )
  const face = String(row['face_currency'] ?? currency)
  const limits = [row['face_min_minor'], row['face_max_minor']].map((minor) =>
    amountOf(minor, face, face, context.known),
  )
  return {
    ...dropDefaults({
      code: row['code'],
      region: row['region'],
      region_name: row['region_name'],
      countries: row['countries'],
      lock: row['lock'] === 'none' ? undefined : row['lock'],
      lock_note: textOr(row['lock_note']),
      seo_title: row['seo_title'],
      seo_description: row['seo_description'],
      min_age: row['min_age'],
      minutes: row['typical_minutes'],
      currency,
      face_currency: row['face_currency'],
      free_amount: limits[0] === undefined ? undefined : { min: limits[0], max: limits[1] },
      picture: productPictureValue(row['picture'], brand['picture'], context),
      ...place(row, index),
      ...upkeep(row, context),
    }),
    items: items.map((item, at) => itemValue(item, face, currency, at, unit, parts, context)),
  }
}

/** Of prices where there are none. */
function anyCurrency({ known }: ExportContext): string {
  return known.currencies.has('USD') ? 'USD' : ([...known.currencies.keys()].sort()[0] ?? 'USD')
}

function itemValue(
  row: Row,
  face: string,
  currency: string,
  index: number,
  unit: string | null,
  parts: Parts,
  context: ExportContext,
): Row {
  const own = String(row['price_currency'])
  const { known } = context
  const levels = [...(parts.levels.get(row['code']) ?? [])].sort(
    (a, b) => Number(a['level']) - Number(b['level']),
  )
  const figures = {
    kind: row['kind'] as Item['kind'],
    units: countOr(row['units']),
    bonus: countOr(row['bonus']),
    days: countOr(row['days']),
    data_mb: countOr(row['data_mb']),
  }
  const derived = derivedItemName(
    figures,
    row['face_minor'] === null ? null : faceText(String(row['face_minor']), face, known),
    unit,
  )
  const value = dropDefaults({
    code: row['code'],
    ...figures,
    name: row['name'] === derived ? undefined : row['name'],
    face: amountOf(row['face_minor'], face, face, known),
    free_amount: freeAmountValue(row, face, known),
    price: amountOf(row['price_minor'], own, currency, known),
    prices: ownPricesValue(row['own_prices'], known),
    market: amountOf(row['market_minor'], own, own, known),
    cost: amountOf(row['cost_minor'], row['cost_currency'], own, known),
    levels:
      levels.length > 0
        ? Object.fromEntries(
            levels.map((level) => [
              level['level'],
              amountOf(level['price_minor'], level['price_currency'], own, known),
            ]),
          )
        : undefined,
    sold: countOr(row['sold']),
    buyer_countries: row['buyer_countries'],
    blocked_countries: row['blocked_countries'],
    stock: row['stock'],
    reference: row['source_reference'],
    ...place(row, index),
    ...upkeep(row, context),
  })
  return Object.fromEntries(
    ITEM_KEYS.filter((key) => value[key] !== undefined).map((key) => [key, value[key]]),
  )
}

function freeAmountValue(row: Row, face: string, known: ExportContext['known']): Row | undefined {
  if (row['face_min_minor'] === null) return undefined
  const amount = (minor: unknown) => amountOf(minor, face, face, known)
  return {
    min: amount(row['face_min_minor']),
    max: amount(row['face_max_minor']),
    step: amount(row['face_step_minor']),
  }
}

/** In the order of their currencies: the database keeps none. */
function ownPricesValue(prices: unknown, known: ExportContext['known']): Row | undefined {
  const entries = Object.entries((prices ?? {}) as Readonly<Record<string, string>>).toSorted(
    ([a], [b]) => (a < b ? -1 : 1),
  )
  if (entries.length === 0) return undefined
  return Object.fromEntries(
    entries.map(([currency, minor]) => [currency, amountOf(minor, currency, currency, known)]),
  )
}

const ITEM_KEYS = [
  'code',
  'kind',
  'name',
  'units',
  'bonus',
  'days',
  'data_mb',
  'face',
  'free_amount',
  'price',
  'prices',
  'market',
  'cost',
  'levels',
  'stock',
  'sold',
  'buyer_countries',
  'blocked_countries',
  'reference',
  'position',
  'status',
  'source',
]
