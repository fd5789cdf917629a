import { trimDecimal } from '../folder/amounts.ts'
import { parseMajor } from '#kernel/money.ts'
import { ARTICLE_FILES, type ArticleKind, type CatalogueFolder } from '../folder/catalogue.ts'
import { pictureRow, upkeepOf, type RowContext } from './row-parts.ts'
import { productRows } from './rows-products.ts'
import { translationRows } from './rows-translations.ts'
import type { Row, TableName } from './tables.ts'

export type WantedRows = Readonly<Record<TableName, readonly Row[]>>

/** The rows a checked folder stands for, in the form in which they are read from the database (see `tables.ts`). */
export function wantedRows(folder: CatalogueFolder, context: RowContext): WantedRows {
  const pictures = new Map<string, Row>()
  const goods = productRows(folder, context, pictures)
  return {
    currency: currencyRows(folder),
    currency_rate: rateRows(folder, context.source),
    country: countryRows(folder),
    region: folder.regions.map((row, index) => ({
      code: row.code,
      name: row.name,
      position: row.position ?? index,
    })),
    platform: folder.platforms.map((row, index) => ({
      code: row.code,
      name: row.name,
      position: row.position ?? index,
    })),
    category: categoryRows(folder, context, pictures),
    game: gameRows(folder, context, pictures),
    unit: folder.units.map((row) => ({
      key: row.key,
      name: row.name,
      is_proper: row.proper ?? false,
    })),
    ...goods,
    code_redirect: Object.entries(folder.redirects).flatMap(([kind, renames]) =>
      Object.entries(renames ?? {}).map(([from, to]) => ({ kind, old_code: from, new_code: to })),
    ),
    article_category: articleKinds().flatMap((kind) =>
      folder.articles[kind].categories.map((row, index) => ({
        kind,
        code: row.code,
        name: row.name,
        position: row.position ?? index,
      })),
    ),
    article: articleKinds().flatMap((kind) => articleRows(folder, kind, context, pictures)),
    review: reviewRows(folder, context),
    translation: translationRows(folder),
    picture: [...pictures.values()],
  }
}

function articleKinds(): ArticleKind[] {
  return Object.keys(ARTICLE_FILES) as ArticleKind[]
}

function currencyRows(folder: CatalogueFolder): Row[] {
  return folder.currencies.map((row, index) => ({
    code: row.code,
    numeric_code: row.numeric,
    name: row.name,
    symbol: row.symbol,
    minor_units: row.minor_units,
    rounding_increment: String(parseMajor(row.rounding, row.minor_units)),
    rounding_mode: row.rounding_mode ?? 'half_up',
    margin_basis_points: Number(parseMajor(row.margin_percent ?? '0', 2)),
    is_checkout: row.checkout ?? false,
    position: row.position ?? index,
  }))
}

/** As the database gives it back: "007.50" is 7.5. */
function plainDecimal(text: string): string {
  return trimDecimal(text.replace(/^0+(?=\d)/, ''), 'zeros')
}

function rateRows(folder: CatalogueFolder, source: string): Row[] {
  return folder.currencies.map((row) => ({
    currency: row.code,
    observed_at: new Date(row.rate_as_of ?? folder.ratesAsOf ?? 0),
    per_usd: plainDecimal(row.per_usd),
    source,
  }))
}

function countryRows(folder: CatalogueFolder): Row[] {
  return folder.countries.map((row, index) => ({
    code: row.code,
    alpha3: row.alpha3,
    numeric_code: row.numeric,
    name: row.name,
    continent: row.continent,
    dial_code: row.dial_code,
    currency: row.currency,
    store_currency: row.store_currency,
    language: row.language,
    is_on_sale: row.on_sale,
    phone: phoneValue(row),
    position: row.position ?? index,
  }))
}

function phoneValue({ phone }: CatalogueFolder['countries'][number]): Row | null {
  if (!phone) return null
  const { mobile_pattern: _, ...value } = phone
  return value
}

function categoryRows(
  folder: CatalogueFolder,
  context: RowContext,
  pictures: Map<string, Row>,
): Row[] {
  return folder.categories.map((row, index) => ({
    id: row.id,
    code: row.code,
    parent_id: row.parent === undefined ? null : (context.categoryIds.get(row.parent) ?? null),
    name: row.name,
    icon: row.icon ?? '',
    path: row.path,
    picture: pictureRow(pictures, `category/${row.code}`, row.picture),
    position: row.position ?? index,
    ...upkeepOf(row, context),
  }))
}

function gameRows(folder: CatalogueFolder, context: RowContext, pictures: Map<string, Row>): Row[] {
  return folder.games.map((row) => ({
    code: row.code,
    name: row.name,
    publisher: row.publisher,
    aliases: row.aliases ?? [],
    platforms: row.platforms ?? [],
    category_id:
      row.category === undefined ? null : (context.categoryIds.get(row.category) ?? null),
    released_year: row.released ?? null,
    picture: pictureRow(pictures, `game/${row.code}`, row.picture),
    popularity: row.popularity ?? 0,
    is_hot: row.hot ?? false,
    ...upkeepOf(row, context),
  }))
}

function articleRows(
  folder: CatalogueFolder,
  kind: ArticleKind,
  context: RowContext,
  pictures: Map<string, Row>,
): Row[] {
  return folder.articles[kind].articles.map((row, index) => ({
    kind,
    code: row.code,
    category: row.category ?? null,
    title: row.title,
    summary: row.summary ?? '',
    sections: row.sections,
    related: row.related ?? [],
    picture: pictureRow(pictures, `${kind}/${row.code}`, row.picture),
    published_at: new Date(row.published),
    position: row.position ?? index,
    ...upkeepOf(row, context),
  }))
}

function reviewRows(folder: CatalogueFolder, context: RowContext): Row[] {
  return folder.reviews.map((row) => ({
    id: String(row.id),
    brand: row.brand,
    language: row.language,
    country: row.country ?? null,
    rating: row.rating,
    text: row.text,
    nickname: row.nickname,
    helpful: row.helpful ?? 0,
    published_at: new Date(row.published),
    ...upkeepOf(row, context),
  }))
}
