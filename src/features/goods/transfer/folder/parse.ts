import type { z } from 'zod'
import { DEFAULT_LANGUAGE, findLanguage, type LanguageCode } from '#kernel/language.ts'
import {
  ARTICLE_FILES,
  type ArticleGroup,
  type ArticleKind,
  type CatalogueFolder,
} from './catalogue.ts'
import { jsonPath, type Fault } from './faults.ts'
import { articles, redirects, reviews } from '../schema/content.ts'
import { brand, games, operators, BRAND_KINDS } from '../schema/goods.ts'
import {
  categories,
  countries,
  currencies,
  FORMAT_VERSION,
  header,
  platforms,
  regions,
  units,
} from '../schema/places.ts'
import {
  phrases,
  translations,
  type PhraseFile,
  type TranslationFile,
} from '../schema/translations.ts'

type Documents = ReadonlyMap<string, unknown>

/** Checks the shape of every file. The folder is null when a fault leaves nothing sensible to go on with. */
export function parseFolder(documents: Documents): {
  folder: CatalogueFolder | null
  faults: Fault[]
} {
  const faults: Fault[] = []
  const version = (documents.get('catalogue.json') as { format?: unknown } | undefined)?.format
  if (!documents.has('catalogue.json')) {
    return {
      folder: null,
      faults: [
        {
          file: 'catalogue.json',
          path: '',
          message: 'is missing: a catalogue folder says its format and name there',
        },
      ],
    }
  }
  if (version !== FORMAT_VERSION) {
    const message = `this program reads format ${FORMAT_VERSION}, the folder is of format ${JSON.stringify(version)?.slice(0, 40)}`
    return { folder: null, faults: [{ file: 'catalogue.json', path: 'format', message }] }
  }
  const used = new Set<string>()
  const read = <S extends z.ZodType>(file: string, shape: S): z.infer<S> | null => {
    used.add(file)
    return documents.has(file) ? parseDocument(file, documents.get(file), shape, faults) : null
  }
  const about = read('catalogue.json', header)
  const money = read('currencies.json', currencies)
  const folder: CatalogueFolder = {
    name: about?.name ?? '',
    ratesAsOf: money?.rates_as_of ?? null,
    currencies: money?.currencies ?? [],
    countries: read('countries.json', countries)?.countries ?? [],
    regions: read('regions.json', regions)?.regions ?? [],
    platforms: read('platforms.json', platforms)?.platforms ?? [],
    categories: read('categories.json', categories)?.categories ?? [],
    units: read('units.json', units)?.units ?? [],
    games: read('games.json', games)?.games ?? [],
    brands: readBrands(documents, used, read, faults),
    reviews: read('reviews.json', reviews)?.reviews ?? [],
    articles: {
      news: readArticles(read, 'news'),
      faq: readArticles(read, 'faq'),
      page: readArticles(read, 'page'),
    },
    redirects: read('redirects.json', redirects) ?? {},
    translations: readLanguages<TranslationFile>(
      documents,
      /^translations\/([a-z-]+)\.json$/,
      (file) => read(file, translations),
    ),
    phrases: readLanguages<PhraseFile>(
      documents,
      /^translations\/phrases\/([a-z-]+)\.json$/,
      (file) => read(file, phrases),
    ),
  }
  for (const file of documents.keys())
    if (!used.has(file)) faults.push({ file, path: '', message: 'the format knows no such file' })
  return { folder, faults }
}

type Read = <S extends z.ZodType>(file: string, shape: S) => z.infer<S> | null

function readArticles(read: Read, kind: ArticleKind): ArticleGroup {
  const file = read(ARTICLE_FILES[kind], articles)
  return { categories: file?.categories ?? [], articles: file?.articles ?? [] }
}

function readBrands(
  documents: Documents,
  used: Set<string>,
  read: Read,
  faults: Fault[],
): CatalogueFolder['brands'] {
  const found: { file: string; path: string; brand: z.infer<typeof brand> }[] = []
  for (const file of documents.keys()) {
    const place = /^brands\/([a-z_]+)\/([^/]+)\.json$/.exec(file)
    if (place) {
      const value = read(file, brand)
      if (!value) continue
      if (!(BRAND_KINDS as readonly string[]).includes(place[1] ?? '') || value.kind !== place[1])
        faults.push({
          file,
          path: 'kind',
          message: `a brand of kind ${value.kind} belongs in brands/${value.kind}/`,
        })
      if (value.code !== place[2])
        faults.push({
          file,
          path: 'code',
          message: `the file of ${value.code} is called ${value.code}.json`,
        })
      found.push({ file, path: '', brand: value })
    } else if (/^operators\/[a-z]{2}\.json$/.test(file)) {
      const value = read(file, operators)
      value?.operators.forEach((entry, index) =>
        found.push({ file, path: `operators[${index}]`, brand: entry }),
      )
    }
  }
  return found
}

function readLanguages<T>(
  documents: Documents,
  name: RegExp,
  read: (file: string) => T | null,
): ReadonlyMap<LanguageCode, T> {
  const found = new Map<LanguageCode, T>()
  for (const file of documents.keys()) {
    const language = findLanguage(name.exec(file)?.[1] ?? '')
    if (!language || language.code === DEFAULT_LANGUAGE) continue
    const value = read(file)
    if (value !== null) found.set(language.code, value)
  }
  return found
}

const ISSUES_MAX = 50

function parseDocument<S extends z.ZodType>(
  file: string,
  value: unknown,
  shape: S,
  faults: Fault[],
): z.infer<S> | null {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  for (const issue of result.error.issues.slice(0, ISSUES_MAX)) {
    const { path, message } = describe(issue)
    faults.push({ file, path: jsonPath(path), message })
  }
  return null
}

function describe(issue: z.core.$ZodIssue): {
  readonly path: readonly PropertyKey[]
  readonly message: string
} {
  const { path } = issue
  if (issue.code === 'invalid_union') {
    const inner = issue.errors.flat().find((entry) => entry.code !== 'invalid_type')
    if (inner) {
      const { path: within, message } = describe(inner)
      return { path: [...path, ...within], message }
    }
  }
  if (issue.code === 'unrecognized_keys')
    return {
      path,
      message: `the format knows no ${issue.keys.map((key) => `"${key}"`).join(', ')} here`,
    }
  const message = issue.message.replace(/^Invalid string: /, '').replace(/^Invalid input: /, '')
  return { path, message }
}
