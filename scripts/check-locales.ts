/**
 * Every language has the texts of English: same files, keys, placeholders and cases, plural forms its own grammar needs,
 * and nothing left in English but what scripts/same-as-english.json lists. No text is two values side by side, nor has stray
 * spaces and unseen marks.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessage, type CompiledMessage } from '@lingui/message-utils/compileMessage'
import { KEYS_FILE, renderKeys } from './message-keys.ts'
import { getLanguage, LANGUAGE_CODES, type LanguageCode } from '#kernel/language.ts'

const ROOT = join(import.meta.dirname, '..', 'locales')
const SAME = JSON.parse(
  readFileSync(join(import.meta.dirname, 'same-as-english.json'), 'utf8'),
) as {
  /** Keys whose text is the same everywhere: names, abbreviations. */
  readonly everywhere: readonly string[]
  /** Language → keys whose translation happens to be the English word. */
  readonly languages: Partial<Record<LanguageCode, readonly string[]>>
}

/** Names and amounts whose order is all that a language says: each of their parts is one word of the catalogue. */
const PATTERNS: readonly string[] = ['goods.topUpName', 'goods.amount']

/** Two values with nothing but space between them, a figure before another value. */
const GLUE = /\{\w+\}\s+\{\w+\}/
const FIGURE = /\{(?:amount|count|figure|number|quantity|units)\}\s+\{/

/** Spaces at an end or two in a row, and marks that nobody sees: soft hyphen, zero-width space, word joiner. */
const STRAY = /^\s|\s$| {2}|[\t\u00ad\u200b\u2060\ufeff]/u

const problems: string[] = []
const areas = readdirSync(join(ROOT, 'en')).sort()
for (const folder of readdirSync(ROOT))
  if (!LANGUAGE_CODES.includes(folder as LanguageCode))
    problems.push(`locales/${folder}: not a language of the shop`)
for (const language of LANGUAGE_CODES) checkLanguage(language)
checkExceptions()
if (readFileSync(KEYS_FILE, 'utf8') !== renderKeys())
  problems.push('src/platform/i18n/keys.ts is not up to date: npm run messages:keys')
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1

function checkLanguage(language: LanguageCode): void {
  for (const area of areas) {
    const english = read('en', area)
    const texts = read(language, area)
    if (!english || !texts) continue
    for (const key of Object.keys(english))
      if (!(key in texts)) problems.push(`${language}/${area}: ${key} is missing`)
    for (const [key, text] of Object.entries(texts)) {
      const original = english[key]
      if (original === undefined) problems.push(`${language}/${area}: ${key} is not in English`)
      else checkText(language, area, key, text, original)
    }
  }
}

/** An exception whose text has been translated since would hide a later one that is left in English. */
function checkExceptions(): void {
  const english = texts('en')
  for (const [language, keys] of Object.entries(SAME.languages)) {
    const translated = texts(language)
    for (const key of keys)
      if (english[key] === undefined || translated[key] !== english[key])
        problems.push(`scripts/same-as-english.json: ${key} is not in English in ${language}`)
  }
}

function texts(language: string): Record<string, string> {
  return Object.assign({}, ...areas.map((area) => read(language, area))) as Record<string, string>
}

function read(language: string, area: string): Record<string, string> | null {
  try {
    return JSON.parse(readFileSync(join(ROOT, language, area), 'utf8')) as Record<string, string>
  } catch (error) {
    problems.push(`${language}/${area}: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}

function checkText(
  language: LanguageCode,
  area: string,
  key: string,
  text: string,
  english: string,
): void {
  const where = `${language}/${area}: ${key}`
  if (typeof text !== 'string' || text.trim() === '') return void problems.push(`${where} is empty`)
  if (STRAY.test(text)) problems.push(`${where} has a space or a mark too many: ${text}`)
  const parts = describe(text, where)
  const wanted = describe(english, `en/${area}: ${key}`)
  if (!parts || !wanted) return
  if (parts.names !== wanted.names)
    problems.push(`${where} has the placeholders (${parts.names}), English has (${wanted.names})`)
  // A case that is missing falls to "other", which says something else.
  if (parts.cases !== wanted.cases)
    problems.push(`${where} has the cases (${parts.cases}), English has (${wanted.cases})`)
  // A noun beside a figure cannot have the form that it asks for, nor two names the order of the language.
  if (GLUE.test(text) && (FIGURE.test(text) || language === 'en') && !PATTERNS.includes(key))
    problems.push(`${where} is two values side by side: ${text}`)
  for (const forms of parts.plurals) {
    const needed = new Intl.PluralRules(getLanguage(language).intl).resolvedOptions()
      .pluralCategories
    const missing = needed.filter((form) => !forms.includes(form))
    if (missing.length > 0) problems.push(`${where} lacks the plural forms ${missing.join(', ')}`)
  }
  if (language !== 'en' && text === english && !mayBeEnglish(language, key, english))
    problems.push(`${where} is the same as English: ${text}`)
}

function mayBeEnglish(language: LanguageCode, key: string, english: string): boolean {
  return (
    SAME.everywhere.includes(key) ||
    (SAME.languages[language]?.includes(key) ?? false) ||
    !/\p{L}{2}/u.test(english.replace(/\{[^}]*\}/g, ''))
  )
}

interface Description {
  readonly names: string
  /** Of each choice by value: its name and its branches. */
  readonly cases: string
  readonly plurals: readonly (readonly string[])[]
}

function describe(text: string, where: string): Description | null {
  const compiled: CompiledMessage = compileMessage(text)
  // The compiler prints what is wrong and gives the text back as it is.
  if (
    !Array.isArray(compiled) ||
    (compiled.length === 1 && compiled[0] === text && /[{}]/.test(text))
  ) {
    problems.push(`${where} is not a message: ${text}`)
    return null
  }
  const names = new Set<string>()
  const cases = new Set<string>()
  const plurals: string[][] = []
  collect(compiled, { names, cases, plurals })
  return { names: [...names].sort().join(', '), cases: [...cases].sort().join('; '), plurals }
}

interface Found {
  readonly names: Set<string>
  readonly cases: Set<string>
  readonly plurals: string[][]
}

/** Compiled messages are nested arrays: text, [name], or [name, 'plural' or 'select', {form: message}]. */
function collect(part: unknown, found: Found): void {
  if (!Array.isArray(part)) return
  for (const token of part) {
    if (!Array.isArray(token)) continue
    const [name, kind, forms] = token as [unknown, unknown, unknown]
    if (typeof name === 'string') found.names.add(name)
    if (typeof forms !== 'object' || forms === null) continue
    if (kind === 'plural') found.plurals.push(branchesOf(forms))
    if (kind === 'select') found.cases.add(`${name}: ${branchesOf(forms).sort().join(' ')}`)
    for (const form of Object.values(forms)) collect(form, found)
  }
}

/** The compiler keeps the offset of a choice beside its branches. */
function branchesOf(forms: object): string[] {
  return Object.keys(forms).filter((form) => form !== 'offset')
}
