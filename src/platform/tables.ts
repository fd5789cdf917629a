/* Generated from the migrations by scripts/db-types.ts: do not edit. */
import type { ColumnType } from 'kysely'

/** Sent as text or bigint, read as text: no precision is lost. */
export type Int8 = ColumnType<string, string | bigint | number, string | bigint | number>
export type Numeric = ColumnType<string, string | bigint, string | bigint>
export type Timestamp = ColumnType<Date, Date, Date>
/** A calendar day, written as '2026-11-20'. */
export type Day = ColumnType<Date, string, string>
/** Has a default: may be left out when inserted. */
export type Generated<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>
/** Parsed when read; written as JSON text. */
export type Json = ColumnType<unknown, string, string>

export interface ArticleTable {
  kind: string
  code: string
  category: string | null
  title: string
  summary: Generated<string>
  sections: Json
  related: Generated<string[]>
  picture: string | null
  published_at: Timestamp
  position: number
  status: Generated<string>
  source: string
}

export interface ArticleCategoryTable {
  kind: string
  code: string
  name: string
  position: number
}

export interface AuditLogTable {
  id: string
  at: Timestamp
  actor: string
  request_id: string
  action: string
  subject: string
  subject_code: string
  before: Json | null
  after: Json | null
}

export interface BrandTable {
  code: string
  kind: string
  type: number
  name: string
  publisher: Generated<string>
  aliases: Generated<string[]>
  game: string | null
  platforms: Generated<string[]>
  picture: string | null
  delivery: string
  typical_minutes: number | null
  unit: string | null
  fields: Generated<Json>
  redeem_at: string | null
  redeem_steps: Generated<string[]>
  key_format: Json | null
  validity: string | null
  recharge: Json | null
  released_year: number | null
  popularity: Generated<number>
  is_hot: Generated<boolean>
  status: Generated<string>
  source: string
  locked_fields: Generated<string[]>
}

export interface BrandCategoryTable {
  brand: string
  category_id: number
}

export interface CategoryTable {
  id: number
  code: string
  parent_id: number | null
  name: string
  icon: Generated<string>
  path: string
  picture: string | null
  position: number
  status: Generated<string>
  source: string
}

export interface CodeRedirectTable {
  kind: string
  old_code: string
  new_code: string
}

export interface CountryTable {
  code: string
  alpha3: string
  numeric_code: string
  name: string
  continent: string
  dial_code: string | null
  currency: string
  store_currency: string
  language: string
  is_on_sale: boolean
  phone: Json | null
  position: number
}

export interface CurrencyTable {
  code: string
  numeric_code: string
  name: string
  symbol: string
  minor_units: number
  rounding_increment: Generated<Numeric>
  rounding_mode: Generated<string>
  margin_basis_points: Generated<number>
  is_checkout: Generated<boolean>
  position: number
}

export interface CurrencyRateTable {
  currency: string
  observed_at: Timestamp
  per_usd: Numeric
  source: string
}

export interface GameTable {
  code: string
  name: string
  publisher: string
  aliases: Generated<string[]>
  platforms: Generated<string[]>
  category_id: number | null
  released_year: number | null
  picture: string | null
  popularity: Generated<number>
  is_hot: Generated<boolean>
  status: Generated<string>
  source: string
}

export interface ItemTable {
  id: string
  code: string
  product: string
  kind: string
  name: string
  units: Int8 | null
  bonus: Int8 | null
  days: number | null
  data_mb: number | null
  face_minor: Numeric | null
  price_minor: Numeric
  price_currency: string
  market_minor: Numeric | null
  cost_minor: Numeric | null
  cost_currency: string | null
  stock: number | null
  sold: Generated<Int8>
  buyer_countries: string[] | null
  blocked_countries: Generated<string[]>
  position: number
  status: Generated<string>
  source: string
  source_reference: string | null
  locked_fields: Generated<string[]>
  updated_at: Timestamp
}

export interface ItemLevelPriceTable {
  item: string
  level: number
  price_minor: Numeric
  price_currency: string
}

export interface MigrationTable {
  name: string
  hash: string
  applied_at: Generated<Timestamp>
}

export interface PictureTable {
  code: string
  kind: string
  recipe: Json | null
  path: string | null
}

export interface PlatformTable {
  code: string
  name: string
  position: number
}

export interface ProductTable {
  code: string
  brand: string
  region: string
  region_name: string | null
  countries: string[] | null
  lock: Generated<string>
  lock_note: Generated<string>
  face_currency: string | null
  face_min_minor: Numeric | null
  face_max_minor: Numeric | null
  picture: string | null
  position: number
  status: Generated<string>
  source: string
  locked_fields: Generated<string[]>
}

export interface RegionTable {
  code: string
  name: string
  position: number
}

export interface ReviewTable {
  id: Int8
  brand: string
  language: string
  country: string | null
  rating: number
  text: string
  nickname: string
  helpful: Generated<number>
  published_at: Timestamp
  status: Generated<string>
  source: string
}

export interface SettingTable {
  key: string
  value: Json
}

export interface TranslationTable {
  subject: string
  subject_code: string
  field: string
  language: string
  text: string
  origin: string
  english_hash: string
}

export interface UnitTable {
  key: string
  name: string
  is_proper: boolean
}

export interface VisitTable {
  day: Day
  visit_id_hash: Buffer
}

export interface Tables {
  article: ArticleTable
  article_category: ArticleCategoryTable
  audit_log: AuditLogTable
  brand: BrandTable
  brand_category: BrandCategoryTable
  category: CategoryTable
  code_redirect: CodeRedirectTable
  country: CountryTable
  currency: CurrencyTable
  currency_rate: CurrencyRateTable
  game: GameTable
  item: ItemTable
  item_level_price: ItemLevelPriceTable
  migration: MigrationTable
  picture: PictureTable
  platform: PlatformTable
  product: ProductTable
  region: RegionTable
  review: ReviewTable
  setting: SettingTable
  translation: TranslationTable
  unit: UnitTable
  visit: VisitTable
}
