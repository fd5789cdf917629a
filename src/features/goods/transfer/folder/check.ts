import { ARTICLE_FILES, type ArticleKind, type CatalogueFolder } from './catalogue.ts'
import { checkBrands } from './check-brands.ts'
import { checkTranslations, checkUnitForms } from './check-translations.ts'
import type { Fault, Report } from './faults.ts'
import type { Known } from './known.ts'
import { parseMajor } from '#kernel/money.ts'
import { readMobileNumber } from '#platform/mobile-number.ts'

/** Every reference, code and figure of a folder whose shapes are right. @param known see `knownWith` */
export function checkFolder(folder: CatalogueFolder, known: Known): Fault[] {
  const faults: Fault[] = []
  const reporter =
    (file: string): Report =>
    (path, message) =>
      void faults.push({ file, path, message })
  checkPlaces(folder, known, reporter)
  checkCategories(folder, known, reporter('categories.json'))
  checkGames(folder, known, reporter('games.json'))
  checkBrands(folder, known, reporter)
  checkReviews(folder, known, reporter('reviews.json'))
  for (const kind of Object.keys(ARTICLE_FILES) as ArticleKind[])
    checkArticles(folder, kind, known, reporter(ARTICLE_FILES[kind]))
  checkRedirects(folder, known, reporter('redirects.json'))
  checkTranslations(folder, reporter)
  return faults
}

/** Reports each code that stands twice. */
export function checkUnique(
  rows: readonly unknown[],
  codeOf: (index: number) => string,
  pathOf: (index: number) => string,
  report: Report,
): void {
  const seen = new Map<string, number>()
  for (let index = 0; index < rows.length; index++) {
    const code = codeOf(index)
    const first = seen.get(code)
    if (first === undefined) seen.set(code, index)
    else report(pathOf(index), `${code} stands twice, first at ${pathOf(first)}`)
  }
}

function checkPlaces(
  folder: CatalogueFolder,
  known: Known,
  reporter: (file: string) => Report,
): void {
  const lists = [
    ['currencies.json', 'currencies', folder.currencies],
    ['countries.json', 'countries', folder.countries],
    ['regions.json', 'regions', folder.regions],
    ['platforms.json', 'platforms', folder.platforms],
  ] as const
  for (const [file, name, rows] of lists) {
    checkUnique(
      rows,
      (index) => rows[index]?.code ?? '',
      (index) => `${name}[${index}].code`,
      reporter(file),
    )
  }
  checkUnique(
    folder.units,
    (index) => folder.units[index]?.key ?? '',
    (index) => `units[${index}].key`,
    reporter('units.json'),
  )
  folder.units.forEach((unit, index) =>
    checkUnitForms('en', unit.forms ?? {}, `units[${index}].forms`, reporter('units.json')),
  )
  folder.currencies.forEach((row, index) => {
    const report: Report = (field, message) =>
      reporter('currencies.json')(`currencies[${index}].${field}`, message)
    if (/^[0.]+$/.test(row.per_usd)) report('per_usd', 'a rate is above zero')
    const step = parseMajor(row.rounding, row.minor_units)
    if (step === null || step === 0n)
      report(
        'rounding',
        `expected a positive amount with at most ${row.minor_units} digits after the point`,
      )
    if (row.margin_percent !== undefined && (parseMajor(row.margin_percent, 2) ?? 9_999n) > 5_000n)
      report('margin_percent', 'expected 0 to 50 with at most two digits after the point')
  })
  folder.countries.forEach((row, index) => {
    const report: Report = (field, message) =>
      reporter('countries.json')(`countries[${index}].${field}`, message)
    for (const field of ['currency', 'store_currency'] as const) {
      if (!known.currencies.has(row[field])) report(field, `unknown currency ${row[field]}`)
    }
    if (!row.phone) return
    if (!readMobileNumber(row.phone.e164_example, null))
      report('phone.e164_example', 'is no mobile number')
    else if (!row.phone.e164_example.endsWith(row.phone.mobile_example))
      report('phone.mobile_example', 'is not the end of e164_example')
  })
}

export function checkCategories(folder: CatalogueFolder, known: Known, report: Report): void {
  const rows = folder.categories
  checkUnique(
    rows,
    (index) => rows[index]?.code ?? '',
    (index) => `categories[${index}].code`,
    report,
  )
  checkUnique(
    rows,
    (index) => String(rows[index]?.id),
    (index) => `categories[${index}].id`,
    report,
  )
  const parents = new Map(rows.map((row) => [row.code, row.parent]))
  rows.forEach((row, index) => {
    if (row.parent !== undefined && !known.categories.has(row.parent))
      report(`categories[${index}].parent`, `unknown category ${row.parent}`)
    const above = new Set<string>([row.code])
    for (let code = row.parent; code !== undefined; code = parents.get(code)) {
      if (above.has(code)) {
        report(`categories[${index}].parent`, `${row.code} lies inside itself`)
        break
      }
      above.add(code)
    }
  })
}

export function checkGames(folder: CatalogueFolder, known: Known, report: Report): void {
  checkUnique(
    folder.games,
    (index) => folder.games[index]?.code ?? '',
    (index) => `games[${index}].code`,
    report,
  )
  folder.games.forEach((row, index) => {
    if (row.category !== undefined && !known.categories.has(row.category))
      report(`games[${index}].category`, `unknown category ${row.category}`)
    row.platforms?.forEach((code, at) => {
      if (!known.platforms.has(code))
        report(`games[${index}].platforms[${at}]`, `unknown platform ${code}`)
    })
  })
}

function checkReviews(folder: CatalogueFolder, known: Known, report: Report): void {
  checkUnique(
    folder.reviews,
    (index) => String(folder.reviews[index]?.id),
    (index) => `reviews[${index}].id`,
    report,
  )
  folder.reviews.forEach((row, index) => {
    if (!known.brands.has(row.brand))
      report(`reviews[${index}].brand`, `unknown brand ${row.brand}`)
    if (row.country !== undefined && !known.countries.has(row.country))
      report(`reviews[${index}].country`, `unknown country ${row.country}`)
  })
}

function checkArticles(
  folder: CatalogueFolder,
  kind: ArticleKind,
  known: Known,
  report: Report,
): void {
  const { categories, articles } = folder.articles[kind]
  checkUnique(
    categories,
    (index) => categories[index]?.code ?? '',
    (index) => `categories[${index}].code`,
    report,
  )
  checkUnique(
    articles,
    (index) => articles[index]?.code ?? '',
    (index) => `articles[${index}].code`,
    report,
  )
  if (kind === 'page' && categories.length > 0) report('categories', 'pages have no categories')
  const codes = new Set(categories.map((row) => row.code))
  articles.forEach((row, index) => {
    if (row.category !== undefined && !codes.has(row.category))
      report(`articles[${index}].category`, `unknown category ${row.category}`)
    row.related?.forEach((code, at) => {
      if (!known.brands.has(code) && !known.games.has(code))
        report(`articles[${index}].related[${at}]`, `unknown brand or game ${code}`)
    })
  })
}

function checkRedirects(folder: CatalogueFolder, known: Known, report: Report): void {
  const products = folder.brands.flatMap(({ brand }) => brand.products)
  const present: Readonly<Record<string, ReadonlySet<string>>> = {
    brand: new Set(folder.brands.map(({ brand }) => brand.code)),
    product: new Set(products.map((product) => product.code)),
    game: new Set(folder.games.map((row) => row.code)),
    category: new Set(folder.categories.map((row) => row.code)),
    item: new Set(products.flatMap((product) => product.items.map((item) => item.code))),
  }
  for (const [kind, renames] of Object.entries(folder.redirects)) {
    for (const [from, to] of Object.entries(renames ?? {})) {
      const path = `${kind}${/^[\w-]+$/.test(from) ? `.${from}` : `["${from}"]`}`
      if (!present[kind]?.has(to)) report(path, `leads to ${to}, which this folder does not have`)
      if (present[kind]?.has(from))
        report(path, `${from} is still in use here; a redirect is for a code that is gone`)
    }
  }
}
