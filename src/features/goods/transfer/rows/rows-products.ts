import { FIGURE_PREFIX } from '#features/goods/picture/queries.ts'
import { toMajor } from '#kernel/money.ts'
import { trimDecimal } from '../folder/amounts.ts'
import type { CatalogueFolder } from '../folder/catalogue.ts'
import type { Known } from '../folder/known.ts'
import { derivedItemName } from '../folder/names.ts'
import { minorOf, pictureRow, upkeepOf, type RowContext } from './row-parts.ts'
import type { AccountField, Brand, Item, Product } from '../schema/goods.ts'
import type { FieldPicture, Picture, ProductPicture } from '../schema/picture.ts'
import type { Row } from './tables.ts'

export interface ProductRows {
  readonly brand: readonly Row[]
  readonly brand_category: readonly Row[]
  readonly product: readonly Row[]
  readonly item: readonly Row[]
  readonly item_level_price: readonly Row[]
}

export function productRows(
  folder: Pick<CatalogueFolder, 'brands'>,
  context: RowContext,
  pictures: Map<string, Row>,
): ProductRows {
  const rows = {
    brand: [] as Row[],
    brand_category: [] as Row[],
    product: [] as Row[],
    item: [] as Row[],
    item_level_price: [] as Row[],
  }
  for (const { brand } of folder.brands) {
    rows.brand.push(brandRow(brand, context, pictures))
    for (const code of brand.categories ?? [])
      rows.brand_category.push({
        brand: brand.code,
        category_id: context.categoryIds.get(code) ?? null,
      })
    const unit = brand.unit === undefined ? null : (context.known.units.get(brand.unit) ?? null)
    brand.products.forEach((product, index) => {
      rows.product.push(productRow(brand, product, index, context, pictures))
      product.items.forEach((item, at) => {
        rows.item.push(itemRow(product, item, at, unit, context))
        rows.item_level_price.push(...levelRows(product, item, context.known))
      })
    })
  }
  return rows
}

/** The wire contract's goods type follows from the kind and from how it is delivered. */
function typeOf(brand: Brand): number {
  if (brand.kind === 'recharge') return 3
  if (brand.kind === 'game_key') return 4
  return brand.delivery === 'direct_charge' ? 2 : 1
}

function brandRow(brand: Brand, context: RowContext, pictures: Map<string, Row>): Row {
  const redeem = brand.redeem ?? {}
  return {
    code: brand.code,
    kind: brand.kind,
    type: typeOf(brand),
    name: brand.name,
    publisher: brand.publisher ?? '',
    aliases: brand.aliases ?? [],
    game: brand.game ?? null,
    platforms: brand.platforms ?? [],
    picture: pictureRow(pictures, `brand/${brand.code}`, brand.picture),
    delivery: brand.delivery,
    typical_minutes: brand.minutes ?? null,
    unit: brand.unit ?? null,
    fields: (brand.fields ?? []).map((field, index) => fieldValue(field, brand, index, pictures)),
    account_check: brand.check ?? 'wish',
    redeem_at: redeem.at ?? null,
    redeem_steps: redeem.steps ?? [],
    key_format: redeem.key_format ?? null,
    validity: redeem.validity ?? null,
    recharge: rechargeValue(brand),
    released_year: brand.released ?? null,
    popularity: brand.popularity ?? 0,
    is_hot: brand.hot ?? false,
    ...upkeepOf(brand, context),
  }
}

/** Stored with every key but that of a picture, so that readers need not ask which are there. */
function fieldValue(
  field: AccountField,
  brand: Brand,
  index: number,
  pictures: Map<string, Row>,
): Row {
  const { picture } = field
  return {
    key: field.key,
    kind: field.kind,
    label: field.label,
    required: field.required,
    help: field.help ?? null,
    pattern: field.pattern ?? null,
    min: field.min ?? null,
    max: field.max ?? null,
    placeholder: field.placeholder ?? null,
    options: field.options ?? [],
    ...(picture
      ? { picture: fieldPictureValue(picture, `field/${brand.code}/${index + 1}`, pictures) }
      : {}),
  }
}

function fieldPictureValue(picture: FieldPicture, own: string, pictures: Map<string, Row>): Row {
  if ('figure' in picture)
    return { code: `${FIGURE_PREFIX}${picture.figure}`, alt: picture.alt, languages: {} }
  const { file, alt, languages = {} } = picture
  return {
    code: pictureRow(pictures, own, { file }),
    alt,
    languages: Object.fromEntries(
      Object.entries(languages).map(([language, path]) => [
        language,
        pictureRow(pictures, `${own}/${language}`, { file: path }),
      ]),
    ),
  }
}

function rechargeValue(brand: Brand): Row | null {
  const recharge = brand.recharge
  if (!recharge) return null
  return {
    country: recharge.country,
    calling_code: recharge.calling_code,
    prefixes: recharge.prefixes,
    prefixes_note: recharge.prefixes_note ?? null,
    airtime: {
      kind: recharge.airtime.kind,
      min: recharge.airtime.min ?? null,
      max: recharge.airtime.max ?? null,
    },
    portability: recharge.portability,
  }
}

function productRow(
  brand: Brand,
  product: Product,
  index: number,
  context: RowContext,
  pictures: Map<string, Row>,
): Row {
  const face = product.face_currency ?? product.currency
  const own = productPictureOf(brand.picture, product.picture)
  return {
    code: product.code,
    brand: brand.code,
    region: product.region,
    region_name: product.region_name ?? null,
    countries: product.countries ?? null,
    lock: product.lock ?? 'none',
    lock_note: product.lock_note ?? '',
    seo_title: product.seo_title ?? null,
    seo_description: product.seo_description ?? null,
    min_age: product.min_age ?? null,
    typical_minutes: product.minutes ?? null,
    face_currency: product.face_currency ?? null,
    face_min_minor: product.free_amount
      ? minorOf(product.free_amount.min, face, context.known).minor
      : null,
    face_max_minor: product.free_amount
      ? minorOf(product.free_amount.max, face, context.known).minor
      : null,
    picture: own
      ? pictureRow(pictures, `product/${product.code}`, own)
      : brand.picture
        ? `brand/${brand.code}`
        : null,
    position: product.position ?? index,
    ...upkeepOf(product, context),
  }
}

/** A product's cover is its brand's with what the product says otherwise; null: the brand's own. */
function productPictureOf(
  brand: Picture | undefined,
  product: ProductPicture | undefined,
): Picture | null {
  if (!product) return null
  if ('file' in product) return product
  const base = brand && 'cover' in brand ? brand.cover : null
  const cover = Object.entries({ ...base, ...product.cover }).filter(([, value]) => value !== null)
  return { cover: Object.fromEntries(cover) as Extract<Picture, { cover: unknown }>['cover'] }
}

function itemRow(
  product: Product,
  item: Item,
  index: number,
  unit: string | null,
  context: RowContext,
): Row {
  const { known } = context
  const price = minorOf(item.price, product.currency, known)
  const cost = item.cost === undefined ? null : minorOf(item.cost, price.currency, known)
  const face =
    item.face === undefined
      ? null
      : minorOf(item.face, product.face_currency ?? product.currency, known)
  return {
    code: item.code,
    product: product.code,
    kind: item.kind,
    name:
      item.name ??
      derivedItemName(item, face && faceText(face.minor, face.currency, known), unit) ??
      item.code,
    units: item.units === undefined ? null : String(item.units),
    bonus: item.bonus === undefined ? null : String(item.bonus),
    days: item.days ?? null,
    data_mb: item.data_mb ?? null,
    face_minor: face?.minor ?? null,
    ...freeAmountRow(product, item, known),
    price_minor: price.minor,
    price_currency: price.currency,
    market_minor:
      item.market === undefined ? null : minorOf(item.market, price.currency, known).minor,
    own_prices: Object.fromEntries(
      Object.entries(item.prices ?? {}).map(([currency, text]) => [
        currency,
        minorOf(text, currency, known).minor,
      ]),
    ),
    cost_minor: cost?.minor ?? null,
    cost_currency: cost?.currency ?? null,
    stock: item.stock ?? null,
    sold: String(item.sold ?? 0),
    buyer_countries: item.buyer_countries ?? null,
    blocked_countries: item.blocked_countries ?? [],
    position: item.position ?? index,
    source_reference: item.reference ?? null,
    ...upkeepOf(item, context),
  }
}

function freeAmountRow(product: Product, { free_amount: free }: Item, known: Known): Row {
  const minor = (text: string | undefined) =>
    text === undefined
      ? null
      : minorOf(text, product.face_currency ?? product.currency, known).minor
  return {
    face_min_minor: minor(free?.min),
    face_max_minor: minor(free?.max),
    face_step_minor: minor(free?.step),
  }
}

/** "10 USD": the English name of a denomination; pages format the amount in the shopper's language. */
export function faceText(
  minor: string,
  currency: string,
  known: Pick<Known, 'currencies'>,
): string {
  return `${trimDecimal(toMajor(BigInt(minor), known.currencies.get(currency) ?? 0), 'fraction')} ${currency}`
}

/** Rows carry the item's code; its identity is known once it is stored. */
function levelRows(product: Product, item: Item, known: Known): Row[] {
  const currency = minorOf(item.price, product.currency, known).currency
  return Object.entries(item.levels ?? {}).map(([level, text]) => {
    const price = minorOf(text, currency, known)
    return {
      item: item.code,
      level: Number(level),
      price_minor: price.minor,
      price_currency: price.currency,
    }
  })
}
