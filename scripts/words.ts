import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { LANGUAGE_CODES, type LanguageCode } from '#kernel/language.ts'

/** Texts of one language by key. */
export type Texts = Readonly<Record<string, string>>

/** A word that is not to be used, what to use instead, and a text that would be refused. */
export interface ForbiddenWord {
  readonly pattern: string
  readonly use: string
  readonly sample: string
  /** Beginnings of the keys it is about; all when left out. */
  readonly keys?: readonly string[]
}

export interface Forbidden {
  /** Beginnings of keys that may use what is forbidden: the specification fixes their words. */
  readonly except: Readonly<Partial<Record<LanguageCode, readonly string[]>>>
  readonly rules: Readonly<Partial<Record<LanguageCode, readonly ForbiddenWord[]>>>
}

/** A thing with one name a language: where English uses it, the translation does. */
export interface Term {
  readonly term: string
  /** Pattern of the English name. */
  readonly english: string
  /** Patterns of the other names, loose enough for endings. */
  readonly languages: Readonly<Partial<Record<LanguageCode, string>>>
}

const FOLDER = join('docs', 'words')

export function readForbidden(root: string): Forbidden {
  return readJson(join(root, FOLDER, 'forbidden.json')) as Forbidden
}

export function readTerms(root: string): readonly Term[] {
  return readJson(join(root, FOLDER, 'terms.json')) as readonly Term[]
}

/** Keys whose English text has changed since the translation was made. */
export function readOutdated(root: string, language: LanguageCode): ReadonlySet<string> {
  const name = `${language}.json`
  const folder = join(root, FOLDER, 'outdated')
  if (!listed(folder).includes(name)) return new Set()
  return new Set(readJson(join(folder, name)) as readonly string[])
}

export function readTexts(root: string, language: LanguageCode): Texts {
  const folder = join(root, 'locales', language)
  const areas = readdirSync(folder).map((area) => readJson(join(folder, area)) as Texts)
  return Object.assign({}, ...areas) as Texts
}

/** Texts that use a word that is not to be used. */
export function forbiddenWords(
  language: LanguageCode,
  texts: Texts,
  { rules, except }: Forbidden,
): string[] {
  const mayUse = except[language] ?? []
  const checked = Object.entries(texts).filter(([key]) => !startsWithAny(key, mayUse))
  return (rules[language] ?? []).flatMap(({ pattern, use, keys }) => {
    const word = new RegExp(pattern, 'u')
    return checked
      .filter(([key, text]) => (!keys || startsWithAny(key, keys)) && word.test(text))
      .map(([key, text]) => `${language}: ${key} has "${word.exec(text)?.[0]}", use: ${use}`)
  })
}

/** Translations that call a thing by another name than the glossary does. */
export function missingTerms(
  language: Exclude<LanguageCode, 'en'>,
  { english, texts, outdated }: { english: Texts; texts: Texts; outdated: ReadonlySet<string> },
  terms: readonly Term[],
): string[] {
  return terms.flatMap(({ term, english: pattern, languages }) => {
    const original = new RegExp(pattern, 'iu')
    const called = languages[language]
    if (called === undefined) return [`${language}: terms.json has no name of "${term}"`]
    const name = new RegExp(called, 'iu')
    return Object.entries(english)
      .filter(([key, text]) => !outdated.has(key) && original.test(wordsOf(text)))
      .filter(([key]) => !name.test(wordsOf(texts[key] ?? '')))
      .map(([key]) => `${language}: ${key} does not use the name of "${term}": ${texts[key]}`)
  })
}

/** Rows of the glossary that lack a name, and languages that it lacks. */
export function glossaryGaps(csv: string): string[] {
  const [head, ...rows] = parseCsv(csv)
  const wanted = ['term', 'definition', ...LANGUAGE_CODES]
  const missing = wanted.filter((column) => !head?.includes(column))
  return [
    ...missing.map((column) => `glossary.csv: no column ${column}`),
    ...rows
      .filter((row) => row.length !== head?.length || row.some((cell) => cell.trim() === ''))
      .map((row) => `glossary.csv: ${row[0]} lacks a name in some language`),
  ]
}

/** Articles of the demo shop in a language: code → field → text. */
export type Articles = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Where help and the terms name what the shop's pages show: article, field, the key of its text. */
const NAMED = [
  ['news/order-status-explained', 'sections.0.paragraphs.0', 'order.status.pending_payment'],
  ['news/order-status-explained', 'sections.0.paragraphs.1', 'order.status.waiting_for_payment'],
  ['news/order-status-explained', 'sections.0.paragraphs.2', 'order.status.waiting_for_shipment'],
  ['news/order-status-explained', 'sections.0.paragraphs.3', 'order.status.completed'],
  // The contract is made when an order has this status.
  ['page/sales-terms', 'sections.2.paragraphs.0', 'order.status.waiting_for_shipment'],
  ['page/terms-of-use', 'sections.5.paragraphs.0', 'user.tabData'],
  ['faq/where-is-my-key', 'sections.0.paragraphs.0', 'user.cardpwd'],
  ['faq/where-is-my-key', 'sections.0.paragraphs.0', 'cardpwd.reveal'],
  ['faq/payment-methods', 'sections.0.paragraphs.0', 'api.footerPayTypes'],
  ['faq/refund-time', 'sections.0.paragraphs.0', 'api.footerPayTypes'],
  ['faq/after-sales-state', 'sections.0.paragraphs.0', 'user.orderAfterSales'],
  ['faq/forgot-password', 'sections.0.paragraphs.0', 'sign-in.forgot'],
  ['faq/change-email', 'sections.0.paragraphs.0', 'account.changeEmail'],
  ['faq/delete-account', 'sections.0.paragraphs.0', 'user.tabData'],
  ['faq/delete-account', 'sections.0.paragraphs.0', 'account.cancelOpen'],
  ['faq/cancel-order', 'sections.0.paragraphs.0', 'order.cancel'],
  ['faq/data-export', 'sections.0.paragraphs.0', 'user.tabData'],
] as const

/** Statuses, buttons and pages that help and the terms call otherwise than they are called where a shopper looks for them. */
export function misnamed(language: LanguageCode, texts: Texts, articles: Articles): string[] {
  return NAMED.filter(([article, field, key]) => {
    // A question mark and a full stop at its end belong to the label alone.
    const label = (texts[key] ?? '').toLowerCase().replace(/[?？؟။\s]+$/u, '')
    return !(articles[article]?.[field] ?? '').toLowerCase().includes(label)
  }).map(([article, , key]) => `${language}: ${article} does not say "${texts[key]}" (${key})`)
}

export function readArticles(root: string, language: LanguageCode): Articles {
  const path = join(root, 'catalogue', 'translations', `${language}.json`)
  return (readJson(path) as { article: Articles }).article
}

export function wordProblems(root: string): string[] {
  const forbidden = readForbidden(root)
  const terms = readTerms(root)
  const english = readTexts(root, 'en')
  return [
    ...glossaryGaps(readFileSync(join(root, FOLDER, 'glossary.csv'), 'utf8')),
    ...LANGUAGE_CODES.flatMap((language) => {
      const texts = readTexts(root, language)
      const found = forbiddenWords(language, texts, forbidden)
      if (language === 'en') return found
      const outdated = readOutdated(root, language)
      return [
        ...found,
        ...missingTerms(language, { english, texts, outdated }, terms),
        ...misnamed(language, texts, readArticles(root, language)),
        ...[...outdated]
          .filter((key) => !(key in english))
          .map((key) => `${language}: ${key} is listed as outdated and is no text`),
      ]
    }),
  ]
}

/** What is read of a message, without the names of its placeholders. */
function wordsOf(message: string): string {
  const words: string[] = []
  const collect = (part: unknown): void => {
    if (typeof part === 'string') words.push(part)
    else if (Array.isArray(part)) {
      const [, kind, forms] = part as [unknown, unknown, unknown]
      if (typeof kind === 'string' && typeof forms === 'object' && forms !== null)
        for (const form of Object.values(forms)) collectAll(form)
    }
  }
  const collectAll = (parts: unknown): void => {
    if (Array.isArray(parts)) for (const part of parts) collect(part)
    else collect(parts)
  }
  collectAll(compileMessage(message))
  return words.join(' ')
}

/** Cells of a CSV in the way of RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, separator, quoted, plain] of text
    .trimEnd()
    .matchAll(/(^|,|\r?\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)) {
    if (separator?.endsWith('\n')) rows.push([])
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
  }
  return rows
}

function startsWithAny(key: string, beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => key.startsWith(beginning))
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}
