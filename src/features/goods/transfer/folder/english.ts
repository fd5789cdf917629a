import { createHash } from 'node:crypto'
import { PLURAL_FORMS, type PluralForms } from '#kernel/plural.ts'
import { ARTICLE_FILES, type ArticleKind, type CatalogueFolder } from './catalogue.ts'
import { derivedItemName } from './names.ts'
import type { Brand } from '../schema/goods.ts'
import type { Subject } from '../schema/translations.ts'

/** What a translation was made from, so that it shows when the English has changed since. */
export function englishHash(english: string): string {
  return createHash('sha256').update(english).digest('hex').slice(0, 16)
}

export type EnglishFields = ReadonlyMap<string, string>
/** subject → code → field → English. */
export type EnglishTexts = Readonly<Record<Subject, ReadonlyMap<string, EnglishFields>>>

export function englishTexts(folder: CatalogueFolder): EnglishTexts {
  const names = (rows: Iterable<readonly [string, string]>) =>
    new Map([...rows].map(([code, name]) => [code, new Map([['name', name]])]))
  return {
    brand: names(folder.brands.map(({ brand }) => [brand.code, brand.name])),
    game: names(folder.games.map((row) => [row.code, row.name])),
    category: names(folder.categories.map((row) => [row.code, row.name])),
    unit: new Map(
      folder.units.map((row) => [row.key, new Map(unitTexts(row.name, row.forms ?? {}))]),
    ),
    region: names(folder.regions.map((row) => [row.code, row.name])),
    country: names(folder.countries.map((row) => [row.code, row.name])),
    currency: names(folder.currencies.map((row) => [row.code, row.name])),
    platform: names(folder.platforms.map((row) => [row.code, row.name])),
    article_category: names(
      articleKinds().flatMap((kind) =>
        folder.articles[kind].categories.map((row) => [`${kind}/${row.code}`, row.name] as const),
      ),
    ),
    article: englishArticles(folder),
  }
}

/** A form that English does not have was translated from the one for all others. */
export function unitTexts(name: string, forms: PluralForms): [string, string][] {
  const texts = PLURAL_FORMS.flatMap((form): [string, string][] => {
    const text = forms[form] ?? forms.other
    return text === undefined ? [] : [[form, text]]
  })
  return [['name', name], ...texts]
}

function articleKinds(): ArticleKind[] {
  return Object.keys(ARTICLE_FILES) as ArticleKind[]
}

function englishArticles(folder: CatalogueFolder): ReadonlyMap<string, EnglishFields> {
  const texts = new Map<string, EnglishFields>()
  for (const kind of articleKinds()) {
    for (const article of folder.articles[kind].articles) {
      const fields = new Map([['title', article.title]])
      if (article.summary) fields.set('summary', article.summary)
      article.sections.forEach((section, index) => {
        if (section.heading) fields.set(`sections.${index}.heading`, section.heading)
        section.paragraphs.forEach((paragraph, at) =>
          fields.set(`sections.${index}.paragraphs.${at}`, paragraph),
        )
      })
      texts.set(`${kind}/${article.code}`, fields)
    }
  }
  return texts
}

/**
 * Every sentence of the folder that is translated by its English, in the order of its first use. Options of account fields
 * are left out: most are names of game servers, which stay as the game shows them (a translation of one is used all the same).
 */
export function englishPhrases(folder: CatalogueFolder): ReadonlySet<string> {
  const units = new Map(folder.units.map((row) => [row.key, row.name]))
  const phrases = new Set<string>()
  for (const { brand } of folder.brands)
    for (const phrase of phrasesOfBrand(brand, units)) phrases.add(phrase)
  return phrases
}

function* phrasesOfBrand(brand: Brand, units: ReadonlyMap<string, string>): Generator<string> {
  for (const field of brand.fields ?? []) {
    yield field.label
    if (field.help) yield field.help
    if (field.picture) yield field.picture.alt
  }
  const redeem = brand.redeem ?? {}
  // An address stays as it is; a place in words is translated.
  if (redeem.at?.includes(' ')) yield redeem.at
  yield* redeem.steps ?? []
  if (redeem.validity) yield redeem.validity
  if (redeem.key_format) yield redeem.key_format.text
  if (brand.recharge?.prefixes_note) yield brand.recharge.prefixes_note
  const unit = units.get(brand.unit ?? '') ?? null
  for (const product of brand.products) {
    if (product.region_name) yield product.region_name
    if (product.lock_note) yield product.lock_note
    if (product.seo_title) yield product.seo_title
    if (product.seo_description) yield product.seo_description
    for (const item of product.items)
      if (item.name && item.name !== derivedItemName(item, null, unit)) yield item.name
  }
}
