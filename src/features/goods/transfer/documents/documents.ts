import { DEFAULT_LANGUAGE } from '#kernel/language.ts'
import { ARTICLE_FILES, type ArticleKind } from '../folder/catalogue.ts'
import { brandDocument } from './documents-brands.ts'
import { phraseDocuments, translationDocuments, unitForms } from './documents-translations.ts'
import { knownOf, storedCovers, type StoredRows } from '../queries.ts'
import {
  byPosition,
  byText,
  countOr,
  dateText,
  dropDefaults,
  pictureValue,
  place,
  textOr,
  upkeep,
  type ExportContext,
} from './document-parts.ts'
import { FORMAT_VERSION } from '../schema/places.ts'
import type { Row } from '../rows/tables.ts'
import { isDeepStrictEqual } from 'node:util'
import { toMajor } from '#kernel/money.ts'
import { trimDecimal } from '../folder/amounts.ts'
import { wornDesign } from '../folder/covers.ts'

/**
 * The files that stand for the shop's rows: the inverse of reading a folder. Path inside the folder → value.
 * @param name of the catalogue; rows of other sources name theirs
 */
export function documentsOf(rows: StoredRows, name: string): ReadonlyMap<string, unknown> {
  const context: ExportContext = {
    source: `catalogue:${name}`,
    known: knownOf(rows),
    pictures: new Map(rows.picture.map((row) => [String(row['code']), row])),
    categoryCodes: new Map(rows.category.map((row) => [row['id'], String(row['code'])])),
  }
  const forms = unitForms(rows)
  const documents = new Map<string, unknown>([
    ['catalogue.json', { format: FORMAT_VERSION, name }],
    ['currencies.json', currencyDocument(rows)],
    ['countries.json', { countries: byPosition(rows.country, 'code').map(countryValue) }],
    ['regions.json', { regions: byPosition(rows.region, 'code').map(namedValue) }],
    ['platforms.json', { platforms: byPosition(rows.platform, 'code').map(namedValue) }],
    [
      'categories.json',
      {
        categories: byPosition(rows.category, 'code').map((row, index) =>
          categoryValue(row, index, context),
        ),
      },
    ],
    [
      'units.json',
      {
        units: byText(rows.unit, 'key').map((row) =>
          dropDefaults({
            key: row['key'],
            name: row['name'],
            proper: row['is_proper'],
            forms: forms.get(row['key']),
          }),
        ),
      },
    ],
    ['games.json', { games: gameValues(rows, context) }],
    [
      'reviews.json',
      {
        reviews: [...rows.review]
          .sort((a, b) => Number(a['id']) - Number(b['id']))
          .map((row) => reviewValue(row, context)),
      },
    ],
    ['redirects.json', redirectDocument(rows)],
  ])
  for (const kind of Object.keys(ARTICLE_FILES) as ArticleKind[])
    documents.set(ARTICLE_FILES[kind], articleDocument(rows, kind, context))
  for (const [path, value] of brandDocument(rows, context)) documents.set(path, value)
  for (const [path, value] of translationDocuments(rows)) documents.set(path, value)
  for (const [path, value] of phraseDocuments(rows, DEFAULT_LANGUAGE)) documents.set(path, value)
  return documents
}

function currencyDocument(rows: StoredRows): unknown {
  const newest = new Map<unknown, Row>()
  for (const rate of rows.currency_rate) {
    const known = newest.get(rate['currency'])
    if (!known || (rate['observed_at'] as Date) > (known['observed_at'] as Date))
      newest.set(rate['currency'], rate)
  }
  const dates = [...newest.values()].map((rate) => dateText(rate['observed_at'])).sort()
  const asOf = dates.at(-1) ?? '1970-01-01'
  const currencies = byPosition(rows.currency, 'code').flatMap((row, index) => {
    const rate = newest.get(row['code'])
    // A currency without a rate cannot be said in the format, nor is there a price in it that could be converted.
    return rate ? [currencyValue(row, rate, index, asOf)] : []
  })
  return { rates_as_of: asOf, currencies }
}

function currencyValue(row: Row, rate: Row, index: number, asOf: string): Row {
  const digits = Number(row['minor_units'])
  const date = dateText(rate['observed_at'])
  return dropDefaults({
    code: row['code'],
    numeric: row['numeric_code'],
    name: row['name'],
    symbol: row['symbol'],
    minor_units: digits,
    per_usd: rate['per_usd'],
    rate_as_of: date === asOf ? undefined : date,
    rounding: trimDecimal(toMajor(BigInt(String(row['rounding_increment'])), digits), 'fraction'),
    rounding_mode: row['rounding_mode'] === 'half_up' ? undefined : row['rounding_mode'],
    margin_percent:
      row['margin_basis_points'] === 0
        ? undefined
        : trimDecimal(toMajor(BigInt(Number(row['margin_basis_points'])), 2), 'zeros'),
    checkout: row['is_checkout'],
    ...place(row, index),
  })
}

function countryValue(row: Row, index: number): Row {
  const phone = row['phone'] as Row | null
  return {
    code: row['code'],
    alpha3: row['alpha3'],
    numeric: row['numeric_code'],
    name: row['name'],
    continent: row['continent'],
    dial_code: row['dial_code'],
    currency: row['currency'],
    store_currency: row['store_currency'],
    language: row['language'],
    on_sale: row['is_on_sale'],
    phone: phone && {
      calling_code: phone['calling_code'],
      trunk_prefix: phone['trunk_prefix'],
      mobile_example: phone['mobile_example'],
      e164_example: phone['e164_example'],
    },
    ...place(row, index),
  }
}

function namedValue(row: Row, index: number): Row {
  return { code: row['code'], name: row['name'], ...place(row, index) }
}

function categoryValue(row: Row, index: number, context: ExportContext): Row {
  return dropDefaults({
    id: row['id'],
    code: row['code'],
    name: row['name'],
    parent: context.categoryCodes.get(row['parent_id']),
    icon: textOr(row['icon']),
    path: row['path'],
    picture: pictureValue(row['picture'], context),
    ...place(row, index),
    ...upkeep(row, context),
  })
}

function gameValues(rows: StoredRows, context: ExportContext): Row[] {
  const covers = storedCovers(rows)
  const goods = Map.groupBy(covers.brands, ({ game }) => game)
  const games = new Map(covers.games.map((game) => [game.code, game]))
  return byText(rows.game, 'code').map((row) => {
    const game = games.get(String(row['code']))
    const category = context.categoryCodes.get(row['category_id'])
    const worn =
      game?.recipe &&
      wornDesign({ code: game.code, category, recipe: game.recipe }, goods.get(game.code) ?? [])
    return gameValue(row, context, isDeepStrictEqual(worn, game?.recipe?.design))
  })
}

/** @param wearsWorld its cover is designed as its top-up's, which then need not be said */
function gameValue(row: Row, context: ExportContext, wearsWorld: boolean): Row {
  const picture = pictureValue(row['picture'], context)
  if (wearsWorld && picture?.['cover'])
    delete (picture['cover'] as Record<string, unknown>)['design']
  return dropDefaults({
    code: row['code'],
    name: row['name'],
    publisher: row['publisher'],
    aliases: row['aliases'],
    platforms: row['platforms'],
    category: context.categoryCodes.get(row['category_id']),
    released: row['released_year'],
    popularity: countOr(row['popularity']),
    hot: row['is_hot'],
    picture,
    ...upkeep(row, context),
  })
}

function reviewValue(row: Row, context: ExportContext): Row {
  return dropDefaults({
    id: Number(row['id']),
    brand: row['brand'],
    language: row['language'],
    country: row['country'],
    rating: row['rating'],
    text: row['text'],
    nickname: row['nickname'],
    helpful: countOr(row['helpful']),
    published: dateText(row['published_at']),
    ...upkeep(row, context),
  })
}

function redirectDocument(rows: StoredRows): unknown {
  const kinds = ['brand', 'product', 'game', 'category', 'item'] as const
  return Object.fromEntries(
    kinds.map((kind) => {
      const present = new Set(rows[kind].map((row) => row['code']))
      // One whose old code is in use again leads nowhere else.
      const entries = byText(
        rows.code_redirect.filter(
          (row) =>
            row['kind'] === kind && !present.has(row['old_code']) && present.has(row['new_code']),
        ),
        'old_code',
      )
      return [
        kind,
        entries.length > 0
          ? Object.fromEntries(entries.map((row) => [row['old_code'], row['new_code']]))
          : undefined,
      ]
    }),
  )
}

function articleDocument(rows: StoredRows, kind: ArticleKind, context: ExportContext): unknown {
  const categories = byPosition(
    rows.article_category.filter((row) => row['kind'] === kind),
    'code',
  )
  const articles = byPosition(
    rows.article.filter((row) => row['kind'] === kind),
    'code',
  )
  return {
    categories: categories.length > 0 ? categories.map(namedValue) : undefined,
    articles: articles.map((row, index) =>
      dropDefaults({
        code: row['code'],
        category: row['category'],
        title: row['title'],
        summary: textOr(row['summary']),
        published: dateText(row['published_at']),
        related: row['related'],
        picture: pictureValue(row['picture'], context),
        sections: (row['sections'] as Row[]).map((section) => ({
          heading: section['heading'],
          icon: section['icon'],
          paragraphs: section['paragraphs'],
        })),
        ...place(row, index),
        ...upkeep(row, context),
      }),
    ),
  }
}
